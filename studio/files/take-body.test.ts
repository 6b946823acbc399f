import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { takeBody } from './take-body.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
const GB = 1024 ** 3;
const tooLarge = new StudioError('BAD_FILE', 'Too large.', {});

async function* chunks(count: number, bytes = 1 << 20) {
  for (let n = 0; n < count; n++) yield new Uint8Array(bytes).fill(n);
}

test('what comes is written whole', async () => {
  const file = join(folders.make(), 'a');
  expect(await takeBody(chunks(3, 5), file, { most: 15, tooLarge })).toBe(15);
  expect([...readFileSync(file)]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
});

test('a body without an end is cut at the most, and nothing of it is left', async () => {
  const folder = folders.make();
  const endless = chunks(Number.POSITIVE_INFINITY, 1000);
  await expect(takeBody(endless, join(folder, 'a'), { most: 1_000_000, tooLarge })).rejects.toBe(tooLarge);
  expect(readdirSync(folder)).toEqual([]);
});

test('bodies that come at once see that the others fill the disk', async () => {
  const folder = folders.make();
  // Room for both at the beginning, taken by others meanwhile.
  const rooms = [1, 1, 0.2].map((room) => room * GB);
  const taking = { most: GB, tooLarge, free: async () => rooms.shift() ?? 0 };
  const full = expect.objectContaining({ code: 'DISK_FULL' });
  await expect(takeBody(chunks(200), join(folder, 'a'), taking)).rejects.toEqual(full);
  expect(rooms).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});
