/**
 * Every bench, one after the other, with the ratios that the documents quote (`npm run bench`).
 *
 *     npm run bench                                   the whole: about half an hour
 *     npm run bench -- --quick                        short runs: whether it works, not figures to quote
 *     npm run bench -- --write docs/measurements.md   also writes what was printed
 *     npm run bench -- scale                          one of them, by the beginning of its file's name
 *     npm run bench -- --only capture,sync --write …  some of them; the file's other sections stay
 *     npm run bench -- play --with='--fault late'     with these arguments instead of its own
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'string' },
    only: { type: 'string' },
    with: { type: 'string' },
  },
});
const named = [...(values.only?.split(',') ?? []), ...positionals];
const given = values.with?.split(' ') ?? null;
const only = named.length > 0 ? named : null;

type Bench = { title: string; file: string; node?: string[]; args: string[]; quick: string[] };
const BENCHES: readonly Bench[] = [
  { title: 'Cost of recording', file: 'capture.bench.ts', args: [], quick: ['--rounds', '1', '--seconds', '4'] },
  {
    title: 'Text that is typed at once on a busy machine',
    file: 'bursts.bench.ts',
    args: ['--bursts', '20', '--beside', '8', '--frozen'],
    quick: ['--bursts', '4', '--beside', '0', '--frozen'],
  },
  { title: 'Sync against the ground truth', file: 'sync.bench.ts', args: [], quick: ['--paints', '20'] },
  {
    title: 'The voice beside a recording',
    file: 'voice.bench.ts',
    args: [],
    quick: ['--rounds', '1', '--seconds', '4', '--clicks', '5'],
  },
  { title: 'Keyframes after the stop', file: 'ready.bench.ts', args: [], quick: ['--minutes', '0.5'] },
  { title: 'A library of 10,000 recordings', file: 'library.bench.ts', args: [], quick: ['--recordings', '100'] },
  { title: 'The pages', file: 'ui.bench.ts', args: [], quick: ['--steps', '20'] },
  { title: 'Start of the desktop app', file: 'start.bench.ts', args: [], quick: ['--rounds', '2'] },
  { title: 'A change with `npm run dev`', file: 'dev.bench.ts', args: [], quick: ['--rounds', '1'] },
  { title: 'A recording to a team, cut twenty times', file: 'push.bench.ts', args: [], quick: ['--gigabytes', '0.1'] },
  { title: 'Start of a command', file: 'command.bench.ts', args: [], quick: ['--rounds', '3'] },
  { title: 'Loading of processes and threads', file: 'loading.bench.ts', args: [], quick: ['--rounds', '1'] },
  {
    title: 'The element at each press',
    file: 'elements.bench.ts',
    args: [],
    quick: ['--app', 'mousepad', '--seconds', '4'],
  },
  {
    title: 'Agents with a model that knows',
    file: 'agents.bench.ts',
    args: [],
    quick: ['--agent', 'direct', '--protocol', 'openai'],
  },
  { title: 'Keystrokes of an annotator', file: 'annotate.bench.ts', args: [], quick: [] },
  { title: 'Keystrokes of a reviewer', file: 'review.bench.ts', args: [], quick: ['--steps', '30'] },
  { title: 'Bytes of a review', file: 'wire.bench.ts', args: [], quick: ['--steps', '60'] },
  { title: 'Statements of the database', file: 'statements.bench.ts', args: [], quick: ['--gestures', '100'] },
  { title: "A team's data", file: 'scale.bench.ts', args: [], quick: ['--size', 'small'] },
  {
    title: 'A team at once',
    file: 'team.bench.ts',
    args: [],
    quick: ['--people', '10', '--seconds', '12', '--recordings', '200'],
  },
  {
    title: 'Preview of an export',
    file: 'preview.bench.ts',
    args: [],
    quick: ['--recordings', '20', '--rounds', '2'],
  },
  { title: 'Exports', file: 'export.bench.ts', args: [], quick: ['--tasks', '8'] },
  { title: 'A million events', file: 'reduce.bench.ts', node: ['--expose-gc'], args: [], quick: ['100000'] },
  { title: 'Keyframes of a video without input', file: 'video.bench.ts', args: [], quick: ['--steps', '12'] },
  {
    title: 'Keyframes of our own recordings without their input',
    file: 'keyframes.bench.ts',
    args: [],
    quick: ['--app', 'mousepad'],
  },
  {
    title: 'Plays of demonstrations',
    file: 'play.bench.ts',
    args: ['--plays', '2', '--fault', 'none'],
    quick: ['--app', 'mousepad', '--plays', '1', '--fault', 'none'],
  },
  {
    title: 'Demonstrations as skills',
    file: 'skill.bench.ts',
    args: [],
    quick: ['--demo', 'lines'],
  },
  { title: 'A person at a stage in the page', file: 'stage-page.bench.ts', args: [], quick: ['--keys', '20'] },
  { title: 'Start of a stage', file: 'stage.bench.ts', args: [], quick: ['--rounds', '2'] },
  { title: 'A composition of many tasks', file: 'compositions.bench.ts', args: [], quick: ['--tasks', '12'] },
  { title: 'Scoring predictions', file: 'evaluate.bench.ts', node: ['--expose-gc'], args: [], quick: ['5000'] },
];

function run({ file, node = [], args, quick }: Bench): Promise<{ status: number; text: string }> {
  return new Promise((done) => {
    const line = [...node, new URL(file, import.meta.url).pathname, ...(given ?? (values.quick ? quick : args))];
    const child = spawn(process.execPath, line, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      process.stdout.write(data);
      text += data.toString();
    });
    child.on('close', (status) => done({ status: status ?? 1, text }));
  });
}

const parts = new Map<string, string>();
let failed = 0;
for (const bench of BENCHES) {
  if (only && !only.some((name) => bench.file.startsWith(name))) continue;
  console.log(`\n== ${bench.title} (test/bench/${bench.file})`);
  const { status, text } = await run(bench);
  if (status !== 0) {
    // The file's own section stays: half a one would pass for a measurement.
    failed++;
    continue;
  }
  parts.set(
    bench.title,
    `## ${bench.title}\n\n\`node test/bench/${[bench.file, ...(given ?? [])].join(' ')}\` printed:\n\n\`\`\`\n${text.trim()}\n\`\`\`\n`,
  );
}
if (values.write !== undefined) {
  const head =
    '# Measurements\n\nWritten by `npm run bench -- --write docs/measurements.md`; nothing here was typed by hand.\n\n';
  const before = existsSync(values.write)
    ? readFileSync(values.write, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const sections = BENCHES.flatMap(({ title }) => {
    const section = parts.get(title) ?? before.find((text) => text.startsWith(`## ${title}\n`));
    return section ? [section.trim()] : [];
  });
  writeFileSync(values.write, `${head}${sections.join('\n\n')}\n`);
}
process.exitCode = failed === 0 ? 0 : 1;
