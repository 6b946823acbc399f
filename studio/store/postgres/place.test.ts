import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { toRecords } from '../../../core/annotate/document.ts';
import { nameElement } from '../../../core/annotate/edit.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { addClicks, errorOf, ID } from '../../documents/clicks-for-tests.ts';
import { openDocuments } from '../../documents/documents.ts';
import { reviewGate } from '../../documents/review/gate.ts';
import { take, write } from '../../import/archive/bench-for-tests.ts';
import { carriedTexts } from '../../import/carried.ts';
import { addPerson, listPeople } from '../people.ts';
import { DATABASE_VARIABLE, openPlace } from '../place.ts';
import { temporaryFolders } from '../recording-for-tests.ts';
import { readReviewEvents } from '../review-events.ts';
import { linesSince } from '../transactions.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { ELSEWHERE_FILE, isWorkspace } from '../workspace-file.ts';

/** A workspace whose database is on a server of PostgreSQL, and what keeps it from opening. */

let postgres: TestPostgres;
const folders = temporaryFolders();
const open: Workspace[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(() => {
  for (const workspace of open.splice(0)) workspace.close();
  vi.unstubAllEnvs();
});
afterAll(() => {
  postgres?.stop();
  folders.clean();
});

async function openAt(dir: string, address: string | undefined, create = false): Promise<Workspace> {
  vi.stubEnv(DATABASE_VARIABLE, address);
  const workspace = await openPlace(dir, { create });
  open.push(workspace);
  return workspace;
}
const newFolder = (): string => join(folders.make(), 'lab');
const refusalOf = async (dir: string, address: string | undefined, create = false) => {
  const { code, message } = await errorOf(openAt(dir, address, create));
  return { code, message };
};

test('a new workspace is made, opened again, and its folder says where its database is without the password', async () => {
  const address = (await postgres.make()).replace('studio@', 'studio:secret@');
  const dir = newFolder();
  const made = await openAt(dir, address, true);
  await addPerson(made.store, { name: 'Ada', email: null });
  expect(isWorkspace(dir)).toBe(true);
  const told = readFileSync(join(dir, ELSEWHERE_FILE), 'utf8');
  expect(told).toContain('127.0.0.1');
  expect(told).not.toContain('secret');
  const again = await openAt(dir, address);
  expect((await listPeople(again.store)).map(({ name }) => name)).toEqual(['Ada']);
  expect(await again.listRecordings()).toEqual([]);
  expect(() => again.lockRecorder()).toThrow('Record into another folder');
});

test('a change by somebody else is heard of, one of our own is none', async () => {
  const address = await postgres.make();
  const dir = newFolder();
  const mine = await openAt(dir, address, true);
  const other = await openAt(dir, address);
  // The first look begins to listen, and what came before that counts as changed.
  await expect.poll(() => mine.changedOutside()).toBe(true);
  await expect.poll(() => mine.changedOutside()).toBe(false);
  await addPerson(mine.store, { name: 'Ada', email: null });
  await addPerson(other.store, { name: 'Ben', email: null });
  await expect.poll(() => mine.changedOutside()).toBe(true);
  expect(mine.changedOutside()).toBe(false);
  await addPerson(mine.store, { name: 'Cleo', email: null });
  // Theirs comes after ours by the same way.
  await addPerson(other.store, { name: 'Dan', email: null });
  await expect.poll(() => mine.changedOutside()).toBe(true);
  expect(mine.changedOutside()).toBe(false);
});

describe('what keeps it from opening is said, and nothing is changed', () => {
  test('no address, and no address of PostgreSQL', async () => {
    const dir = newFolder();
    await openAt(dir, await postgres.make(), true);
    expect(await refusalOf(dir, undefined)).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('--database'),
    });
    expect(await refusalOf(dir, 'mysql://x')).toMatchObject({ code: 'USAGE' });
    expect(() => openWorkspace(dir, { create: true })).toThrow('is in PostgreSQL');
  });

  test('nobody there, no such machine, no such database, nobody of that name', async () => {
    const address = await postgres.make();
    const dir = newFolder();
    expect(await refusalOf(dir, 'postgres://studio:secret@127.0.0.1:9/x', true)).toEqual({
      code: 'WORKSPACE_BUSY',
      message: expect.stringMatching(/^The database postgres:\/\/127\.0\.0\.1:9\/x does not answer/),
    });
    const missing = address.replace(/[^/]+$/, 'missing');
    expect(await refusalOf(dir, missing, true)).toMatchObject({
      code: 'NOT_A_WORKSPACE',
      message: expect.stringContaining('createdb'),
    });
    const stranger = address.replace('studio@', 'stranger:secret@');
    expect(await refusalOf(dir, stranger, true)).toMatchObject({
      code: 'WORKSPACE_UNWRITABLE',
      message: expect.not.stringContaining('secret'),
    });
    expect(isWorkspace(dir)).toBe(false);
  });

  test('a user who may not make tables', async () => {
    const address = await postgres.make();
    await postgres.ask("create role weak login password 'x'");
    const weak = address.replace('studio@', 'weak@');
    expect(await refusalOf(newFolder(), weak, true)).toMatchObject({ code: 'WORKSPACE_UNWRITABLE' });
  });

  test('a database of a newer version, of something else, of another folder', async () => {
    const [newer, other, taken] = [await postgres.make(), await postgres.make(), await postgres.make()];
    const dir = newFolder();
    const { store } = await openAt(dir, newer, true);
    await store.transaction(async () => undefined);
    await postgres.inside(newer, "update meta set value = '999' where key = 'version'");
    expect(await refusalOf(dir, newer)).toMatchObject({
      code: 'FUTURE_VERSION',
      message: expect.stringContaining('999'),
    });
    await postgres.inside(other, 'create table tasks (id text)');
    expect(await refusalOf(newFolder(), other, true)).toMatchObject({
      code: 'NOT_A_WORKSPACE',
      message: expect.stringContaining('something else'),
    });
    await openAt(newFolder(), taken, true);
    expect(await refusalOf(newFolder(), taken, true)).toMatchObject({
      code: 'NOT_A_WORKSPACE',
      message: expect.stringContaining('another folder'),
    });
  });

  test('a folder with a database of its own, one with something else, a note that is none', async () => {
    const address = await postgres.make();
    const own = newFolder();
    openWorkspace(own, { create: true }).close();
    expect(await refusalOf(own, address)).toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('restore PLACE'),
    });
    const strange = folders.make();
    writeFileSync(join(strange, 'holiday.jpg'), 'x');
    expect(await refusalOf(strange, address, true)).toMatchObject({ code: 'NOT_A_WORKSPACE' });
    const odd = newFolder();
    mkdirSync(odd, { recursive: true });
    writeFileSync(join(odd, ELSEWHERE_FILE), '{"schema":"trajectory-studio/database","version":2}');
    expect(await refusalOf(odd, address)).toMatchObject({ code: 'FUTURE_VERSION' });
    writeFileSync(join(odd, ELSEWHERE_FILE), '{');
    expect(await refusalOf(odd, address)).toMatchObject({ code: 'BAD_FILE' });
  });
});

test('a workspace comes over from SQLite as an archive, with its history', async () => {
  const [from, to] = [
    openWorkspace(newFolder(), { create: true }),
    await openAt(newFolder(), await postgres.make(), true),
  ];
  open.push(from);
  writeFileSync(join(addClicks(from), 'screen.mkv'), 'a video');
  await from.syncIndex();
  const ada = await addPerson(from.store, { name: 'Ada', email: null });
  const documents = openDocuments(from, reviewGate());
  const { steps } = await documents.openRecording(ID);
  for (const name of ['OK', 'Größe']) {
    const records = toRecords((await documents.get(ID)).records);
    const changes = nameElement(records, steps[0]!.id, name, 'hand');
    await documents.apply(ID, { id: randomUUID(), label: name, changes }, ada.id);
  }
  await documents.undo(ID, ada.id);
  const archive = join(folders.make(), 'w.tar');
  await write({ workspace: from }, archive);
  const there = openDocuments(to, reviewGate());
  await take({ workspace: to, documents: there }, archive);
  expect(await there.get(ID)).toEqual(await documents.get(ID));
  expect(await linesSince(to.store, ID, 0)).toEqual(await linesSince(from.store, ID, 0));
  expect(await readReviewEvents(to.store, ID)).toEqual(await readReviewEvents(from.store, ID));
  expect((await to.listTasks()).map(({ id, goal }) => [id, goal])).toEqual([['GIMP_1', 'Crop the picture']]);
  await there.redo(ID, ada.id);
  // What goes out from there is what would have gone out here, but for what was done since.
  await documents.redo(ID, ada.id);
  const texts = async (workspace: Workspace) => (await carriedTexts(workspace, ID)).map(({ text }) => undated(text));
  expect(await texts(to)).toEqual(await texts(from));
  await documents.close();
  await there.close();
});

/** Without the time and the id of the last line, which was made twice. */
const undated = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');

test('two who open an empty database at once make one set of tables', async () => {
  const address = await postgres.make();
  const ends = await Promise.allSettled([openAt(newFolder(), address, true), openAt(newFolder(), address, true)]);
  // One folder gets it.
  expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await postgres.inside(address, "select count(*)::int as n from software where id = 'gimp'")).toEqual([
    { n: 1 },
  ]);
});
