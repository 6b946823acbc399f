/**
 * How fast predictions are scored, and whether the memory grows with their file: made-up clicks with prompts of a usual
 * length and answers of a talkative model, beside JSON.parse of the same lines. The larger file has ten times the cases.
 *
 *     node --expose-gc test/bench/evaluate.bench.ts [predictions]
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomFrom } from '../../core/evaluate/random.ts';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { PREDICTIONS_SCHEMA, QUESTIONS_SCHEMA } from '../../schemas/questions.ts';
import { evaluateRun } from '../../studio/datasets/evaluate/run.ts';

const count = Number(process.argv[2] ?? 100_000);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'evaluate-bench-'));
const dataset = { name: 'bench', hash: 'a'.repeat(64) };
const PROMPT =
  'Where would you click to reach it? Answer with the position alone, in pixels, in this form: [x, y]. '.repeat(4);
const TALK =
  'Looking at the screen, I believe that the element is in the upper part of the window, next to the others. '.repeat(
    3,
  );

type Files = { truth: string; predictions: string; megabytes: number };

function write(n: number): Files {
  const random = randomFrom(n);
  const upTo = (most: number) => Math.floor(random() * most);
  const truth = path.join(folder, `Q${n}.jsonl`);
  const predictions = path.join(folder, `P${n}.jsonl`);
  const [q, p] = [fs.openSync(truth, 'w'), fs.openSync(predictions, 'w')];
  const line = (file: number, value: object) => fs.writeSync(file, `${JSON.stringify(value)}\n`);
  const head = { version: 1, dataset };
  line(q, { ...head, schema: QUESTIONS_SCHEMA, level: 'action', prompts: 'b'.repeat(64), seed: 1, holds: 'both' });
  line(p, { ...head, schema: PREDICTIONS_SCHEMA, model: 'bench', prompts: null });
  for (let i = 0; i < n; i++) {
    const id = `PPT_${i % 90}/1/${i}`;
    const point = [upTo(1920), upTo(1080)];
    const about = { software: `App ${i % 11}`, task: `PPT_${i % 90}`, actions: 1 + (i % 30), prompt: PROMPT };
    line(q, { id, kind: 'click', ...about, truth: { kind: 'click', point, width: 1920, height: 1080 } });
    line(p, { id, prediction: `${TALK}[${upTo(1920)}, ${upTo(1080)}]` });
  }
  fs.closeSync(q);
  fs.closeSync(p);
  return { truth, predictions, megabytes: (fs.statSync(truth).size + fs.statSync(predictions).size) / 2 ** 20 };
}

/** Seconds, and how far heap and buffers rose above what they were before, looked at about every five thousand cases. */
async function run({ truth, predictions }: Files): Promise<{ seconds: number; mb: number; recall: number }> {
  const inUse = () => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = inUse();
  let peak = before;
  let looking = 0;
  const start = performance.now();
  const { rows } = await evaluateRun({
    level: 'click',
    truth: [truth],
    predictions: [predictions],
    options: DEFAULT_OPTIONS,
    critic: null,
    cases: path.join(folder, 'cases.jsonl'),
    onProgress: () => {
      const from = performance.now();
      peak = Math.max(peak, inUse());
      looking += performance.now() - from;
    },
  });
  const seconds = (performance.now() - start - looking) / 1000;
  const recall = rows[0]?.metrics.find(({ metric }) => metric === 'click.recall')?.value ?? Number.NaN;
  return { seconds, mb: (peak - before) / 2 ** 20, recall };
}

function parseAll(files: Files): number {
  const start = performance.now();
  for (const file of [files.truth, files.predictions]) {
    for (const line of fs.readFileSync(file, 'utf8').trimEnd().split('\n')) JSON.parse(line);
  }
  return (performance.now() - start) / 1000;
}

try {
  console.log(
    `${os.cpus()[0]?.model ?? 'unknown CPU'}, ${os.cpus().length} cores, Node ${process.version}, ${os.platform()}`,
  );
  await run(write(Math.max(100, Math.round(count / 20))));
  const small = write(count);
  const parse = parseAll(small);
  const first = await run(small);
  console.log(`${count} clicks (${small.megabytes.toFixed(0)} MB of questions and predictions), every case written:`);
  console.log(
    `  ${first.seconds.toFixed(2)} s; JSON.parse of all lines once takes ${parse.toFixed(2)} s, so ${(first.seconds / parse).toFixed(1)} of it`,
  );
  console.log(`  recall ${first.recall.toFixed(2)} %`);
  const large = write(count * 10);
  const second = await run(large);
  console.log(`${count * 10} clicks (${large.megabytes.toFixed(0)} MB): ${second.seconds.toFixed(2)} s`);
  console.log(
    globalThis.gc
      ? `memory above the beginning: ${first.mb.toFixed(1)} MB, with ten times the cases ${second.mb.toFixed(1)} MB (${(((second.mb - first.mb) * 2 ** 20) / (count * 9)).toFixed(0)} bytes a case)`
      : 'memory not measured: run node with --expose-gc',
  );
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
