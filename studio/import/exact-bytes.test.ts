import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { exactBytes } from './exact-bytes.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

async function read(file: string, size: number, signal = new AbortController().signal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of exactBytes(file, size, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('a file is read up to the size that it had: not what was added since, and less is an error', async () => {
  const file = join(folders.make(), 'frames.jsonl');
  const all = Buffer.alloc(2_500_000, 'trajectory');
  writeFileSync(file, all);
  expect((await read(file, all.length)).equals(all)).toBe(true);
  expect((await read(file, 1_100_000)).equals(all.subarray(0, 1_100_000))).toBe(true);
  expect(await read(file, 0)).toHaveLength(0);
  await expect(read(file, all.length + 1)).rejects.toMatchObject({ code: 'BAD_FILE', details: { file } });
  await expect(read(file, all.length, AbortSignal.abort())).rejects.toThrow('aborted');
});
