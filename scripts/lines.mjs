// Prints the lines of code before and after, by room, as a table in Markdown: docs/decisions.md holds what it printed.
//
//     node scripts/lines.mjs [BEFORE [AFTER]]
//
// BEFORE and AFTER are commits: the last one before the rooms of scripts/import-rules.mjs, and HEAD. A room is a folder of the
// second level; tests are counted apart, wherever they are.
import { execFileSync } from 'node:child_process';

const [before = 'ca30ce0', after = 'HEAD'] = process.argv.slice(2);
const CODE = /\.(?:ts|tsx|mjs|css)$/;
const TEST = /\.test\.tsx?$|-for-tests\.ts$|^test\//;

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });

/** The lines of each room, and of its tests: `git grep` counts them for a whole commit at once. */
function linesOf(commit) {
  const rooms = new Map();
  for (const row of git('grep', '--count', '-I', '-e', '', commit).trimEnd().split('\n')) {
    const [, file, lines] = /^[^:]+:(.*):(\d+)$/.exec(row) ?? [];
    if (file === undefined || !CODE.test(file)) continue;
    const [folder, room] = file.split('/').slice(0, -1);
    const name = folder === undefined ? '(top)' : room === undefined ? folder : `${folder}/${room}`;
    const here = rooms.get(name) ?? { code: 0, tests: 0 };
    here[TEST.test(file) ? 'tests' : 'code'] += Number(lines);
    rooms.set(name, here);
  }
  return rooms;
}

const old = linesOf(before);
const now = linesOf(after);
const NONE = { code: 0, tests: 0 };
const figure = (n) => (n === 0 ? '–' : n.toLocaleString('en'));
const cells = (name, a, b) =>
  `| ${name} | ${figure(a.code)} | ${figure(b.code)} | ${figure(a.tests)} | ${figure(b.tests)} |`;
const sum = (rooms, folder) =>
  [...rooms]
    .filter(([name]) => folder === null || name.split('/')[0] === folder)
    .reduce((all, [, { code, tests }]) => ({ code: all.code + code, tests: all.tests + tests }), NONE);

const names = [...new Set([...old.keys(), ...now.keys()])].sort();
const named = (commit) => git('log', '-1', '--format=%h, %s', commit).trim();
console.log(`Before: ${named(before)}. After: ${named(after)}.\n`);
console.log('| room | code before | code after | tests before | tests after |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const folder of new Set(names.map((name) => name.split('/')[0]))) {
  const inside = names.filter((name) => name.split('/')[0] === folder);
  if (inside.length > 1) console.log(cells(`**${folder}**`, sum(old, folder), sum(now, folder)));
  for (const name of inside) {
    const shown = inside.length > 1 && name === folder ? `${folder}, directly` : name;
    console.log(cells(shown, old.get(name) ?? NONE, now.get(name) ?? NONE));
  }
}
console.log(cells('**all**', sum(old, null), sum(now, null)));
