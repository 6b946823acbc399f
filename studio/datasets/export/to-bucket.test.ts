import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { errorBody } from '../../../schemas/errors.ts';
import { startS3, type TestS3 } from '../../../test/support/s3.ts';
import { openBlobs } from '../../files/blobs/open.ts';
import { makeTasks } from './example-for-tests.ts';
import { sourceOf } from './export-for-tests.ts';
import { requestOf } from './formats.ts';
import { type ExportResult, exportFormats } from './run.ts';
import { listTargetFiles } from './target.ts';
import { writeToBucket } from './to-bucket.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-to-bucket-'));
const beside = join(folder, 'exports');
let s3: TestS3;
let write: (out: string) => Promise<ExportResult[]>;

beforeAll(async () => {
  s3 = await startS3(join(folder, 's3'));
  const tasks = await makeTasks(folder);
  const requests = [requestOf('agentnet', {}), requestOf('videogui', {})];
  write = (out) => exportFormats(sourceOf(tasks), out, requests, { toolVersion: '0.1.0', filters: {} });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  for (const [name, value] of Object.entries(s3.env)) vi.stubEnv(name, value);
  s3.fault = null;
});

test('an export on S3 has the files of one in a folder, byte for byte, its manifests put last', async () => {
  const local = join(folder, 'local');
  await write(local);
  s3.asked.length = 0;
  await writeToBucket(`s3://${s3.bucket}/data/v1`, beside, write, undefined);
  const blobs = await openBlobs(`s3://${s3.bucket}/data/v1`);
  const files = await listTargetFiles(local);
  expect(files.length).toBeGreaterThan(20);
  expect((await blobs.list()).keys.toSorted()).toEqual(files);
  for (const file of files) expect((await blobs.get(file)).equals(readFileSync(join(local, file)))).toBe(true);
  const put = s3.asked.filter((asked) => asked.startsWith('PUT ')).map((asked) => asked.endsWith('/manifest.json'));
  expect(put.slice(-2)).toEqual([true, true]);
  expect(put.slice(0, -2)).not.toContain(true);
  expect(readdirSync(beside)).toEqual([]);
});

test('a place with something in it is left as it is', async () => {
  const address = `s3://${s3.bucket}/taken`;
  await (await openBlobs(address)).put('own.txt', 'mine');
  const error = await writeToBucket(address, beside, write, undefined).then(() => null, errorBody);
  expect(error).toMatchObject({ code: 'TARGET_EXISTS', message: expect.stringContaining('is not empty') });
  expect((await (await openBlobs(address)).list()).keys).toEqual(['own.txt']);
});

test('an export that fails or is stopped in the middle leaves nothing, here and there', async () => {
  const address = `s3://${s3.bucket}/half`;
  const stop = new AbortController();
  let puts = 0;
  s3.fault = ({ method }) => {
    if (method === 'PUT' && ++puts === 5) stop.abort();
    return null;
  };
  const error = await writeToBucket(address, beside, write, stop.signal).then(() => null, errorBody);
  expect(error?.code).toBe('CANCELLED');
  expect((await (await openBlobs(address)).list()).keys).toEqual([]);
  expect(readdirSync(beside)).toEqual([]);
});
