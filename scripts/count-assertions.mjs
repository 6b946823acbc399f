import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * How many test files, tests and assertions each room has, so that a change that makes tests quicker can show that it lost none:
 *
 *     node scripts/count-assertions.mjs            as they are here
 *     node scripts/count-assertions.mjs main       beside those of a commit: rooms that differ have both
 *
 * Counted as they are written: one in a loop, or in a table of cases, counts once.
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FILES = ['*.test.ts', '*.test.tsx', '*.e2e.ts', 'test/support/*.ts'];
const TEST = /\b(?:it|test)(?:\.\w+(?:\([^()]*\))?)*\(/;
const ASSERTION = /\b(?:expect(?:\.\w+)?|soon|expect[A-Z]\w*)\(/;

/** `room files tests assertions` of a commit; of the work tree, with what git does not know yet, for null. */
function countsOf(commit) {
  const rooms = new Map();
  for (const [pattern, at] of [
    [TEST, 1],
    [ASSERTION, 2],
  ]) {
    const where = commit === null ? ['--untracked', '-e', pattern.source] : ['-e', pattern.source, commit];
    const words = ['grep', '-o', '-P', ...where, '--', ...FILES];
    const { status, stdout, stderr } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 << 20 });
    if (status !== 0) stop(`git grep failed: ${stderr.trim()}`);
    for (const line of stdout.split('\n').filter(Boolean)) {
      const [file] = (commit === null ? line : line.slice(commit.length + 1)).split(':');
      const room = file.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
      const counts = rooms.get(room) ?? [new Set(), 0, 0];
      counts[0].add(file);
      counts[at]++;
      rooms.set(room, counts);
    }
  }
  return new Map([...rooms].map(([room, [files, tests, assertions]]) => [room, [files.size, tests, assertions]]));
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const sum = (rooms) => [0, 1, 2].map((n) => [...rooms.values()].reduce((total, one) => total + one[n], 0));
const told = ([files, tests, assertions]) =>
  `${String(files).padStart(5)} files ${String(tests).padStart(6)} tests ${String(assertions).padStart(6)} assertions`;

const [commit] = process.argv.slice(2);
const now = countsOf(null);
const before = commit === undefined ? now : countsOf(commit);
for (const room of [...new Set([...before.keys(), ...now.keys()])].sort()) {
  const [was, is] = [before, now].map((rooms) => rooms.get(room) ?? [0, 0, 0]);
  if (commit === undefined) process.stdout.write(`${told(is)}  ${room}\n`);
  else if (String(was) !== String(is)) process.stdout.write(`${told(was)}  ${room}, ${commit}\n${told(is)}  ${room}\n`);
}
if (commit !== undefined) process.stdout.write(`${told(sum(before))}  in all, ${commit}\n`);
process.stdout.write(`${told(sum(now))}  in all\n`);
