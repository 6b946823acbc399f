import { createHash, randomBytes } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { StudioError } from '../../../schemas/errors.ts';
import { temporaryFolders } from '../recording-for-tests.ts';
import { type HashPool, inOrder, openHashPool, withHashPool } from './hash-pool.ts';

const folders = temporaryFolders();
const pools: HashPool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
  folders.clean();
});
const open = (threads?: number): HashPool => {
  const pool = openHashPool(threads);
  pools.push(pool);
  return pool;
};
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof StudioError ? error.code : error),
  );

test('many files at once get the hashes that each has by itself', async () => {
  const folder = folders.make();
  const files = Array.from({ length: 40 }, (_, n) => {
    const [file, bytes] = [join(folder, `${n}`), randomBytes(n * 60_000)];
    writeFileSync(file, bytes);
    return { file, answer: { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') } };
  });
  const pool = open(3);
  expect(await Promise.all(files.map(({ file }) => pool.file(file)))).toEqual(files.map(({ answer }) => answer));
});

test('a file that is missing, a link or no picture is told by its name; the others are hashed', async () => {
  const folder = folders.make();
  writeFileSync(join(folder, 'text'), 'no picture');
  symlinkSync('text', join(folder, 'link'));
  const pool = open();
  expect(await codeOf(pool.file(join(folder, 'missing')))).toBe('BAD_FILE');
  expect(await codeOf(pool.file(join(folder, 'link')))).toBe('BAD_FILE');
  await expect(pool.screen(join(folder, 'text'))).rejects.toThrow(`${join(folder, 'text')} is no picture`);
  expect((await pool.file(join(folder, 'text'))).bytes).toBe(10);
});

test('a pool that is closed, or whose signal came, ends at once what it is at and what waits', async () => {
  const folder = folders.make();
  const file = join(folder, 'large');
  writeFileSync(file, Buffer.alloc(50_000_000));
  const control = new AbortController();
  const all = withHashPool(control.signal, async (pool) => {
    const asked = Array.from({ length: 20 }, () => codeOf(pool.file(file)));
    control.abort();
    return [...(await Promise.all(asked)), await codeOf(pool.file(file))];
  });
  expect(new Set(await all)).toEqual(new Set(['CANCELLED']));
});

test('what is done beside each other comes in order, a few at once; the first failure ends it', async () => {
  let [running, most] = [0, 0];
  const work = async (n: number): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise((done) => setTimeout(done, (n * 7) % 5));
    running--;
    if (n === 7) throw new Error('seven');
    return n;
  };
  const all = async (list: readonly number[]): Promise<number[]> => {
    const done: number[] = [];
    for await (const one of inOrder(list, 3, work)) done.push(one);
    return done;
  };
  expect(await all([1, 2, 3, 4, 5, 6])).toEqual([1, 2, 3, 4, 5, 6]);
  expect(most).toBe(3);
  await expect(all([6, 7, 8, 9, 10, 11, 12])).rejects.toThrow('seven');
  expect(running).toBe(0);
});
