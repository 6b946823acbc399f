import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { openServer } from '../postgres/server.ts';
import { emptiedEngine, type StoreEngine, sqliteEngine } from './engines-for-tests.ts';
import { curationContract, libraryContract, officeContract } from './library-for-tests.ts';
import { membersContract } from './members-for-tests.ts';
import { workContract } from './work-for-tests.ts';

/** The contract of the store over a server of PostgreSQL, in a database whose language orders texts otherwise. */

let postgres: TestPostgres;
let engine: StoreEngine;
beforeAll(async () => {
  postgres = await startPostgres();
  const address = await postgres.make();
  engine = await emptiedEngine(() => openServer(address));
});
afterAll(async () => {
  await engine?.end();
  postgres?.stop();
});
const shared = async (): Promise<StoreEngine> => ({ open: engine.open, end: async () => undefined });
const said = new Map<string, unknown>();

describe('settings, people, jobs', () => officeContract(shared));
describe('library', () => libraryContract(shared));
describe('curation', () => curationContract(shared));
describe('members', () => membersContract(shared));
describe('work', () => workContract(shared, (all) => said.set('PostgreSQL', all)));
describe('the same work in SQLite', () => workContract(sqliteEngine, (all) => said.set('SQLite', all)));

test('both say the same of the same work', () => {
  expect(said.get('SQLite')).toBeDefined();
  expect(said.get('PostgreSQL')).toEqual(said.get('SQLite'));
});
