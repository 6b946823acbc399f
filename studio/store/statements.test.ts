import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { statementCache } from './statements.ts';

test('keeps the newest statements, and none that is long', () => {
  const sqlite = new Sqlite(':memory:');
  const cache = statementCache(sqlite, 3);
  const first = cache.prepare('select 1');
  for (const n of [2, 3]) cache.prepare(`select ${n}`);
  expect(cache.prepare('select 1')).toBe(first);
  cache.prepare('select 4');
  expect(cache.size()).toBe(3);
  // The second was used longest ago.
  expect(cache.prepare('select 1')).toBe(first);
  const long = `select 1 -- ${'x'.repeat(5_000)}`;
  expect(cache.prepare(long)).not.toBe(cache.prepare(long));
  expect(cache.size()).toBe(3);
  sqlite.close();
});

test('a kept statement sees a table that was changed by another connection', () => {
  const sqlite = new Sqlite(':memory:');
  sqlite.exec('create table t (a)');
  const cache = statementCache(sqlite);
  sqlite.prepare('insert into t values (1)').run();
  expect(cache.prepare('select * from t').all()).toEqual([{ a: 1 }]);
  sqlite.exec('alter table t add column b default 2');
  expect(cache.prepare('select * from t').all()).toEqual([{ a: 1, b: 2 }]);
  sqlite.close();
});
