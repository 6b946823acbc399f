import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { errorBody } from '../../schemas/errors.ts';
import { startS3, type TestS3 } from '../../test/support/s3.ts';
import { openBlobs } from '../files/blobs/open.ts';
import { wholeBytes } from '../files/kept/bytes.ts';
import { hasBytes, KEPT_LIST, keptList } from '../files/kept/list.ts';
import { contentKey, FILES_VARIABLE, filesPlace } from '../files/kept/place.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { bytesOfRecording, isReadyToKeep, keepRecording } from './bytes.ts';
import { openFolder } from './closed.ts';
import { cutKeyframes } from './cut.ts';
import { filmedForTests, greyAt, LARGE } from './filmed-for-tests.ts';
import { framePictures } from './frames.ts';
import { removeVoice, voiceOf } from './voice.ts';

/** Large files of a closed recording in another place: moved without a loss, and read from there as if they were here. */

const lasting = temporaryFolders();
const folders = temporaryFolders();
let made: string;
let s3: TestS3;
let places = 0;
let folder: string;

beforeAll(async () => {
  made = await filmedForTests(lasting.make());
  s3 = await startS3(lasting.make());
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
});
beforeEach(() => {
  folder = join(folders.make(), 'recordings', '3f2a9c1e');
  cpSync(made, folder, { recursive: true });
  s3.fault = null;
});
afterEach(() => folders.clean());
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  lasting.clean();
});

const KINDS = ['a folder', 'S3'] as const;
function place(kind: (typeof KINDS)[number]): string {
  const address = kind === 'S3' ? `s3://${s3.bucket}/kept-${places++}` : folders.make();
  vi.stubEnv(FILES_VARIABLE, address);
  return address;
}

const calm = { signal: new AbortController().signal, report: () => undefined };
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const original = (name: string): Buffer => readFileSync(join(made, name));
async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
const refusal = async (work: Promise<unknown>) =>
  errorBody(
    await work.then(
      () => new Error('It was not refused.'),
      (error: unknown) => error,
    ),
  );
const isHere = (name: string): boolean => existsSync(join(folder, name));

describe.each(KINDS)('in %s', (kind) => {
  test('they leave the folder, and everything is read as before: whole, by ranges, as a file', async () => {
    const address = place(kind);
    const stills = readdirSync(join(folder, 'keyframes'));
    expect(isReadyToKeep(folder)).toBe(true);
    const bytes = LARGE.reduce((sum, name) => sum + original(name).length, 0);
    expect(await keepRecording(folder, calm)).toEqual({ files: 3, bytes });
    expect(LARGE.filter(isHere)).toEqual([]);
    expect(readdirSync(join(folder, 'keyframes'))).toEqual(stills);
    expect(isReadyToKeep(folder)).toBe(false);
    // Each lies there once, under its hash.
    const blobs = await openBlobs(address);
    expect((await blobs.list({ prefix: 'content/' })).keys).toEqual(
      LARGE.map((name) => contentKey(sha256(original(name)))).sort(),
    );
    const there = bytesOfRecording(folder);
    for (const name of LARGE) {
      expect(hasBytes(folder, name)).toBe(true);
      expect((await there.stat(name))?.size).toBe(original(name).length);
      expect((await there.get(name)).equals(original(name))).toBe(true);
      expect((await bytesOf(there.range(name, { start: 7, end: 99 }))).equals(original(name).subarray(7, 100))).toBe(
        true,
      );
      expect((await bytesOf(wholeBytes(folder, name))).equals(original(name))).toBe(true);
    }
    const closed = openFolder(folder);
    expect(closed.now()).toEqual(openFolder(made).now());
    expect(closed.files()).toEqual(openFolder(made).files());
    expect(await voiceOf(folder)).toEqual(await voiceOf(made));
  });

  test('pictures are cut from a video that is there', async () => {
    place(kind);
    await keepRecording(folder, calm);
    const frames = framePictures(findFfmpeg);
    try {
      const closed = openFolder(folder);
      for (const i of [2, 17, 25]) {
        const { data } = await sharp(await frames.get(folder, closed, i))
          .raw()
          .toBuffer({ resolveWithObject: true });
        expect(data[0]).toBe(greyAt(i));
      }
      rmSync(join(folder, 'keyframes'), { recursive: true });
      await cutKeyframes(folder, await findFfmpeg());
      expect(readdirSync(join(folder, 'keyframes'))).toEqual(readdirSync(join(made, 'keyframes')));
      expect(isHere('screen.mkv')).toBe(false);
    } finally {
      await frames.close();
    }
  });

  test('sound that is deleted is deleted there, but not what another recording has too', async () => {
    const blobs = await openBlobs(place(kind));
    const twin = join(folder, '..', 'twin');
    cpSync(folder, twin, { recursive: true });
    for (const one of [folder, twin]) await keepRecording(one, calm);
    const key = contentKey(sha256(original('voice.wav')));
    expect((await removeVoice(folder)).sound).toBeNull();
    expect(await blobs.stat(key)).not.toBeNull();
    expect((await voiceOf(twin)).sound).not.toBeNull();
    await removeVoice(twin);
    expect(await blobs.stat(key)).toBeNull();
    expect(keptList(twin)?.files.map(({ path }) => path)).toEqual(['screen.mkv', 'screen.mp4']);
  });

  test('killed at any moment every byte is in one of both, and the next try ends it', async () => {
    place(kind);
    const names = new Map(LARGE.map((name) => [name, sha256(original(name))]));
    for (let n = 0; n < 6 && LARGE.some(isHere); n++) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'keep-forever-for-tests.ts'), folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = new Promise((resolve) => child.once('exit', resolve));
      await new Promise((begun) => child.stdout.once('data', begun));
      await sleep(n * 25);
      child.kill('SIGKILL');
      await gone;
      for (const [name, hash] of names) expect(sha256(await bytesOfRecording(folder).get(name)), name).toBe(hash);
    }
    await keepRecording(folder, calm);
    expect(LARGE.filter(isHere)).toEqual([]);
    for (const [name, hash] of names) expect(sha256(await bytesOfRecording(folder).get(name)), name).toBe(hash);
  });

  test('two that begin at once at an empty place make one place', async () => {
    const address = place(kind);
    // The second one's place comes after the first one has read its own.
    let asked = 0;
    s3.fault = ({ method, url }) => (method === 'PUT' && url.endsWith('place.json') && ++asked === 2 ? 'refuse' : null);
    const places = [];
    for (const one of [address, `${address}/`]) {
      vi.stubEnv(FILES_VARIABLE, one);
      places.push(filesPlace());
    }
    const [first, second] = await Promise.all(places);
    expect(first?.id).toBe(second?.id);
    expect(first?.id).toBe((await filesPlace())?.id);
  });

  test('what came there wrong is not believed, and what was there wrong is sent again', async () => {
    const blobs = await openBlobs(place(kind));
    const video = original('screen.mkv');
    const key = contentKey(sha256(video));
    await blobs.put(
      'place.json',
      '{"schema":"trajectory-studio/files-place","version":1,"id":"6f0a3c1e-8f1b-4c7d-9a55-0d6d3b1c2e4f"}',
    );
    const wrong = Buffer.from(video);
    wrong[100] = wrong[100]! ^ 1;
    await blobs.put(key, wrong);
    await keepRecording(folder, calm);
    expect((await blobs.get(key)).equals(video)).toBe(true);
    // Spoilt later: whoever needs the whole is told, and gets nothing else.
    await blobs.put(key, wrong);
    for (const work of [
      () => bytesOfRecording(folder).local('screen.mkv'),
      () => bytesOf(wholeBytes(folder, 'screen.mkv')),
    ])
      expect(await refusal(work())).toMatchObject({
        code: 'BAD_FILE',
        message: expect.stringContaining('not what was sent'),
      });
  });
});

describe('on S3', () => {
  test.each(['lose', 'halve', 'refuse'] as const)('each request that falters (%s) is done again', async (fault) => {
    place('S3');
    const seen = new Map<string, number>();
    s3.fault = ({ method, url }) => {
      const n = seen.get(`${method} ${url}`) ?? 0;
      seen.set(`${method} ${url}`, n + 1);
      return n === 0 ? fault : null;
    };
    await keepRecording(folder, calm);
    expect(LARGE.filter(isHere)).toEqual([]);
    for (const name of LARGE) expect((await bytesOfRecording(folder).get(name)).equals(original(name))).toBe(true);
  });

  test('a place that takes nothing is said, and all stays here', async () => {
    place('S3');
    await keepRecording(join(folder, '..', 'none'), calm).catch(() => undefined);
    s3.fault = ({ method }) => (method === 'PUT' ? 'refuse' : null);
    const error = await refusal(keepRecording(folder, calm));
    expect(error).toMatchObject({ code: 'DISK_FAILED', message: expect.stringContaining('500') });
    expect(LARGE.filter(isHere)).toEqual(LARGE);
    expect(isHere(KEPT_LIST)).toBe(false);
  });

  test('a bucket without rights and one that is not there are told apart', async () => {
    place('S3');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'other');
    expect((await refusal(keepRecording(folder, calm))).code).toBe('NO_PERMISSION');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3.env.AWS_SECRET_ACCESS_KEY);
    vi.stubEnv(FILES_VARIABLE, 's3://not-there/x');
    expect((await refusal(keepRecording(folder, calm))).message).toContain('There is no bucket "not-there"');
    expect(LARGE.filter(isHere)).toEqual(LARGE);
  });
});

test.each(['HEAD', 'GET', 'PUT'])(
  'a bucket without the right to %s takes nothing away, and goes on once it has it',
  async (denied) => {
    place('S3');
    s3.fault = ({ method }) => (method === denied ? 'deny' : null);
    expect((await refusal(keepRecording(folder, calm))).code).toBe('NO_PERMISSION');
    expect(LARGE.filter(isHere)).toEqual([...LARGE]);
    expect(isHere(KEPT_LIST)).toBe(false);
    s3.fault = null;
    expect((await keepRecording(folder, calm)).files).toBe(3);
    // Gone from there later: what is kept is said to be out of reach, and nothing is taken for lost.
    s3.fault = () => 'deny';
    expect((await refusal(bytesOf(wholeBytes(folder, 'screen.mkv')))).code).toBe('NO_PERMISSION');
    s3.fault = null;
    expect((await bytesOf(wholeBytes(folder, 'screen.mkv'))).equals(original('screen.mkv'))).toBe(true);
  },
);

test('without the place, or with another, it is said where they are', async () => {
  const address = place('a folder');
  await keepRecording(folder, calm);
  vi.stubEnv(FILES_VARIABLE, '');
  const without = await refusal(bytesOfRecording(folder).get('screen.mkv'));
  expect(without).toMatchObject({ code: 'USAGE', message: expect.stringContaining(`--files ${address}`) });
  place('a folder');
  expect((await refusal(bytesOfRecording(folder).get('screen.mkv'))).message).toContain('is another place');
  // A copy that was made anew here counts, and goes nowhere else.
  writeFileSync(join(folder, 'screen.mp4'), 'new');
  expect((await bytesOfRecording(folder).get('screen.mp4')).toString()).toBe('new');
  expect((await refusal(keepRecording(folder, calm))).message).toContain('are in');
  expect(isHere('screen.mp4')).toBe(true);
});

test('a place with other things, and a list that is none, are refused', async () => {
  const address = place('a folder');
  await keepRecording(folder, calm);
  const list = join(folder, KEPT_LIST);
  renameSync(list, `${list}-kept`);
  for (const text of ['', '{"files":[]}', `{"schema":"trajectory-studio/kept-files","version":2}`]) {
    writeFileSync(list, text);
    expect(['BAD_FILE', 'FUTURE_VERSION']).toContain((await refusal(bytesOfRecording(folder).get('screen.mkv'))).code);
    expect(hasBytes(folder, 'screen.mkv')).toBe(false);
  }
  rmSync(join(address, 'place.json'));
  renameSync(`${list}-kept`, list);
  vi.stubEnv(FILES_VARIABLE, `${address}/`);
  expect((await refusal(bytesOfRecording(folder).get('screen.mkv'))).code).toBe('TARGET_EXISTS');
});

test('a recording that waits for its copy, is open, or has no pictures yet is left alone', async () => {
  place('a folder');
  for (const spoil of [
    () => writeFileSync(join(folder, '.playback-wanted'), ''),
    () => rmSync(join(folder, 'keyframes', 'index.json')),
    () =>
      writeFileSync(
        join(folder, 'recording.json'),
        original('recording.json').toString().replace('"closed"', '"recording"'),
      ),
  ]) {
    rmSync(folder, { recursive: true });
    cpSync(made, folder, { recursive: true });
    spoil();
    expect(await keepRecording(folder, calm)).toEqual({ files: 0, bytes: 0 });
    expect(LARGE.filter(isHere)).toEqual(LARGE);
  }
});
