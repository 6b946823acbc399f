import { globSync, readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import { freshWorkspaces } from './fresh-for-tests.ts';
import { Store } from './store.ts';
import type { Workspace } from './workspace.ts';

let workspace: Workspace;
freshWorkspaces((fresh) => {
  workspace = fresh;
});

/** How SQL is said, and how it would be reached. */
const SQL = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`|from 'kysely'|\bsqlOf\b/;
/** Databases of other programs, which a check of a task's outcome asks. */
const OTHERS = 'studio/play/checks/query.ts';

const sources = () =>
  globSync('{core,electron,native,renderer,schemas,studio}/**/*.{ts,tsx}')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.ts$|-for-tests\.ts$|\.d\.ts$|\/node_modules\//.test(file));
const saying = (words: RegExp) => sources().filter((file) => words.test(readFileSync(file, 'utf8')));

test('SQL is in the store alone', () => {
  const found = saying(SQL);
  // Its backups and jobs ask the files beside them.
  const own = /^studio\/store\/(?!(?:backups|jobs)\/)/;
  expect(found.filter((file) => !own.test(file))).toEqual([]);
  expect(found.length).toBeGreaterThan(20);
});

test('no other room opens a database of ours', () => {
  const found = saying(/from '(?:better-sqlite3|node:sqlite)'/).filter((file) => !file.startsWith('studio/store/'));
  expect(found).toEqual([OTHERS]);
});

test('a store that is handed out shows no way to its queries', () => {
  const { store } = workspace;
  expect(Reflect.ownKeys(store)).toEqual([]);
  expect(Reflect.ownKeys(Store.prototype).sort()).toEqual(['constructor', 'reading', 'transaction']);
  expectTypeOf<keyof Store>().toEqualTypeOf<'reading' | 'transaction'>();
  expect(
    Object.values(workspace).some((value) => typeof value === 'object' && value !== null && 'selectFrom' in value),
  ).toBe(false);
});
