import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * A thread that has a database open closes it itself, when it is told to (studio/session/background-worker.ts): one that is
 * ended from outside would leave it to the teardown of the thread. So whoever ends a thread ends one that can open none.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(file, 'utf8');

/** Everything that a module imports at its beginning or later, types aside. */
function reached(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const [, name] of read(file).matchAll(/^(?:import|export)(?! type)[^;]*?from '([^']+)'|import\('([^']+)'\)/gm)) {
    if (name?.startsWith('.') && name.endsWith('.ts')) reached(join(dirname(file), name), known);
    else if (name) known.add(name);
  }
  return known;
}

const ENDERS = globSync('{native,studio,electron}/**/*.ts', { cwd: ROOT })
  .filter(
    (file) =>
      !/\.test\.ts$|-for-tests\.ts$|^native\/process\//.test(file) &&
      /\bstartThread\([\s\S]*\.kill\(\)|\.kill\(\)[\s\S]*\bstartThread\(/.test(read(join(ROOT, file))),
  )
  .sort();
const threadsOf = (file: string): string[] =>
  [...read(join(ROOT, file)).matchAll(/'(\.[^']*-worker\.ts)'/g)].map(([, name]) => join(ROOT, dirname(file), name!));

test.each(ENDERS)('%s ends no thread that may have a database open', (file) => {
  const threads = threadsOf(file);
  expect(threads).not.toEqual([]);
  for (const thread of threads) expect([...reached(thread)]).not.toContain('better-sqlite3');
});

test('the thread that has one is found so', () => {
  expect([...reached(join(ROOT, 'studio/session/background-worker.ts'))]).toContain('better-sqlite3');
  expect(ENDERS.length).toBeGreaterThan(3);
});
