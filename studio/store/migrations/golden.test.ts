import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, test } from 'vitest';
import { addClicks } from '../../documents/clicks-for-tests.ts';
import { openSession } from '../../session/open-workspace.ts';
import { addPerson } from '../people.ts';
import { temporaryFolders } from '../recording-for-tests.ts';
import { getTask } from '../task-rows.ts';
import { openWorkspace as openStore } from '../workspace.ts';
import { goldenVersions, writeGolden } from './golden-for-tests.ts';
import { MIGRATIONS } from './index.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

const GOLDEN = goldenVersions.map((version) => `version-${version}.sql`);
const FIRST_GOLDEN = 3;

/** A workspace with this database, and the folders of the recordings that it knows. */
function workspaceOf(golden: string): string {
  const dir = join(folders.make(), 'studio');
  mkdirSync(join(dir, 'recordings'), { recursive: true });
  const file = join(dir, 'studio.sqlite');
  writeGolden(Number(/\d+/.exec(golden)?.[0]), file);
  const sqlite = new Sqlite(file);
  expect(sqlite.pragma('foreign_key_check')).toEqual([]);
  const ids = sqlite.prepare('select id from recordings').pluck().all().map(String);
  sqlite.close();
  const store = openStore(dir, { create: false });
  for (const id of ids) addClicks(store, id);
  store.close();
  return dir;
}

test('each version from the first with a golden database has one', () => {
  const versions = MIGRATIONS.map(({ version }) => version).filter((version) => version >= FIRST_GOLDEN);
  expect(GOLDEN.toSorted()).toEqual(versions.map((version) => `version-${version}.sql`).toSorted());
});

test.each(GOLDEN)('%s is opened, and every document in it is whole', async (golden) => {
  const open = await openSession(workspaceOf(golden), { create: false });
  const recordings = await open.workspace.listRecordings();
  expect(recordings.length).toBeGreaterThan(0);
  for (const { id } of recordings) {
    const { records, version } = await open.unchecked.documents.get(id);
    const lines = await open.unchecked.documents.since(id, 0);
    expect(lines).toHaveLength(version);
    expect(records.filter(({ kind }) => kind === 'label')).toHaveLength(4);
  }
  await open.close();
});

test('version-4.sql: a review that was sent back is as it was told', async () => {
  const open = await openSession(workspaceOf('version-4.sql'), { create: false });
  const state = await open.unchecked.reviews.get('golden', 'Ada');
  expect(state).toMatchObject({ state: 'rejected', round: 2, claim: null, blind: false });
  expect(state.decisions.map(({ verdict, item }) => [verdict, item.kind])).toEqual([
    ['accept', 'step'],
    ['reject', 'box'],
  ]);
  expect(state.threads).toMatchObject([{ open: true, reason: 'wrong-box', entries: [{ text: 'Around the text' }] }]);
  await open.close();
});

test.each([
  ['version-5.sql', { answer: '', kind: 'full' }],
  ['version-6.sql', { answer: '42 pages', kind: 'simple' }],
])('%s: a task has an answer and a kind, known software a category', async (golden, expected) => {
  const open = await openSession(workspaceOf(golden), { create: false });
  expect(await getTask(open.workspace.store, 'GIMP_1')).toMatchObject(expected);
  const categories = new Map((await open.workspace.listSoftware()).map(({ id, category }) => [id, category]));
  expect([categories.get('gimp'), categories.get('vlc')]).toEqual(['Media editing', 'Media browsing']);
  await open.close();
});

describe('version-3.sql: states that were set by hand, before there was a log (RV2)', () => {
  test.each([
    ['annotated', 'claim'],
    ['in-review', 'claim'],
    ['approved', 'reopen'],
    ['rejected', 'begin'],
  ] as const)('%s stays, and leads on as any other: %s', async (id, verb) => {
    const open = await openSession(workspaceOf('version-3.sql'), { create: false });
    const cleo = (await addPerson(open.workspace.store, { name: 'Cleo', email: null })).id;
    const before = await open.unchecked.reviews.get(id, cleo);
    expect(before).toMatchObject({ state: id, n: 0, decisions: [], documents: [{ id, done: 4 }] });
    expect(before.may[verb]).toBeNull();
    const act = verb === 'reopen' ? ({ type: verb, comment: 'Again' } as const) : ({ type: verb } as const);
    const { event } = await open.unchecked.reviews.send(id, cleo, crypto.randomUUID(), act);
    expect(event.facts.from).toBe(id);
    const led = { claim: 'in-review', reopen: 'annotating', begin: 'annotating' }[verb];
    expect(await open.unchecked.reviews.get(id, cleo)).toMatchObject({ state: led });
    expect((await open.workspace.getRecording(id)).state).toBe(led);
    await open.close();
  });
});
