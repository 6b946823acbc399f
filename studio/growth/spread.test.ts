import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** A call whose last argument is a list spread out: each of its entries goes on the stack. */
const SPREAD =
  /(?:\.(?:push|unshift|splice|concat)|Math\.(?:max|min|hypot)|String\.from(?:CharCode|CodePoint)|\.apply)\((?:[^(){}\n]*, )?\.\.\.[^\n]*/g;

/** Lists that are short whatever the data: displays of a machine, four bytes, the pages' own files, a dialog's lines. */
const SHORT = [
  /^native\/macos\/displays\.ts: Math\.max\(\.\.\.(?:found|displays)\.map/,
  /^native\/wayland\/(?:input|outputs)\.ts: Math\.(?:max|min)\(\w+, \.\.\.displays\.map/,
  // A list in brackets is no arguments.
  /^native\/wayland\/pod\.ts: concat\(\[head, /,
  /^studio\/datasets\/export\/validate\/images\.ts: String\.fromCharCode\(\.\.\.bytes\.subarray\((?:at \+ 4, at \+ 8|4, 8)\)/,
  /^studio\/api\/build-pages\.ts: /,
  /^renderer\/datasets\/rule-dialog\.tsx: /,
  /^renderer\/insights\/reasons\.tsx: /,
  // The eight blocks around one.
  /^core\/play\/restless\.ts: push\(\.\.\.around\(block\)/,
  /^electron\/host\/geometry\.ts: Math\.max\(1, \.\.\.displays\.map/,
];

test('no list of the length of the data is spread into arguments (core/lists.ts)', () => {
  const root = join(import.meta.dirname, '..', '..');
  const files = globSync('{schemas,core,native,studio,renderer,electron}/**/*.{ts,tsx}', { cwd: root })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !/\.test\.tsx?$|-for-tests\.ts$/.test(name) && name !== 'core/lists.ts');
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(SPREAD)].map(([text]) => `${name}: ${text.replace(/^\./, '')}`),
  );
  expect(found.filter((one) => !SHORT.some((short) => short.test(one)))).toEqual([]);
});
