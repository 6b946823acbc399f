import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorBody } from '../../../schemas/errors.ts';
import { startS3, type TestS3 } from '../../../test/support/s3.ts';
import type { Blobs } from './blobs.ts';
import { openBlobs } from './open.ts';
import { s3Blobs } from './s3.ts';

/** What S3 answers when it falters, and what is made of it. */

const folder = mkdtempSync(join(tmpdir(), 'studio-s3-'));
let s3: TestS3;
let blobs: Blobs;
let places = 0;

beforeAll(async () => {
  s3 = await startS3(folder);
});
afterAll(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  places += 1;
  blobs = await opened();
});
afterEach(() => {
  s3.fault = null;
  s3.encodesKeys = true;
});

const PARTS = 5 << 20;

/** As openBlobs, with less patience. `over`: other access. */
const opened = (over: Partial<Parameters<typeof s3Blobs>[0]> = {}, silenceMs = 60_000): Promise<Blobs> =>
  s3Blobs(
    {
      endpoint: s3.env.AWS_ENDPOINT_URL ?? '',
      bucket: s3.bucket,
      prefix: `p${places}`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      ...over,
    },
    { patience: { tries: 4, waitMs: 5, silenceMs, slowest: 50_000 }, partBytes: PARTS },
  );

const refusal = async (work: Promise<unknown>): Promise<ReturnType<typeof errorBody>> =>
  errorBody(
    await work.then(
      () => new Error('It was not refused.'),
      (error: unknown) => error,
    ),
  );

/** Each kind of request falters so often before it is done. */
function falterEach(fault: 'refuse' | 'cut' | 'lose' | 'halve' | 'hang', times: number): void {
  const left = new Map<string, number>();
  s3.fault = ({ method, url }) => {
    const asked = `${method} ${url.replace(/uploadId=[^&]*/, 'uploadId')}`;
    const before = left.get(asked) ?? 0;
    left.set(asked, before + 1);
    return before < times ? fault : null;
  };
}

describe.each(['refuse', 'cut', 'lose', 'halve', 'hang'] as const)(
  'when each request falters (%s) and is done at the next try',
  (fault) => {
    test('everything is as if it had not', async () => {
      if (fault === 'hang') blobs = await opened({}, 1000);
      const large = randomBytes(2 * PARTS + 7);
      falterEach(fault, fault === 'hang' ? 1 : 2);
      await blobs.put('large', large);
      await blobs.put('small', 'a few words');
      expect((await blobs.get('small')).toString()).toBe('a few words');
      expect((await blobs.get('large')).equals(large)).toBe(true);
      expect((await blobs.stat('large'))?.size).toBe(large.length);
      expect((await blobs.list()).keys).toEqual(['large', 'small']);
      await blobs.remove('small');
      expect((await blobs.list()).keys).toEqual(['large']);
    });
  },
);

test('what never answers well is given up with words that say where and why, and nothing of it is kept', async () => {
  await blobs.put('kept', 'as it was');
  s3.fault = ({ method }) => (method === 'PUT' ? 'refuse' : null);
  for (const data of ['short', Buffer.alloc(PARTS * 2)]) {
    const error = await refusal(blobs.put('kept', data));
    expect(error.code).toBe('DISK_FAILED');
    expect(error.message).toMatch(
      /^s3:\/\/studio-test at http\S+ did not do PUT p\d+\/kept in 4 tries: it answered 500 \(InternalError\)\. Check/,
    );
  }
  // The upload that was begun was ended.
  expect(s3.asked.some((asked) => /^DELETE .*uploadId=/.test(asked))).toBe(true);
  s3.fault = null;
  expect((await blobs.get('kept')).toString()).toBe('as it was');
});

test('bytes of which only half arrive leave what was there, or nothing', async () => {
  await blobs.put('kept', 'as it was');
  s3.fault = ({ method }) => (method === 'PUT' ? 'cut' : null);
  for (const key of ['kept', 'new']) expect((await refusal(blobs.put(key, 'another text'))).code).toBe('DISK_FAILED');
  expect((await refusal(blobs.putNew('new', 'another text'))).code).toBe('DISK_FAILED');
  s3.fault = null;
  expect((await blobs.get('kept')).toString()).toBe('as it was');
  expect((await blobs.list()).keys).toEqual(['kept']);
});

test('a server that does not know the condition of a new file takes it without', async () => {
  let asked = 0;
  s3.fault = ({ method }) => (method === 'PUT' && ++asked === 1 ? 'unknown' : null);
  expect(await blobs.putNew('new', 'a text')).toBe(true);
  expect((await blobs.get('new')).toString()).toBe('a text');
  expect(asked).toBe(2);
});

test('a film whose answers break off again and again is read on where it stopped', async () => {
  const film = randomBytes(3 << 20);
  await blobs.put('film', film);
  s3.asked.length = 0;
  s3.fault = ({ count }) => (count < 7 ? 'halve' : null);
  expect((await blobs.get('film')).equals(film)).toBe(true);
  expect(s3.asked.length).toBeGreaterThan(4);
});

test('a film that is put anew while it is read is not mixed', async () => {
  await blobs.put('film', Buffer.alloc(6 << 20, 1));
  const reader = blobs.range('film').getReader();
  s3.fault = ({ method }) => (method === 'GET' ? 'halve' : null);
  const found = new Set<number>();
  const read = async (): Promise<void> => {
    for (let put = false; ; ) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const byte of value) found.add(byte);
      if (!put) await blobs.put('film', Buffer.alloc(6 << 20, 2));
      put = true;
    }
  };
  expect((await refusal(read())).code).toBe('CONFLICT');
  expect([...found]).toEqual([1]);
});

test('a server that does not encode keys in lists is understood', async () => {
  const keys = ['<a>&"b\'.txt', 'c d+e%20.txt'];
  for (const key of keys) await blobs.put(key, 'x');
  s3.encodesKeys = false;
  expect((await blobs.list()).keys).toEqual(keys);
});

test('wrong keys, a bucket that is not there and a server that is not there are told apart', async () => {
  const wrong = await opened({ secretAccessKey: 'other' });
  expect(await refusal(wrong.put('a', 'x'))).toMatchObject({
    code: 'NO_PERMISSION',
    message: expect.stringContaining('Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'),
  });
  const nowhere = await opened({ bucket: 'not-there' });
  for (const work of [() => nowhere.get('a'), () => nowhere.stat('a'), () => nowhere.list()])
    expect(await refusal(work())).toMatchObject({
      code: 'UNKNOWN_FILE',
      message: expect.stringContaining('There is no bucket "not-there"'),
    });
  expect((await refusal(nowhere.put('a', 'x'))).code).toBe('DISK_FAILED');
  const gone = await opened({ endpoint: 'http://127.0.0.1:9' });
  const error = await refusal(gone.get('a'));
  expect(error.code).toBe('DISK_FAILED');
  expect(error.message).toContain('in 4 tries: fetch failed (');
});

test.each([
  ['GET', 'list', () => blobs.list()],
  ['GET', 'read', () => blobs.get('kept')],
  ['GET', 'read in part', () => new Response(blobs.range('kept', { start: 3 })).text()],
  ['GET', 'copy', () => blobs.local('kept')],
  ['HEAD', 'look at', () => blobs.stat('kept')],
  ['PUT', 'write', () => blobs.put('kept', 'other')],
  ['PUT', 'write in parts', () => blobs.put('kept', Buffer.alloc(2 * PARTS + 1))],
  ['POST', 'begin parts', () => blobs.put('kept', Buffer.alloc(2 * PARTS + 1))],
  ['DELETE', 'remove', () => blobs.remove('kept')],
] as const)(
  'a bucket without the right to %s (%s) is said once, and what lies there stays',
  async (denied, _, work) => {
    await blobs.put('kept', 'as it was');
    s3.asked.length = 0;
    s3.fault = ({ method }) => (method === denied ? 'deny' : null);
    const error = await refusal(work());
    expect(error).toMatchObject({ code: 'NO_PERMISSION', message: expect.stringContaining('s3:PutObject') });
    expect(error.message).toContain(denied === 'HEAD' ? 'status 403' : 'Access Denied (AccessDenied)');
    // No try makes a right: it is not asked again.
    expect(s3.asked.filter((asked) => asked.startsWith(denied))).toHaveLength(1);
    s3.fault = null;
    expect((await blobs.get('kept')).toString()).toBe('as it was');
  },
);

test('who stops waits no longer', async () => {
  s3.fault = () => 'hang';
  const stop = new AbortController();
  const work = refusal(blobs.put('a', 'x', stop.signal));
  setTimeout(() => stop.abort(), 50);
  expect((await work).code).toBe('CANCELLED');
});

test.each([
  ['s3://', 'is no place on S3'],
  ['s3://Bucket', 'is no place on S3'],
  ['s3://bucket/../other', 'is no place on S3'],
  ['s3://bucket/a', 'need AWS_ACCESS_KEY_ID'],
])('an address that cannot be is refused: %s', async (address, words) => {
  const error = await refusal(openBlobs(address, {}));
  expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining(words) });
});

test('an endpoint that is no address is refused', async () => {
  const env = { ...s3.env, AWS_ENDPOINT_URL: 'localhost' };
  expect(await refusal(openBlobs('s3://bucket', env))).toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('which is no address'),
  });
});
