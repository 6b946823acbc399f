import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FILE_ROUTES } from '../../schemas/api/routes.ts';
import { startS3, type TestS3 } from '../../test/support/s3.ts';
import { until } from '../../test/support/until.ts';
import { FILES_VARIABLE } from '../files/kept/place.ts';
import { filmedForTests, LARGE } from '../recordings/filmed-for-tests.ts';
import { makeBackup } from '../store/backups/make.ts';
import { restoreBackup } from '../store/backups/restore.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { startTestServer, type TestServer } from './server-for-tests.ts';

/** A server whose recordings' large files are in a bucket: pages, exports, archives and backups do not see a difference. */

const ID = '3f2a9c1e';
const folders = temporaryFolders();
let s3: TestS3;
let server: TestServer;
let ws: string;
let dir: string;
let recording: string;
const before = new Map<string, Buffer>();
/** Made while all files were in the folder. */
const earlier: Record<string, string> = {};

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

beforeAll(async () => {
  s3 = await startS3(folders.make());
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
  const folder = folders.make();
  dir = join(folder, 'workspace');
  server = await startTestServer(folder);
  const { id } = await server.client.workspaces.open({ dir, create: true });
  ws = id;
  recording = await filmedForTests(join(dir, 'recordings'), ID);
  for (const name of LARGE) before.set(name, readFileSync(join(recording, name)));
  const open = await server.studio.workspaces.get(ws);
  await open.refresh({ now: true });
  earlier.archive = await archive('before.tar');
  earlier.version = await freeze('before');
  await server.studio.workspaces.drop(ws);
  vi.stubEnv(FILES_VARIABLE, `s3://${s3.bucket}/lab`);
});
afterAll(async () => {
  await server.close();
  vi.unstubAllEnvs();
  await s3.close();
  folders.clean();
});

async function finished(job: { id: string }): Promise<void> {
  const open = await server.studio.workspaces.get(ws);
  const { state, error } = await open.jobs.finished(job.id);
  expect([state, error]).toEqual(['done', null]);
}

async function archive(name: string): Promise<string> {
  const file = join(dir, '..', name);
  await finished(await server.client.archives.make({ ws, out: file, recordings: [ID], version: null, voice: true }));
  return sha256(file);
}

async function freeze(name: string): Promise<string> {
  await finished(await server.client.dataset.freeze({ ws, name, again: true }));
  const found = (await server.client.dataset.versions({ ws })).versions.find((one) => one.name === name);
  return String(found?.hash);
}

test('they go there by a job of the server, and are shown as before', async () => {
  // The next question opens it anew, with the place.
  await server.client.recordings.list({ ws });
  await until('the files are gone', () => LARGE.every((name) => !existsSync(join(recording, name))));
  const jobs = await server.client.jobs.list({ ws });
  expect(jobs.find(({ kind }) => kind === 'keep')).toMatchObject({ state: 'done', subject: ID });
  const opened = await server.client.recordings.open({ ws, recording: ID });
  expect(opened).toMatchObject({ playback: true, warnings: [] });
  for (const [path, name] of [
    [FILE_ROUTES.playback(ws, ID), 'screen.mp4'],
    [`/files/${ws}/recordings/${ID}/voice.wav`, 'voice.wav'],
  ] as const) {
    const all = before.get(name)!;
    const whole = await server.fetch(path);
    expect(whole.headers.get('content-length')).toBe(String(all.length));
    expect(Buffer.from(await whole.arrayBuffer()).equals(all)).toBe(true);
    s3.asked.length = 0;
    const part = await server.fetch(path, { headers: { range: 'bytes=1000-1999' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${all.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(all.subarray(1000, 2000))).toBe(true);
    const known = await server.fetch(path, { headers: { 'if-none-match': part.headers.get('etag') ?? '' } });
    expect(known.status).toBe(304);
  }
  const picture = await server.fetch(FILE_ROUTES.frame(ws, ID, 21));
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('an archive and a frozen version are those that they were', async () => {
  expect(await archive('after.tar')).toBe(earlier.archive);
  expect(await freeze('after')).toBe(earlier.version);
});

test('a backup holds them, and what is restored has them itself', async () => {
  const calm = { signal: new AbortController().signal, report: () => undefined };
  const place = join(folders.make(), 'backups');
  expect(await makeBackup(dir, place, { ...calm, tool: '1', now: new Date() })).toMatchObject({ leftOut: [] });
  const again = join(folders.make(), 'again');
  await restoreBackup(place, again, { ...calm, id: null });
  const restored = join(again, 'recordings', ID);
  for (const name of LARGE) expect(readFileSync(join(restored, name)).equals(before.get(name)!)).toBe(true);
  expect(readdirSync(restored)).not.toContain('.kept.json');
});

test('a bucket that does not answer is said by the answer, and the rest works', async () => {
  rmSync(join(recording, 'derived'), { recursive: true });
  s3.fault = () => 'refuse';
  const film = await server.fetch(FILE_ROUTES.playback(ws, ID));
  expect(film.status).toBe(503);
  const { message, code } = (await film.json()) as { message: string; code: string };
  expect([code, message]).toEqual(['DISK_FAILED', expect.stringContaining('s3://')]);
  expect((await server.client.recordings.open({ ws, recording: ID })).steps).toHaveLength(1);
  s3.fault = null;
  expect((await server.fetch(FILE_ROUTES.playback(ws, ID))).status).toBe(200);
});
