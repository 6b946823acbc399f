import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictureReader } from '../documents/pictures.ts';
import { checkedPicture, readRgb, shrinkPicture } from './picture.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'picture-'));
});
afterAll(() => rmSync(dir, { recursive: true }));

async function png(name: string, width: number, height: number): Promise<string> {
  const file = join(dir, name);
  const create = { width, height, channels: 3 as const, background: '#204060' };
  await sharp({ create, limitInputPixels: false }).png({ compressionLevel: 9 }).toFile(file);
  return file;
}

test('a picture is read as its pixels', async () => {
  const image = await readRgb(await png('small.png', 3, 2));
  expect(image).toMatchObject({ width: 3, height: 2 });
  expect([...image.rgb.subarray(0, 3)]).toEqual([0x20, 0x40, 0x60]);
});

test('a picture of more pixels than anything recorded has is refused before it is decoded', async () => {
  const file = await png('large.png', 9000, 9000);
  const before = process.memoryUsage().rss;
  await expect(readRgb(file)).rejects.toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('pixel') });
  await expect(readRgb(readFileSync(file))).rejects.toMatchObject({ code: 'BAD_FILE' });
  expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  await expect(readRgb(await png('screen.png', 200, 100), { most: 19_999 })).rejects.toThrow('200 x 100');
});

test('what is no picture of a screen is refused: drawings, texts, nothing', async () => {
  const write = (name: string, content: string): string => {
    writeFileSync(join(dir, name), content);
    return join(dir, name);
  };
  const svg = write('a.png', '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>');
  await expect(checkedPicture(svg)).rejects.toMatchObject({ code: 'BAD_FILE' });
  await expect(checkedPicture(write('b.png', ''))).rejects.toMatchObject({ code: 'BAD_FILE' });
  await expect(checkedPicture(join(dir, 'none.png'))).rejects.toMatchObject({ code: 'BAD_FILE' });
});

test('one that breaks off while it is decoded is told in one sentence', async () => {
  const noise = Buffer.from(Array.from({ length: 90_000 }, (_, i) => (i * 7919 + (i >> 5) * 31) & 255));
  const raw = { width: 200, height: 150, channels: 3 as const };
  const jpeg = await sharp(noise, { raw }).jpeg({ progressive: true }).toBuffer();
  const torn = jpeg.subarray(0, jpeg.length / 3);
  for (const read of [() => readRgb(torn), () => shrinkPicture(torn, { width: 20, height: 20 })])
    await expect(read()).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(/^the picture cannot be read as a picture: [^\n]+\.$/),
    });
});

test('pictures are kept up to so many bytes, not so many pictures', async () => {
  const [a, b, c] = [await png('a1.png', 100, 100), await png('b1.png', 100, 100), await png('c1.png', 200, 200)];
  const read = pictureReader(70_000);
  const first = await read(a, 10_000);
  await read(b, 10_000);
  expect(await read(a, 10_000)).toBe(first);
  // 120,000 bytes: more than are kept at all.
  const large = await read(c, 40_000);
  expect(await read(c, 40_000)).not.toBe(large);
  // Who asks at the same time shares one.
  const [one, two] = await Promise.all([read(b, 10_000), read(b, 10_000)]);
  expect(one).toBe(two);
});

test('no other source decodes a picture', () => {
  const root = join(import.meta.dirname, '..', '..');
  const files = globSync('{core,native,studio}/**/*.ts', { cwd: root }).map((name) => name.replaceAll('\\', '/'));
  // Pixels that are here already, and a canvas.
  const own = /\bsharp\((?:(?:image\.)?rgb|toRgb\(job\.pixels\)), \{ raw\b|\bsharp\(\{ create\b/g;
  const found = files.filter((name) => {
    if (/\.test\.ts$|-for-tests\.ts$/.test(name) || name === 'studio/files/picture.ts') return false;
    // The doctor asks another process whether sharp works at all.
    if (name === 'studio/session/doctor/machine.ts') return false;
    return readFileSync(join(root, name), 'utf8').replace(own, '').includes('sharp(');
  });
  expect(files.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});
