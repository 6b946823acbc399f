import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallPictures } from './small-pictures.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'small-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

async function png(name: string, width: number, height: number): Promise<string> {
  const file = join(dir, name);
  await sharp({ create: { width, height, channels: 3, background: '#204060' } })
    .png()
    .toFile(file);
  return file;
}

test('each size fits its place; what was made is not made again, up to so many bytes', async () => {
  const [a, b] = [await png('a.png', 1600, 1000), await png('b.png', 1000, 1600)];
  const roomy = smallPictures();
  const [small, medium] = [await roomy(a, 'small', 1e7), await roomy(a, 'medium', 1e7)];
  expect((await sharp(small).metadata()).width).toBe(200);
  expect((await sharp(medium).metadata()).width).toBe(1200);
  expect((await sharp(await roomy(b, 'small', 1e7)).metadata()).height).toBe(125);
  expect(await roomy(a, 'small', 1e7)).toBe(small);

  const tight = smallPictures(small.length + 10);
  const first = await tight(a, 'small', 1e7);
  await tight(b, 'small', 1e7);
  expect(await tight(a, 'small', 1e7)).not.toBe(first);
  // More pixels than the recording has: somebody put another picture there.
  await expect(tight(a, 'medium', 1000)).rejects.toMatchObject({ code: 'BAD_FILE' });
});
