import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../test/support/postgres.ts';
import { startS3, type TestS3 } from '../../../test/support/s3.ts';
import { errorOf } from '../../documents/clicks-for-tests.ts';
import { addPerson, listPeople } from '../people.ts';
import { DATABASE_VARIABLE, openPlace } from '../place.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../recording-for-tests.ts';
import type { Workspace } from '../workspace.ts';
import { DATABASE_FILE, ELSEWHERE_FILE } from '../workspace-file.ts';
import { checkBackups } from './kept.ts';
import { makeBackup } from './make.ts';
import { restoreBackup } from './restore.ts';

/** Backups of a workspace whose database is in PostgreSQL, and restores into one. */

const folders = temporaryFolders();
const opened: Workspace[] = [];
let postgres: TestPostgres;
let s3: TestS3;
let places = 0;

beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3(folders.make())]);
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
});
afterEach(() => {
  for (const workspace of opened.splice(0)) workspace.close();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  postgres?.stop();
  await s3?.close();
  folders.clean();
});

const calm = { signal: new AbortController().signal, report: () => undefined };
const backup = (dir: string, place: string, address: string) => {
  vi.stubEnv(DATABASE_VARIABLE, address);
  return makeBackup(dir, place, { ...calm, tool: '1', now: new Date() });
};
const restore = (place: string, dir: string, more: object = {}) =>
  restoreBackup(place, dir, { ...calm, id: null, ...more });

async function openAt(dir: string, address: string | undefined, create = false): Promise<Workspace> {
  vi.stubEnv(DATABASE_VARIABLE, address);
  const workspace = await openPlace(dir, { create });
  opened.push(workspace);
  return workspace;
}

async function filled() {
  const address = await postgres.make();
  const dir = join(folders.make(), 'lab');
  const workspace = await openAt(dir, address, true);
  writeSample(workspace.recordingsDir, sampleRecording({ id: 'rec-a' }));
  writeFileSync(join(workspace.recordingsDir, 'rec-a', 'screen.mkv'), 'a film');
  await workspace.syncIndex();
  await addPerson(workspace.store, { name: 'Ada Größe', email: null });
  return { address, dir, workspace };
}

async function namesIn(dir: string, address: string | undefined): Promise<string[]> {
  const workspace = await openAt(dir, address);
  const people = await listPeople(workspace.store);
  return [...people.map(({ name }) => name), ...(await workspace.listRecordings()).map(({ id }) => id)];
}

test.each(['a folder', 'S3'])('in %s: it comes back on either engine, and from there again', async (kind) => {
  const { address, dir, workspace } = await filled();
  const place = kind === 'S3' ? `s3://${s3.bucket}/${places++}` : join(folders.make(), 'backups');
  await backup(dir, place, address);
  await addPerson(workspace.store, { name: 'Ben', email: null });
  const [here, there] = [join(folders.make(), 'here'), join(folders.make(), 'there')];
  expect(await restore(place, here)).toMatchObject({ database: null });
  expect(await namesIn(here, undefined)).toEqual(['Ada Größe', 'rec-a']);
  const other = await postgres.make();
  const restored = await restore(place, there, { database: other.replace('studio@', 'studio:secret@') });
  expect(restored.database).toMatch(/^postgres:\/\/127/);
  expect(readdirSync(there)).toContain(ELSEWHERE_FILE);
  expect(readdirSync(there).filter((name) => name.startsWith(DATABASE_FILE))).toEqual([]);
  expect(await namesIn(there, other)).toEqual(['Ada Größe', 'rec-a']);
  // Both go on by themselves: neither folder opens with the other's database.
  expect((await errorOf(openAt(there, address))).code).toBe('NOT_A_WORKSPACE');
  await backup(there, place, other);
  const again = join(folders.make(), 'again');
  await restore(place, again);
  expect(await namesIn(again, undefined)).toEqual(['Ada Größe', 'rec-a']);
});

test('without an address it says how to give one, and with another database that it is another', async () => {
  const { address, dir } = await filled();
  const place = join(folders.make(), 'backups');
  expect(await errorOf(backup(dir, place, ''))).toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining(DATABASE_VARIABLE),
  });
  expect((await errorOf(backup(dir, place, await postgres.make()))).code).toBe('NOT_A_WORKSPACE');
  await backup(dir, place, address);
  // Into a database that holds something: before a file is brought.
  const target = join(folders.make(), 'w');
  const refused = await errorOf(restore(place, target, { database: address }));
  expect(refused).toMatchObject({ code: 'TARGET_EXISTS', message: expect.stringContaining('not empty') });
  expect(existsSync(target)).toBe(false);
});

test('a restore that ends after the database was filled goes on with the same database', async () => {
  const { address, dir } = await filled();
  const place = join(folders.make(), 'backups');
  await backup(dir, place, address);
  const target = join(folders.make(), 'w');
  const database = await postgres.make();
  // Somebody takes the folder's name while the database is filled.
  const report = (_: number, message: string): void => {
    if (message !== 'filling the database') return;
    mkdirSync(target);
    writeFileSync(join(target, 'holiday.jpg'), 'x');
  };
  expect((await errorOf(restore(place, target, { database, report }))).code).toBe('TARGET_EXISTS');
  rmSync(target, { recursive: true });
  // It is that folder's now, and no other's.
  expect((await errorOf(restore(place, join(dirname(target), 'v'), { database }))).code).toBe('TARGET_EXISTS');
  await restore(place, target, { database });
  expect(await namesIn(target, database)).toEqual(['Ada Größe', 'rec-a']);
});

test('killed at any moment, a backup leaves earlier ones whole and a database that others go on working with', async () => {
  const { address, dir, workspace } = await filled();
  const place = join(folders.make(), 'backups');
  await backup(dir, place, address);
  for (let n = 0; n < 4; n++) {
    await addPerson(workspace.store, { name: `Person ${n}`, email: null });
    const child = spawn(process.execPath, [join(import.meta.dirname, 'backup-forever-for-tests.ts'), dir, place], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [DATABASE_VARIABLE]: address },
    });
    await new Promise((begun) => child.stdout.once('data', begun));
    await new Promise((later) => setTimeout(later, 30 * n));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    await addPerson(workspace.store, { name: `After ${n}`, email: null });
    expect(await checkBackups(place, calm)).toMatchObject({ damaged: [], unreadable: [] });
  }
  const open = await openAt(dir, address);
  expect(await listPeople(open.store)).toHaveLength(9);
  await backup(dir, place, address);
  const target = join(folders.make(), 'w');
  await restore(place, target);
  expect(await namesIn(target, undefined)).toHaveLength(10);
});
