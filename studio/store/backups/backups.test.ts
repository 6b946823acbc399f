import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import { startS3, type TestS3 } from '../../../test/support/s3.ts';
import { isTemporary } from '../../files/atomic.ts';
import { entriesBelow } from '../../files/inside.ts';
import { addPerson, listPeople } from '../people.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../recording-for-tests.ts';
import { smallDisk } from '../small-disk-for-tests.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { checkBackups, clearBackups, listBackups } from './kept.ts';
import { type MadeBackup, makeBackup } from './make.ts';
import { openBackups, whileWorking } from './place.ts';
import { restoreBackup } from './restore.ts';

const folders = temporaryFolders();
const opened: Workspace[] = [];
let s3: TestS3;
let places = 0;

beforeAll(async () => {
  s3 = await startS3(folders.make());
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
});
afterEach(() => {
  for (const workspace of opened.splice(0)) workspace.close();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  folders.clean();
});

const KINDS = ['a folder', 'S3'] as const;
type Kind = (typeof KINDS)[number];
const freshPlace = (kind: Kind): string =>
  kind === 'S3' ? `s3://${s3.bucket}/backups-${places++}` : join(folders.make(), 'backups');

const calm = { signal: new AbortController().signal, report: () => undefined };
const seconds = { at: 0 };
/** Each a second later than the one before. */
const make = (dir: string, place: string, more: object = {}): Promise<MadeBackup> =>
  makeBackup(dir, place, { ...calm, tool: '1', now: new Date(Date.UTC(2026, 10, 28, 7, 0, seconds.at++)), ...more });
const restore = (place: string, dir: string, more: object = {}) =>
  restoreBackup(place, dir, { ...calm, id: null, ...more });

/** A workspace with a recording, some files and a person. */
async function filled(): Promise<Workspace> {
  const workspace = openWorkspace(join(folders.make(), 'lab'), { create: true });
  opened.push(workspace);
  writeSample(workspace.recordingsDir, sampleRecording({ id: 'rec-a' }));
  writeFileSync(join(workspace.recordingsDir, 'rec-a', 'screen.mkv'), randomBytes(300_000));
  mkdirSync(join(workspace.recordingsDir, 'rec-a', 'derived'));
  writeFileSync(join(workspace.recordingsDir, 'rec-a', 'derived', 'recording.jsonl'), 'made again');
  mkdirSync(join(workspace.dir, 'attachments'));
  writeFileSync(join(workspace.dir, 'attachments', 'übung 日本.txt'), 'material');
  writeFileSync(join(workspace.dir, 'attachments', 'empty.txt'), '');
  await workspace.syncIndex();
  await addPerson(workspace.store, { name: 'Ada', email: null });
  return workspace;
}

/** Every file but the database, by its path. */
function contents(dir: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of entriesBelow(dir)) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || entry.name.startsWith('studio.sqlite') || path.includes('derived')) continue;
    found[path.slice(dir.length + 1)] = createHash('sha256').update(readFileSync(path)).digest('hex');
  }
  return found;
}

async function refusal(work: Promise<unknown>): Promise<ReturnType<typeof errorBody>> {
  return errorBody(
    await work.then(
      () => new Error('It was not refused.'),
      (error: unknown) => error,
    ),
  );
}

async function namesIn(dir: string): Promise<string[]> {
  const workspace = openWorkspace(dir, { create: false });
  const people = await listPeople(workspace.store);
  const recordings = await workspace.listRecordings();
  workspace.close();
  return [...people.map(({ name }) => name), ...recordings.map(({ id }) => id)];
}

describe.each(KINDS)('in %s', (kind) => {
  test('a workspace comes back as it was, at each of its backups, and only what is new is written', async () => {
    const workspace = await filled();
    const place = freshPlace(kind);
    const first = await make(workspace.dir, place);
    expect(first).toMatchObject({ files: 7, leftOut: [] });
    expect(first.newBytes).toBe(first.bytes);
    const before = contents(workspace.dir);
    writeFileSync(join(workspace.recordingsDir, 'rec-a', 'notes.txt'), 'added later');
    await addPerson(workspace.store, { name: 'Ben', email: null });
    const second = await make(workspace.dir, place);
    expect(second.newBytes).toBeLessThan(first.bytes - 300_000);
    const [old, latest] = [join(folders.make(), 'old'), join(folders.make(), 'latest')];
    expect(await restore(place, old, { id: first.id })).toMatchObject({ id: first.id, files: 7, kept: 0 });
    expect(await restore(place, latest)).toMatchObject({ id: second.id, files: 8 });
    expect(contents(old)).toEqual(before);
    expect(contents(latest)).toEqual(contents(workspace.dir));
    expect(await namesIn(old)).toEqual(['Ada', 'rec-a']);
    expect(await namesIn(latest)).toEqual(['Ada', 'Ben', 'rec-a']);
    expect(statSync(latest).mode & 0o077).toBe(0);
    expect((await listBackups(place)).backups.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(await checkBackups(place, calm)).toMatchObject({ backups: 2, damaged: [], unreadable: [] });
  });

  test('the newest are kept, and files that only older ones name go', async () => {
    const workspace = await filled();
    const place = freshPlace(kind);
    const note = join(workspace.recordingsDir, 'rec-a', 'notes.txt');
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      writeFileSync(note, text);
      ids.push((await make(workspace.dir, place)).id);
    }
    const cleared = await clearBackups(place, 2, calm);
    expect(cleared).toMatchObject({ removed: ids.slice(0, 1), left: ids.slice(1), files: 1 });
    expect(await checkBackups(place, calm)).toMatchObject({ backups: 2, damaged: [] });
    await restore(place, join(folders.make(), 'w'), { id: ids[1] });
    expect((await refusal(restore(place, join(folders.make(), 'w'), { id: ids[0] }))).code).toBe('UNKNOWN_FILE');
  });
});

test('killed at any moment, a backup leaves all earlier ones whole, and the next one is made', async () => {
  const workspace = await filled();
  const place = freshPlace('a folder');
  const first = await make(workspace.dir, place);
  const before = contents(workspace.dir);
  for (let n = 0; n < 4; n++) {
    writeFileSync(join(workspace.recordingsDir, 'rec-a', `more-${n}.bin`), randomBytes(3_000_000));
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'backup-forever-for-tests.ts'), workspace.dir, place],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await new Promise((begun) => child.stdout.once('data', begun));
    await new Promise((later) => setTimeout(later, 40 * n));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    expect(await checkBackups(place, calm)).toMatchObject({ damaged: [], unreadable: [] });
  }
  const last = await make(workspace.dir, place);
  // The dead ones hold up no clearing.
  await clearBackups(place, 1000, calm);
  // Half a file may be of a writer that lives: it is swept when it is an hour old.
  expect(readdirSync(join(place, 'working')).filter((name) => !isTemporary(name))).toEqual([]);
  const old = join(folders.make(), 'old');
  await restore(place, old, { id: first.id });
  expect(contents(old)).toEqual(before);
  const latest = join(folders.make(), 'latest');
  await restore(place, latest, { id: last.id });
  expect(contents(latest)).toEqual(contents(workspace.dir));
});

test('while others write, the database is that of one moment, and the files are those that it names', async () => {
  const workspace = await filled();
  const place = freshPlace('a folder');
  let isDone = false;
  const writing = (async () => {
    for (let n = 0; !isDone; n++) {
      // As the studio does: the file first, the row that names it after it.
      writeFileSync(join(workspace.dir, 'attachments', `person ${n}.txt`), `${n}`);
      await addPerson(workspace.store, { name: `person ${n}`, email: null });
      await new Promise((next) => setTimeout(next, 4));
    }
  })();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await make(workspace.dir, place)).id);
  isDone = true;
  await writing;
  for (const id of ids) {
    const dir = join(folders.make(), 'w');
    await restore(place, dir, { id });
    const files = new Set(readdirSync(join(dir, 'attachments')));
    const people = (await namesIn(dir)).filter((name) => name.startsWith('person '));
    expect(people.every((name) => files.has(`${name}.txt`))).toBe(true);
    expect(people.toSorted()).toEqual(people.map((_, n) => `person ${n}`).toSorted());
  }
});

test('an interrupted restore goes on where it stopped, and until then no folder looks like a workspace', async () => {
  const workspace = await filled();
  const place = freshPlace('a folder');
  await make(workspace.dir, place);
  const dir = join(folders.make(), 'w');
  const control = new AbortController();
  const report = (share: number): void => {
    if (share > 0.2) control.abort(new StudioError('CANCELLED', 'It was stopped.', {}));
  };
  expect((await refusal(restore(place, dir, { signal: control.signal, report }))).code).toBe('CANCELLED');
  expect(existsSync(dir)).toBe(false);
  const restored = await restore(place, dir);
  expect(restored.kept).toBeGreaterThan(0);
  expect(contents(dir)).toEqual(contents(workspace.dir));
  expect(readdirSync(dirname(dir))).toEqual(['w']);
  expect((await refusal(restore(place, dir))).code).toBe('TARGET_EXISTS');
});

test('a damaged or missing file is found by name, and what needs it is not restored', async () => {
  const workspace = await filled();
  const place = freshPlace('a folder');
  const { id } = await make(workspace.dir, place);
  const video = createHash('sha256')
    .update(readFileSync(join(workspace.recordingsDir, 'rec-a', 'screen.mkv')))
    .digest('hex');
  const kept = join(place, 'files', video.slice(0, 2), video);
  const content = readFileSync(kept);
  content[1000]! ^= 1;
  for (const [damage, why] of [
    [() => writeFileSync(kept, content), 'others than were backed up'],
    [() => truncateSync(kept, 10), 'has 10 bytes in place of 300000'],
    [() => rmSync(kept), 'missing'],
  ] as const) {
    damage();
    const { damaged } = await checkBackups(place, calm);
    expect(damaged).toEqual([
      { sha256: video, why: expect.stringContaining(why), path: 'recordings/rec-a/screen.mkv', backups: [id] },
    ]);
    const dir = join(folders.make(), 'w');
    const error = await refusal(restore(place, dir));
    expect(error).toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('screen.mkv') });
    expect(existsSync(dir)).toBe(false);
  }
  // A file that the place lost is written again, though it has not changed since.
  await make(workspace.dir, place);
  expect((await checkBackups(place, calm)).damaged).toEqual([]);
});

test('a recording that is being made is left out until it is closed, a link is never followed', async () => {
  const workspace = await filled();
  const outside = join(folders.make(), 'secret.txt');
  writeFileSync(outside, 'of somebody else');
  symlinkSync(outside, join(workspace.dir, 'attachments', 'link.txt'));
  writeSample(workspace.recordingsDir, sampleRecording({ id: 'rec-b', state: 'recording' }));
  const lock = workspace.lockRecorder();
  const place = freshPlace('a folder');
  expect((await make(workspace.dir, place)).leftOut).toEqual([
    { path: 'attachments/link.txt', why: expect.stringContaining('link') },
    { path: 'recordings/rec-b', why: 'it is being recorded; the next backup has it' },
  ]);
  lock.release();
  expect((await make(workspace.dir, place)).leftOut).toHaveLength(1);
  const dir = join(folders.make(), 'w');
  await restore(place, dir);
  expect(Object.keys(contents(dir))).toContain('recordings/rec-b/recording.json');
  expect(existsSync(join(dir, 'attachments', 'link.txt'))).toBe(false);
});

test('a place, a list or a version that is none of ours is refused with its reason', async () => {
  const workspace = await filled();
  const place = freshPlace('a folder');
  const code = async (work: Promise<unknown>): Promise<string> => (await refusal(work)).code;
  expect(await code(make(workspace.dir, join(workspace.dir, 'backups')))).toBe('USAGE');
  expect(await code(make(folders.make(), place))).toBe('NOT_A_WORKSPACE');
  expect(await code(make(workspace.dir, workspace.recordingsDir.replace(/recordings$/, '')))).toBe('USAGE');
  const taken = folders.make();
  writeFileSync(join(taken, 'holiday.jpg'), 'x');
  expect(await code(make(workspace.dir, taken))).toBe('TARGET_EXISTS');
  expect(await code(restore(taken, join(folders.make(), 'w')))).toBe('BAD_FILE');
  const { id } = await make(workspace.dir, place);
  const list = join(place, 'backups', `${id}.json`);
  const text = readFileSync(list, 'utf8');
  const backup = JSON.parse(text) as { files: { path: string }[]; version: number };
  const climbing = { ...backup, files: [{ ...backup.files[0], path: '../../evil.txt' }] };
  writeFileSync(list, JSON.stringify(climbing));
  const dir = join(folders.make(), 'w');
  expect(await refusal(restore(place, dir))).toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringContaining('../../evil.txt'),
  });
  expect(existsSync(dir)).toBe(false);
  writeFileSync(list, JSON.stringify({ ...backup, version: 2 }));
  expect(await code(restore(place, dir))).toBe('FUTURE_VERSION');
  writeFileSync(list, text.slice(0, 200));
  expect(await code(restore(place, dir))).toBe('BAD_FILE');
  expect((await listBackups(place)).unreadable).toEqual([{ id, why: expect.any(String) }]);
  // Such a list may name any file.
  const error = await refusal(clearBackups(place, 1, calm));
  expect(error).toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('Nothing was removed') });
  writeFileSync(list, text);
  expect((await checkBackups(place, calm)).damaged).toEqual([]);
});

test('old backups are not cleared away while one is made', async () => {
  const workspace = await filled();
  const place = freshPlace('a folder');
  await make(workspace.dir, place);
  const blobs = await openBackups(place);
  const error = await whileWorking(blobs, 'backup', () => refusal(clearBackups(place, 1, calm)));
  expect(error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('a backup is being made') });
  const other = await whileWorking(blobs, 'clearing', () => refusal(make(workspace.dir, place)));
  expect(other).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('are being cleared away') });
  // Two backups at once share what they write.
  await whileWorking(blobs, 'backup', () => make(workspace.dir, place));
  await clearBackups(place, 1, calm);
});

test('a full disk ends a backup with its name, and leaves the earlier one', async () => {
  const workspace = await filled();
  const mount = join(folders.make(), 'disk');
  const disk = smallDisk(mount, 3 << 20);
  if (disk === null) return; // This user may mount nothing.
  try {
    const place = join(mount, 'backups');
    await make(workspace.dir, place);
    writeFileSync(join(workspace.recordingsDir, 'rec-a', 'long.mkv'), randomBytes(4 << 20));
    expect((await refusal(make(workspace.dir, place))).code).toBe('DISK_FULL');
    expect(await checkBackups(place, calm)).toMatchObject({ backups: 1, damaged: [] });
    await restore(place, join(folders.make(), 'w'));
  } finally {
    disk.remove();
  }
});
