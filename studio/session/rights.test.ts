import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Rights are in one place, `as(person)` (as.ts): routes and commands ask it, check nothing by themselves, and have no other
 * way to what somebody said of a recording.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const DOORS = globSync('studio/{api,cli}/**/*.ts', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.ts$|-for-tests\.ts$/.test(file))
  .sort();

/** Names that only the inside of the session uses. */
const INSIDE = /\b(?:unchecked|mayRead|maskOf|asPerson|withDocuments|openDocuments|openReviews|selectFrom)\b/g;
/** Rooms that answer without asking who asks, and their files that say nothing of a recording. */
const ROOMS =
  /from '(?:\.\.\/)+documents\/(?:review\/)?([\w-]+\.ts)'|import\('(?:\.\.\/)+documents\/(?:review\/)?([\w-]+\.ts)'\)/g;
/** `assigning.ts`: who is to work on it, not what somebody said of it. */
const HARMLESS = new Set(['assigning.ts', 'csv.ts', 'policy.ts', 'situation.ts']);

const faultsIn = (source: string): string[] => [
  ...[...source.matchAll(INSIDE)].map(([word]) => word),
  ...[...source.matchAll(ROOMS)].flatMap(([, named, loaded]) => {
    const file = named ?? loaded ?? '';
    return HARMLESS.has(file) ? [] : [file];
  }),
];

test('no route and no command checks rights by itself or reads past them', () => {
  expect(DOORS.length).toBeGreaterThan(60);
  const faults = DOORS.flatMap((file) =>
    faultsIn(readFileSync(join(ROOT, file), 'utf8')).map((fault) => `${file}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('one that did would be found', () => {
  expect(faultsIn("import { openDocuments } from '../../documents/documents.ts';")).toEqual([
    'openDocuments',
    'documents.ts',
  ]);
  expect(faultsIn("const { workQueue } = await import('../../documents/review/queue.ts');")).toEqual(['queue.ts']);
  expect(faultsIn('open.unchecked.documents.get(recording)')).toEqual(['unchecked']);
  expect(faultsIn("import { readPolicy } from '../../documents/review/policy.ts';")).toEqual([]);
});
