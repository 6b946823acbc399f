import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { createDatabase, openDatabase } from './database.ts';
import { temporaryFolders } from './recording-for-tests.ts';

const folders = temporaryFolders();
let file: string;
let database: ReturnType<typeof openDatabase>;
let other: Sqlite.Database;

beforeEach(() => {
  file = join(folders.make(), 'studio.sqlite');
  createDatabase(file);
  database = openDatabase(file);
  other = new Sqlite(file, { timeout: 0 });
});
afterEach(() => {
  database.close();
  other.close();
  folders.clean();
});

const person = (id: string, name = id) => ({ id, name, created_at: '2026-01-01T00:00:00.000Z' });
/** More than a page of the database holds. */
const LONG = 'x'.repeat(50_000);
const people = async (): Promise<string[]> =>
  (await database.db.selectFrom('people').select('id').orderBy('id').execute()).map(({ id }) => id);

/** SQLite's own word for a full disk: the database may not grow by a page. */
function fill(): void {
  const pages = Number(database.sqlite.pragma('page_count', { simple: true }));
  database.sqlite.pragma(`max_page_count = ${pages}`);
}
const free = (): void => void database.sqlite.pragma('max_page_count = 1000000');

async function refusal(work: Promise<unknown>): Promise<StudioError> {
  const error = await work.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof StudioError) return error;
  throw error;
}

test('closed while somebody asks, it is INTERRUPTED and no defect', async () => {
  const { db, sqlite } = database;
  const within = db.transaction().execute(async (trx) => {
    await trx.insertInto('people').values(person('a')).execute();
    sqlite.close();
    await trx.insertInto('people').values(person('b')).execute();
  });
  expect((await refusal(within)).code).toBe('INTERRUPTED');
  const asks = [
    () => db.selectFrom('people').selectAll().execute(),
    () => db.transaction().execute(async () => undefined),
  ];
  for (const ask of asks) expect((await refusal(ask())).code).toBe('INTERRUPTED');
  database = openDatabase(file);
  expect(await people()).toEqual([]);
});

describe('a full disk', () => {
  test('is DISK_FULL in a transaction as outside of one, and everything goes on when there is room again', async () => {
    fill();
    const write = (id: string) => database.db.insertInto('people').values(person(id, LONG)).execute();
    const within = (id: string) =>
      database.db.transaction().execute((trx) => trx.insertInto('people').values(person(id, LONG)).execute());
    for (const work of [() => write('a'), () => within('b'), () => within('c')]) {
      const { code, message } = await refusal(work());
      expect([code, message]).toEqual(['DISK_FULL', expect.stringContaining(file)]);
    }
    expect(database.sqlite.inTransaction).toBe(false);
    free();
    await within('b');
    await write('a');
    expect(await people()).toEqual(['a', 'b']);
  });

  test('that is caught inside a transaction: nothing of what follows is stored on its own', async () => {
    fill();
    const error = await refusal(
      database.db.transaction().execute(async (trx) => {
        await trx.insertInto('people').values(person('a')).execute();
        await trx
          .insertInto('people')
          .values(person('b', LONG))
          .execute()
          .catch(() => undefined);
        await trx.insertInto('people').values(person('c')).execute();
      }),
    );
    expect(error.code).toBe('DISK_FULL');
    expect(await people()).toEqual([]);
  });
});

describe('a database that another program holds', () => {
  test('is waited for while the process goes on, reads answer, and the write is then done', async () => {
    other.exec('begin immediate');
    let done = 0;
    const count = (): void => void done++;
    const writes = [
      database.db.insertInto('people').values(person('a')).execute().then(count),
      database.db
        .transaction()
        .execute((trx) => trx.insertInto('people').values(person('b')).execute())
        .then(count),
    ];
    for (let n = 0; n < 50; n++) {
      await turn();
      if (n % 10 === 0) expect(await people()).toEqual([]);
    }
    expect(done).toBe(0);
    other.exec('commit');
    await Promise.all(writes);
    expect(await people()).toEqual(['a', 'b']);
  });

  test('for good is WORKSPACE_BUSY, and no turn of the loop waited for it', async () => {
    other.exec('begin immediate');
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const before = performance.now();
    const { code, message } = await refusal(database.db.insertInto('people').values(person('a')).execute());
    const waited = performance.now() - before;
    clearInterval(timer);
    other.exec('rollback');
    expect([code, message]).toEqual(['WORKSPACE_BUSY', expect.stringContaining(file)]);
    expect(longest).toBeLessThan(waited / 2);
  });
});

describe('transactions', () => {
  test('and lone statements take turns: none of them stands in the other', async () => {
    const error = new Error('given up');
    const long = database.db.transaction().execute(async (trx) => {
      await trx.insertInto('people').values(person('a')).execute();
      for (let n = 0; n < 20; n++) await turn();
      throw error;
    });
    const lone = database.db.insertInto('people').values(person('b')).execute();
    const second = database.db.transaction().execute((trx) => trx.insertInto('people').values(person('c')).execute());
    await expect(long).rejects.toBe(error);
    await Promise.all([lone, second]);
    expect(await people()).toEqual(['b', 'c']);
  });

  test('that only read wait for nobody', async () => {
    other.exec('begin immediate');
    const found = await database.db
      .transaction()
      .setAccessMode('read only')
      .execute((trx) => trx.selectFrom('people').select('id').execute());
    other.exec('rollback');
    expect(found).toEqual([]);
  });

  test('whose commit fails are taken back, and say why', async () => {
    database.sqlite.exec('create table up (id primary key)');
    database.sqlite.exec('create table down (up references up (id) deferrable initially deferred)');
    const write = database.db.transaction().execute(async (trx) => {
      await trx.insertInto('people').values(person('a')).execute();
      await sql`insert into down values ('nobody')`.execute(trx);
    });
    await expect(write).rejects.toThrow('FOREIGN KEY constraint failed');
    expect(database.sqlite.inTransaction).toBe(false);
    expect(await people()).toEqual([]);
  });

  test('after one that could neither go on nor be taken back begin anew', async () => {
    database.sqlite.exec('begin');
    database.sqlite.prepare("insert into people (id, name, created_at) values ('left', 'x', '')").run();
    await database.db.insertInto('people').values(person('a')).execute();
    expect(database.sqlite.inTransaction).toBe(false);
    expect(await people()).toEqual(['a']);
  });
});

test('a statement is prepared once', async () => {
  const prepare = vi.spyOn(database.sqlite, 'prepare');
  for (let n = 0; n < 20; n++) {
    await database.db
      .insertInto('people')
      .values(person(`p${n}`))
      .execute();
    await sql`select ${n}`.execute(database.db);
  }
  // Those two, and where the change begins and ends.
  expect(prepare).toHaveBeenCalledTimes(4);
});
