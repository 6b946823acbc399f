/**
 * The time of a command from its start to its end, beside the same command after every command was loaded. Both compile
 * nothing anew: an unmeasured round fills the cache.
 *
 *     node test/bench/command.bench.ts [--rounds 15] [--json]
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { flag, machine, machineLine, median, report } from '../support/bench.ts';
import { CLI, newWorkspace } from '../support/cli.ts';
import { must } from '../support/process.ts';

const ROUNDS = Number(flag('rounds') ?? 15);
const COMMANDS = path.join(import.meta.dirname, '..', '..', 'studio', 'cli', 'commands');

const every = fs
  .readdirSync(COMMANDS)
  .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
  .map((name) => JSON.stringify(pathToFileURL(path.join(COMMANDS, name)).href));
const loadEvery = [
  "import { enableCompileCache } from 'node:module';",
  'enableCompileCache();',
  `await Promise.all([${every.join(', ')}].map((one) => import(one)));`,
].join('\n');

async function timed(args: readonly string[]): Promise<number> {
  const start = performance.now();
  await must(process.execPath, args);
  return performance.now() - start;
}

const workspace = newWorkspace();
try {
  await must(process.execPath, [CLI, 'init', '--workspace', workspace.path]);
  const lines = [
    ['recordings', '--workspace', workspace.path, '--json'],
    ['formats', '--json'],
    ['record', '--help'],
  ];
  const rows: { line: string; own: number; every: number }[] = [];
  for (const line of lines) {
    const own: number[] = [];
    const all: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const a = await timed([CLI, ...line]);
      const b = await timed(['--import', `data:text/javascript,${encodeURIComponent(loadEvery)}`, CLI, ...line]);
      if (round === 0) continue;
      own.push(a);
      all.push(b);
    }
    rows.push({ line: line.filter((word) => word !== workspace.path).join(' '), own: median(own), every: median(all) });
  }
  const about = await machine();
  const ms = (value: number): string => `${value.toFixed(0)} ms`.padStart(8);
  const text = rows.map(
    ({ line, own, every: all }) => `  ${line.padEnd(32)}${ms(own)}${ms(all)}   ratio ${(own / all).toFixed(2)}`,
  );
  report(
    { rounds: ROUNDS, rows, machine: about },
    [
      `Start of a command, median of ${ROUNDS} rounds: with what it needs, and after every command was loaded`,
      machineLine(about),
      ...text,
    ].join('\n'),
  );
} finally {
  workspace.remove();
}
