import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { insertPerson } from '../people.ts';
import { type Store, sqlOf } from '../store.ts';
import { openPostgresStore } from './open.ts';
import { openServer, type PostgresServer } from './server.ts';

/** Statements that a connection has prepared by name, when they mean nothing there any more. */

let postgres: TestPostgres;
let address: string;
let server: PostgresServer;
let store: Store;
beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  await server?.close();
  address = await postgres.make();
  server = await openServer(address);
  store = await openPostgresStore(server);
  await insertPerson(store, { id: 'ada', name: 'Ada', email: null });
});
afterAll(async () => {
  await server?.close();
  postgres?.stop();
});

const ada = (at: Store) => sqlOf(at).selectFrom('people').selectAll().where('id', '=', 'ada').execute();
const rename = (at: Store, name: string) =>
  sqlOf(at).updateTable('people').set({ name }).where('id', '=', 'ada').execute();
const prepared = async (at: Store): Promise<string[]> =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(sqlOf(at))).rows.map(
    ({ statement }) => statement,
  );

test('a text is prepared once a connection, one of a long list or without a value never', async () => {
  await store.transaction(async (trx) => {
    for (let n = 0; n < 3; n++) await ada(trx);
    const many = Array.from({ length: 40 }, (_, n) => `p${n}`);
    await sqlOf(trx).selectFrom('people').select('id').where('id', 'in', many).execute();
    expect((await prepared(trx)).filter((text) => /from "people"/.test(text))).toHaveLength(1);
  });
});

test('a table that gets a column is read as before, alone and within a whole', async () => {
  await ada(store);
  await store.transaction(ada);
  await postgres.inside(address, 'alter table people add column extra text');
  expect(await ada(store)).toMatchObject([{ name: 'Ada', extra: null }]);
  await postgres.inside(address, 'alter table people add column more text');
  const within = await store.transaction(async (trx) => {
    await rename(trx, 'Ada L.');
    return ada(trx);
  });
  expect(within).toMatchObject([{ name: 'Ada L.', more: null }]);
});

test('a pooler that gives each whole another connection of the server costs no question', async () => {
  const forget = () => sql`deallocate all`.execute(sqlOf(store));
  await ada(store);
  await forget();
  expect(await ada(store)).toMatchObject([{ name: 'Ada' }]);
  await store.transaction((trx) => rename(trx, 'Ben'));
  await forget();
  await store.transaction((trx) => rename(trx, 'Cleo'));
  expect(await ada(store)).toMatchObject([{ name: 'Cleo' }]);
  // From then on nothing is prepared by name.
  expect((await prepared(store)).filter((text) => /people/.test(text))).toEqual([]);
});
