import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from './compile-cache.mjs';
import { needNewNode } from './own-node.mjs';

/**
 * What test files cost, beside how long they take: the processor time of each program that they start. Beside other work the
 * second stays nearly the same, so that a tree before and after a change can be compared. Linux only.
 *
 *     node scripts/test-cost.mjs test/e2e/perform-hands.e2e.ts      as vitest finds them, with vitest's own options
 *
 * A program that lives for less than a tenth of a second is seen with the one that waited for it, or not at all.
 */

needNewNode();
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LOOK_MS = 70;
/** Clock ticks a second: Linux tells programs no other number. */
const TICKS = 100;
const MOST_LINES = 20;

if (process.platform !== 'linux') {
  process.stderr.write('The processor time of programs is read from /proc, which is Linux.\n');
  process.exit(2);
}

const files = process.argv.slice(2);
const began = performance.now();
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
// As a run of all tests starts them: without it each program of a test's own home compiles its modules anew.
const env = { ...COMPILE_CACHE, ...process.env };
const child = spawn(process.execPath, [vitest, 'run', '--reporter=dot', ...files], {
  cwd: ROOT,
  stdio: 'inherit',
  env,
});
/** By process and its start: a number is given again. */
const seen = new Map();
const family = new Set([child.pid]);
const looking = setInterval(look, LOOK_MS);
child.once('exit', (status) => {
  clearInterval(looking);
  print();
  process.exitCode = status ?? 1;
});

function look() {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in brackets may hold anything: fields start after the last bracket.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const key = `${name} ${fields[19]}`;
      // Who lost their parent stay in the family.
      if (!(family.has(pid) || family.has(Number(fields[1])) || seen.has(key))) continue;
      family.add(pid);
      const program = programOf(readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0'));
      const known = seen.get(key);
      seen.set(key, { program: program || known?.program || '?', ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It ended meanwhile.
    }
  }
}

/** `node capture/capture-main.ts`, `ffmpeg`. */
function programOf([command, ...words]) {
  const program = basename(command ?? '');
  const script = /^node/.test(program) ? words.find(isScript) : undefined;
  return script === undefined ? program.split(' ')[0] : `node ${script.split('/').slice(-2).join('/')}`;
}

/** Not what an option of Node's loads before. */
const isScript = (word, n, words) => /\.[cm]?[jt]s$/.test(word) && !/^--(?:require|import)$/.test(words[n - 1] ?? '');

function print() {
  const programs = new Map();
  for (const { program, ticks } of seen.values()) {
    const sum = programs.get(program) ?? { ticks: 0, starts: 0 };
    programs.set(program, { ticks: sum.ticks + ticks, starts: sum.starts + 1 });
  }
  const seconds = (ticks) => (ticks / TICKS).toFixed(1).padStart(8);
  const all = [...programs.values()].reduce((sum, { ticks }) => sum + ticks, 0);
  const took = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(
    `${files.join(' ')}: ${took} s, ${seconds(all).trim()} s of a processor, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  for (const [program, { ticks, starts }] of [...programs]
    .sort(([, a], [, b]) => b.ticks - a.ticks)
    .slice(0, MOST_LINES))
    process.stdout.write(`${seconds(ticks)} s ${String(starts).padStart(4)} times  ${program}\n`);
}
