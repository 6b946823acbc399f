import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Rooms whose own tables are read and written by their rules, in transactions that these begin and end (docs/decisions.md). */
const WITH_SQL = ['store', 'documents', 'review', 'datasets', 'import'];
const SQL = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/;

test('SQL is in the store, and in the rooms that have tables of their own', () => {
  const rooms = globSync('studio/**/*.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.ts$|-for-tests\.ts$/.test(file) && SQL.test(readFileSync(file, 'utf8')))
    .map((file) => file.split('/')[1]);
  expect([...new Set(rooms)].sort()).toEqual([...WITH_SQL].sort());
});
