import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { checkRecording } from './check-recording.ts';
import { oddStills } from './check-stills.ts';
import { LIMITS } from './limits.ts';

const folders = temporaryFolders();
afterEach(() => folders.clean());
const signal = new AbortController().signal;

async function withStill(width: number, height: number): Promise<string> {
  const folder = writeSample(folders.make(), sampleRecording());
  mkdirSync(join(folder, 'keyframes'));
  const create = { width, height, channels: 3 as const, background: '#204060' };
  await sharp({ create, limitInputPixels: false })
    .png()
    .toFile(join(folder, 'keyframes', '600000.png'));
  return folder;
}
const check = (folder: string) => checkRecording(folder, LIMITS, signal, () => undefined);

test('a still of the size of the recording, or of a smaller view of it, is taken', async () => {
  await check(await withStill(1280, 720));
  await check(await withStill(640, 720));
});

test('a still that is larger than the recording is refused with its name', async () => {
  const folder = await withStill(1281, 720);
  await expect(check(folder)).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringContaining('keyframes/600000.png: it is 1281 x 720 pixels large'),
  });
  // A recording without a video says nothing of its size: any screen's will do.
  expect(await oddStills(folder, [], signal)).toEqual([]);
  expect(await oddStills(await withStill(16_000, 5_000), [], signal)).toHaveLength(1);
});

test('a recording that says that its pictures are larger than any screen is refused', async () => {
  const [segment] = sampleRecording().segments;
  const folder = writeSample(folders.make(), sampleRecording());
  const recording = sampleRecording({ segments: [{ ...segment!, width: 100_000, height: 100_000 }] });
  writeFileSync(join(folder, 'recording.json'), JSON.stringify(recording));
  await expect(check(folder)).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringContaining('67 megapixels'),
  });
});
