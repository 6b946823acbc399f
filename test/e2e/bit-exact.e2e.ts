import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { keyframeIndexSchema } from '../../schemas/recording.ts';
import { type NewWorkspace, startRecorder, studioMust } from '../support/cli.ts';
import type { VirtualDisplay } from '../support/display.ts';
import { onDisplay } from '../support/on-display.ts';
import { click, handsFor, perform } from '../support/person.ts';
import { until } from '../support/until.ts';

/** A known picture on the screen comes back equal in every pixel, without the cursor (V1, V2, K4). */

const PICTURE = path.join(import.meta.dirname, '..', 'support', 'picture.ts');
let display: VirtualDisplay;
let workspace: NewWorkspace;
onDisplay({ width: 1366, height: 769 }, (made) => {
  ({ display, workspace } = made);
});

async function showPicture(): Promise<{ raw: Buffer; width: number; height: number }> {
  const file = path.join(display.home, 'picture.raw');
  const picture = await display.launch(process.execPath, [PICTURE, file, '42']);
  await until('the picture', () => picture.stdout().includes('ready'), { seen: picture.stderr });
  return { raw: fs.readFileSync(file), width: display.width, height: display.height };
}

/** Pixels that differ between two RGB pictures of one size; counting says more than “not equal”. */
function different(a: Buffer, b: Buffer): number {
  expect(a.length).toBe(b.length);
  let count = 0;
  for (let i = 0; i < a.length; i += 3) if (a.readUIntBE(i, 3) !== b.readUIntBE(i, 3)) count++;
  return count;
}

async function recordClick(x: number, y: number, args: string[]) {
  const recorder = await startRecorder(display, { workspace: workspace.path, args, syncCheck: true });
  await perform(display, await handsFor(display, 'human'), [click(x, y)]);
  const { line } = await recorder.stop();
  const out = path.join(display.home, 'keyframes');
  await studioMust(['keyframes', line.recording, '--workspace', workspace.path, '--out', out]);
  const index = keyframeIndexSchema.parse(JSON.parse(fs.readFileSync(path.join(out, 'index.json'), 'utf8')));
  expect(index.keyframes.map((keyframe) => keyframe.role)).toEqual(['before', 'after']);
  expect(fs.readdirSync(out).sort()).toEqual(['0001-after.png', '0001-before.png', 'index.json']);
  return index.keyframes.map((keyframe) => ({ keyframe, file: path.join(out, keyframe.file) }));
}

const rgb = (file: string): Promise<Buffer> => sharp(file).removeAlpha().raw().toBuffer();

it('keeps every pixel of the whole screen, with the pointer parked over it', async () => {
  const picture = await showPicture();
  for (const { keyframe, file } of await recordClick(700, 400, [])) {
    expect(keyframe).toMatchObject({ width: picture.width, height: picture.height, origin: { x: 0, y: 0 } });
    expect(different(await rgb(file), picture.raw)).toBe(0);
  }
});

it('keeps every pixel of a region with odd edges, whose place it tells', async () => {
  const picture = await showPicture();
  const region = { left: 311, top: 127, width: 641, height: 401 };
  const whole = { raw: { width: picture.width, height: picture.height, channels: 3 as const } };
  const part = await sharp(picture.raw, whole).extract(region).raw().toBuffer();
  for (const { keyframe, file } of await recordClick(600, 300, ['--region', '311,127,641,401'])) {
    expect(keyframe).toMatchObject({ width: 641, height: 401, origin: { x: 311, y: 127 } });
    expect(different(await rgb(file), part)).toBe(0);
  }
});
