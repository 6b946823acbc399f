/**
 * Every bench, one after the other, with the ratios that the documents quote (`npm run bench`).
 *
 *     npm run bench                                   the whole: about a quarter of an hour
 *     npm run bench -- --quick                        short runs: whether it works, not figures to quote
 *     npm run bench -- --write docs/measurements.md   also writes what was printed
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, write: { type: 'string' } } });

type Bench = { title: string; file: string; node?: string[]; args: string[]; quick: string[] };
const BENCHES: readonly Bench[] = [
  { title: 'Cost of recording', file: 'capture.bench.ts', args: [], quick: ['--rounds', '1', '--seconds', '4'] },
  { title: 'Sync against the ground truth', file: 'sync.bench.ts', args: [], quick: ['--paints', '20'] },
  { title: 'Keyframes after the stop', file: 'ready.bench.ts', args: [], quick: ['--minutes', '0.5'] },
  { title: 'The pages', file: 'ui.bench.ts', args: [], quick: ['--steps', '20'] },
  { title: 'Keystrokes of an annotator', file: 'annotate.bench.ts', args: [], quick: [] },
  { title: 'A million events', file: 'reduce.bench.ts', node: ['--expose-gc'], args: [], quick: ['100000'] },
];

function run({ file, node = [], args, quick }: Bench): Promise<{ status: number; text: string }> {
  return new Promise((done) => {
    const line = [...node, new URL(file, import.meta.url).pathname, ...(values.quick ? quick : args)];
    const child = spawn(process.execPath, line, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      process.stdout.write(data);
      text += data.toString();
    });
    child.on('close', (status) => done({ status: status ?? 1, text }));
  });
}

const parts: string[] = [];
let failed = 0;
for (const bench of BENCHES) {
  console.log(`\n== ${bench.title} (test/bench/${bench.file})`);
  const { status, text } = await run(bench);
  if (status !== 0) failed++;
  parts.push(`## ${bench.title}\n\n\`node test/bench/${bench.file}\` printed:\n\n\`\`\`\n${text.trim()}\n\`\`\`\n`);
}
if (values.write !== undefined) {
  const head =
    '# Measurements\n\nWritten by `npm run bench -- --write docs/measurements.md`; nothing here was typed by hand.\n\n';
  writeFileSync(values.write, head + parts.join('\n'));
}
process.exitCode = failed === 0 ? 0 : 1;
