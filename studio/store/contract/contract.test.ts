import { afterAll, describe, expect, test } from 'vitest';
import { startPglite } from '../../../test/support/pglite.ts';
import { emptiedEngine, sqliteEngine } from './engines-for-tests.ts';
import { curationContract, libraryContract, officeContract } from './library-for-tests.ts';
import { membersContract } from './members-for-tests.ts';
import { workContract } from './work-for-tests.ts';

/** One contract, kept by every engine. PostgreSQL itself: postgres.test.ts. */

let pglite: ReturnType<typeof emptiedEngine> | null = null;
/** Started once for the whole file. */
const shared = async () => {
  pglite ??= emptiedEngine(startPglite);
  const { open } = await pglite;
  return { open, end: async () => undefined };
};
afterAll(async () => (await pglite)?.end());
const said = new Map<string, unknown>();

describe.each([
  ['SQLite', sqliteEngine],
  ['PGlite', shared],
])('%s', (name, start) => {
  describe('settings, people, jobs', () => officeContract(start));
  describe('library', () => libraryContract(start));
  describe('curation', () => curationContract(start));
  describe('members', () => membersContract(start));
  describe('work', () => workContract(start, (all) => said.set(name, all)));
});

test('both say the same of the same work', () => {
  expect(said.get('SQLite')).toBeDefined();
  expect(said.get('PGlite')).toEqual(said.get('SQLite'));
});
