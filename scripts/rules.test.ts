import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The pages of rules say that a test names each of them. */

const ROOT = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const PAGES = globSync('core/**/*.md', { cwd: ROOT }).sort();

/** The rules that a page states, by the id at the beginning of a heading, an entry or a paragraph. */
const statedIn = (page: string): string[] =>
  [...page.matchAll(/^(?:## |- |\*\*)([A-Z]{1,2}\d+)\b/gm)].map(([, id = '']) => id);

/** The ids in the names of tests; `M1 to M5` names all of them. */
function namedIn(source: string): string[] {
  const names = source.match(/^\s*(?:test|describe)\b.*$/gm)?.join('\n') ?? '';
  const ranges = [...names.matchAll(/\b([A-Z]{1,2})(\d+) to \1(\d+)\b/g)].flatMap(([, letters, from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => `${letters}${Number(from) + at}`),
  );
  return [...ranges, ...(names.match(/\b[A-Z]{1,2}\d+\b/g) ?? [])];
}

test('the name of a test has every rule of core/*/RULES.md', () => {
  const tests = globSync('{core,schemas,native,studio,renderer}/**/*.test.{ts,tsx}', { cwd: ROOT });
  const named = new Set(tests.flatMap((file) => namedIn(read(file))));
  const unheld = PAGES.flatMap((page) =>
    statedIn(read(page))
      .filter((id) => !named.has(id))
      .map((id) => `${page}: ${id}`),
  );
  expect(unheld).toEqual([]);
  expect(PAGES.map((page) => statedIn(read(page)).length).filter((rules) => rules < 5)).toEqual([]);
});

test('no page gives two rules one id', () => {
  const twice = PAGES.flatMap((page) =>
    statedIn(read(page))
      .filter((id, at, ids) => ids.indexOf(id) !== at)
      .map((id) => `${page}: ${id}`),
  );
  expect(twice).toEqual([]);
});
