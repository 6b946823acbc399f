/**
 * A rollout of many tasks on one stage: how long it takes until the next task is asked about, and the memory of the process that runs
 * it. The tasks are questions without programs, answered at once, so that all of it is the runner's own time: the recording is closed,
 * the answer is looked at, the home is copied, the next recording begins.
 *
 *     node scripts/setup.mjs --for bench
 *     node test/bench/compositions.bench.ts [--tasks 70] [--json]
 *
 * Target: the next task starts within 5 s, and the memory of the second half stays that of the first.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compositionSchema } from '../../schemas/composition.ts';
import { compositionRunSchema } from '../../schemas/composition-run.ts';
import { type ModelAsked, startModelServer } from '../../studio/models/model-server-for-tests.ts';
import { recipeOf, SCREEN } from '../demo/day/parts.ts';
import { importInto } from '../demo/day/run-day.ts';
import { flag, machine, machineLine, median, progress, report } from '../support/bench.ts';
import { CLI } from '../support/cli.ts';

const tasks = Number(flag('tasks') ?? 70);
const names = Array.from({ length: tasks }, (_, n) => `word_${n + 1}`);

const composition = compositionSchema.parse({
  schema: 'trajectory-studio/composition',
  version: 1,
  id: 'long-day',
  kind: 'scenario',
  title: 'A long day',
  members: names.map((name, n) => ({
    id: name,
    task: `WORD_${n + 1}`,
    instructions: { base: `Say ${name}.` },
    outputs: [{ name: 'word', value: name }],
  })),
  tasks: names.map((name, n) => ({
    id: `WORD_${n + 1}`,
    software: 'Words',
    goal: `Say ${name}`,
    answer: name,
    recipe: recipeOf({ programs: [] }),
    checks: null,
  })),
});

const wordIn = ({ texts }: ModelAsked): string => /Say (word_\d+)\./.exec(texts.join('\n'))?.[1] ?? '';
/** Resident memory of a process, MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'long-day-'));
const workspace = path.join(folder, 'workspace');
const memory: number[] = [];
const starts: number[] = [];
let pid = 0;
let last = '';
let answered = 0;
const server = await startModelServer((asked) => {
  const word = wordIn(asked);
  if (word !== last) {
    if (last !== '') starts.push(performance.now() - answered);
    memory.push(memoryOf(pid));
    if (memory.length % 10 === 0) progress(`${memory.length} of ${tasks}: ${memory.at(-1)?.toFixed(0)} MB`);
  }
  last = word;
  answered = performance.now();
  return { kind: 'answer', text: `DONE: ${word}` };
}, SCREEN);
try {
  await importInto(workspace, composition);
  const given = ['--agent', 'direct', '--endpoint', server.url, '--model', 'scripted', '--yes', '--json'];
  const args = [CLI, 'run', '--composition', 'long-day', ...given, '--workspace', workspace];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  pid = child.pid ?? 0;
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  await once(child, 'close');
  const run = compositionRunSchema.parse(JSON.parse(out));
  const passed = run.results.filter(({ outcome }) => outcome === 'passed').length;
  const half = Math.floor(memory.length / 2);
  const [first, second] = [median(memory.slice(5, half)), median(memory.slice(half))];
  const most = Math.max(...starts);
  const halves = [median(starts.slice(0, half)), median(starts.slice(half))];
  const found = { tasks, passed, startMs: { halves, most }, memoryMb: { first, second } };
  const seconds = (ms = 0): string => (ms / 1000).toFixed(2);
  report(
    { machine: await machine(), ...found },
    [
      machineLine(await machine()),
      `${passed} of ${tasks} tasks passed on one stage; load ${os.loadavg()[0]?.toFixed(1)}`,
      `until the next task is asked about: median ${seconds(halves[0])} s in the first half, ${seconds(halves[1])} s in the second; at most ${seconds(most)} s`,
      `memory of the process: median ${first.toFixed(0)} MB in the first half (without the first five), ${second.toFixed(0)} MB in the second`,
    ].join('\n'),
  );
} finally {
  await server.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
