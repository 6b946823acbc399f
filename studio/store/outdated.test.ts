import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDatabase, openDatabase } from './database.ts';
import { lockRecorder } from './lock.ts';
import { MIGRATIONS } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { temporaryFolders, thrownBy } from './recording-for-tests.ts';

/** A file of SQLite that a newer program brings to its version while this one has it open. */

const folders = temporaryFolders();
const known = MIGRATIONS.at(-1)!.version;
const next: Migration = {
  version: known + 1,
  name: 'next',
  statements: ({ schema }) => [schema.alterTable('people').addColumn('language', 'text').compile()],
};
let file: string;
let database: ReturnType<typeof openDatabase>;

beforeEach(() => {
  file = join(folders.make(), 'studio.sqlite');
  createDatabase(file);
  database = openDatabase(file);
});
afterEach(() => {
  database.close();
  folders.clean();
});

const person = (id: string) => ({ id, name: id, created_at: '2026-01-01T00:00:00.000Z' });
const bringForward = (busyMs?: number): void => openDatabase(file, [...MIGRATIONS, next], busyMs).close();
/** Read past the studio's own rules: the version in the file. */
function inFile(): { people: unknown[]; locks: unknown[]; version: unknown } {
  const sqlite = new Sqlite(file);
  const [people, locks, version] = [
    'select id from people',
    'select name from locks',
    "select value from meta where key = 'version'",
  ].map((sql) => sqlite.prepare(sql).pluck().all());
  sqlite.close();
  return { people: people!, locks: locks!, version: version?.[0] };
}

test('the older program neither reads nor writes any more, and says what to do; what it had written is there', async () => {
  const { db } = database;
  await db.insertInto('people').values(person('kept')).execute();
  bringForward();
  const asks: [string, () => Promise<unknown>][] = [
    ['a question', () => db.selectFrom('people').select('id').execute()],
    ['a change', () => db.insertInto('people').values(person('a')).execute()],
    ['a change of what is there', () => db.updateTable('people').set({ name: 'x' }).execute()],
    ['a removal', () => db.deleteFrom('people').execute()],
    ['several', () => db.transaction().execute((trx) => trx.insertInto('people').values(person('b')).execute())],
    [
      'several questions',
      () =>
        db
          .transaction()
          .setAccessMode('read only')
          .execute((trx) => trx.selectFrom('people').select('id').execute()),
    ],
  ];
  for (const [what, ask] of [...asks, ...asks]) {
    const error: unknown = await ask().catch((thrown: unknown) => thrown);
    expect([what, error]).toMatchObject([
      what,
      {
        code: 'OUTDATED',
        message: expect.stringMatching(/brought .*studio\.sqlite to version 11 .* knows version 10.*start the newer/),
      },
    ]);
  }
  expect(database.sqlite.inTransaction).toBe(false);
  expect(inFile()).toEqual({ people: ['kept'], locks: [], version: String(known + 1) });
});

test('a recording is not begun, and one that runs gives back nothing that it does not know', () => {
  const lock = lockRecorder(database);
  bringForward();
  for (const work of [() => lock.release(), () => lock.handOver(process.pid), () => lockRecorder(database)])
    expect(thrownBy(work).code).toBe('OUTDATED');
  // The process that held it has ended by the time that it is looked at.
  expect(inFile().locks).toEqual(['recorder']);
});

test('a change that is under way is waited for, and is there in the newer form', async () => {
  await database.db.transaction().execute(async (trx) => {
    await trx.insertInto('people').values(person('a')).execute();
    expect(thrownBy(() => bringForward(0)).code).toBe('WORKSPACE_BUSY');
    await trx.insertInto('people').values(person('b')).execute();
  });
  bringForward();
  expect(inFile().people).toEqual(['a', 'b']);
});

test('of two that bring it forward at once the older one does not take the newer version back', () => {
  const [first, ...rest] = MIGRATIONS;
  const other = join(folders.make(), 'studio.sqlite');
  createDatabase(other, MIGRATIONS.slice(0, -1));
  openDatabase(other, MIGRATIONS.slice(0, -1)).close();
  let isFirst = true;
  // The tables are compared between the look at the version and the change.
  const statements: Migration['statements'] = (db) => {
    if (isFirst) openDatabase(other, [...MIGRATIONS, next]).close();
    isFirst = false;
    return first!.statements(db);
  };
  const error = thrownBy(() => openDatabase(other, [{ ...first!, statements }, ...rest]));
  expect([isFirst, error.code, error.details.found]).toEqual([false, 'FUTURE_VERSION', known + 1]);
  openDatabase(other, [...MIGRATIONS, next]).close();
});
