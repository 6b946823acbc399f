import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { errorOf } from '../../documents/clicks-for-tests.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import type { Migration } from '../migrations/migration.ts';
import { addPerson, listPeople } from '../people.ts';
import type { Store } from '../store.ts';
import { openPostgresStore } from './open.ts';
import { openServer, type PostgresServer } from './server.ts';
import { postgresWork } from './work.ts';

/** A database of PostgreSQL that a newer program brings to its version while older ones work on it. */

const known = MIGRATIONS.at(-1)!.version;
/** Adds a column, and gives the rows that are there a value: a row without it was written in the older form afterwards. */
const next: Migration = {
  version: known + 1,
  name: 'next',
  statements: (db) => [
    db.schema.alterTable('people').addColumn('language', 'text').compile(),
    (db as unknown as { updateTable(name: string): { set(to: object): { compile(): never } } })
      .updateTable('people')
      .set({ language: 'en' })
      .compile(),
  ],
};

let postgres: TestPostgres;
let address: string;
const open: PostgresServer[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  address = await postgres.make();
});
afterAll(async () => {
  for (const server of open) await server.close();
  postgres?.stop();
});

async function older(): Promise<{ store: Store; server: PostgresServer }> {
  const server = await openServer(address);
  open.push(server);
  return { store: await openPostgresStore(server), server };
}
async function bringForward(): Promise<Store> {
  const server = await openServer(address, known + 1);
  open.push(server);
  return openPostgresStore(server, [...MIGRATIONS, next]);
}
const person = (name: string) => ({ name, email: null });
const inDatabase = async (): Promise<{ name: string; language: string }[]> =>
  (await postgres.inside(address, 'select name, language from people order by name')) as never;
const OUTDATED = {
  code: 'OUTDATED',
  message: expect.stringMatching(/to version 11 .* knows version 10.*start the newer/),
};

test('the older program writes nothing more, soon reads nothing more, and says what to do', async () => {
  const { store } = await older();
  await addPerson(store, person('kept'));
  const newer = await bringForward();
  expect(await errorOf(addPerson(store, person('a')))).toMatchObject(OUTDATED);
  expect(await errorOf(store.transaction((trx) => addPerson(trx, person('b'))))).toMatchObject(OUTDATED);
  expect(await errorOf(listPeople(store))).toMatchObject(OUTDATED);
  expect(await errorOf(store.reading((at) => listPeople(at)))).toMatchObject(OUTDATED);
  expect(await inDatabase()).toEqual([{ name: 'kept', language: 'en' }]);
  await addPerson(newer, person('new'));
  expect((await listPeople(newer)).map(({ name }) => name)).toEqual(['kept', 'new']);
});

test('one that only reads finds it too', async () => {
  const { store } = await older();
  await addPerson(store, person('kept'));
  await bringForward();
  await expect
    .poll(() =>
      listPeople(store).then(
        () => null,
        ({ code }) => code,
      ),
    )
    .toBe('OUTDATED');
  expect(await errorOf(store.reading((at) => listPeople(at)))).toMatchObject(OUTDATED);
});

test('a question about what the newer form has no more is no damage', async () => {
  const { store } = await older();
  await listPeople(store);
  await postgres.inside(
    address,
    `begin; alter table people rename column name to called; update meta set value = '${known + 1}' where key = 'version'; commit`,
  );
  expect(await errorOf(listPeople(store))).toMatchObject(OUTDATED);
});

test('by a connection that does not say what it knows nothing is written, as by hand, unless it is said', async () => {
  await older();
  await bringForward();
  const insert = "insert into people (id, name, created_at) values ('x', 'x', '')";
  await expect(postgres.inside(address, insert)).rejects.toMatchObject({
    hint: expect.stringContaining('studio.version'),
  });
  await postgres.inside(address, `set studio.version = ${known + 1}; ${insert}`);
});

test('while it is brought forward older ones go on: each change is there in the newer form, or was refused', async () => {
  const programs = await Promise.all([older(), older(), older()]);
  const kept: string[] = [];
  const refused: string[] = [];
  let isOver = false;
  const writers = programs.flatMap(({ store }, n) =>
    [0, 1].map(async (way) => {
      for (let i = 0; !isOver; i++) {
        const name = `${n}-${way}-${i}`;
        const change =
          way === 0 ? addPerson(store, person(name)) : store.transaction((trx) => addPerson(trx, person(name)));
        await change.then(
          () => kept.push(name),
          (error: unknown) => {
            expect(error).toMatchObject(OUTDATED);
            refused.push(name);
            isOver = true;
          },
        );
      }
    }),
  );
  await expect.poll(() => kept.length).toBeGreaterThan(20);
  await bringForward();
  await Promise.all(writers);
  const rows = await inDatabase();
  expect(rows.map(({ name }) => name).sort()).toEqual(kept.toSorted());
  expect(rows.filter(({ language }) => language !== 'en')).toEqual([]);
  expect(refused.length).toBeGreaterThan(0);
});

test('work is not asked for, taken, kept or ended by an older one; what it is at is given back', async () => {
  const { server } = await older();
  const [asker, newer] = [postgresWork(server, known), postgresWork(await again(), known + 1)];
  const put = { id: randomUUID(), task: 'export', input: {} };
  await asker.put(put);
  const piece = (await asker.claim('a', ['export']))!;
  await bringForward();
  for (const work of [
    () => asker.put({ ...put, id: randomUUID() }),
    () => asker.claim('a', ['export']),
    () => asker.beat('a', piece, { share: 0.5, message: null }),
    () => asker.end('a', piece, { result: 1 }),
  ])
    expect(await errorOf(work())).toMatchObject(OUTDATED);
  expect(await newer.claim('b', ['export'])).toBeNull();
  await asker.giveBack('a', piece);
  expect(await newer.claim('b', ['export'])).toMatchObject({ id: put.id, attempt: 1 });
});

async function again(): Promise<PostgresServer> {
  const server = await openServer(address, known + 1);
  open.push(server);
  return server;
}
