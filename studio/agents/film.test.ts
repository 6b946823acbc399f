import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { agentHeadForTests } from '../../schemas/agents-for-tests.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { filmOf, filmOfRun, keepFilm } from './film.ts';

/** A demonstration as a video-guided agent sees it. */

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});

const wishes = { task: 'GIMP_1', demonstration: null, window: 2, reflects: true };
/** The colour of a pixel. */
async function pixel(png: Buffer, left: number, top: number): Promise<number[]> {
  const data = await sharp(png).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...data];
}

test('a film is of the screens before each step and the one after the last, in a window for each, and is kept with the run', async () => {
  await addRecording(workspace, { id: 'shown', task: 'GIMP_1', goal: 'Crop it', screens: [40, 200] });
  const { video, pictures } = await filmOf(workspace, wishes);
  expect(video).toMatchObject({ recording: 'shown', task: 'Crop it', frames: 3, window: 2, reflects: true });
  // Two stills of 64 x 40 side by side, their numbers below them; the last window is of one.
  expect(video.windows.map(({ width, height }) => [width, height])).toEqual([
    [128, 76],
    [128, 76],
    [64, 76],
  ]);
  for (const { sha256 } of video.windows)
    expect(createHash('sha256').update(pictures.get(sha256)!).digest('hex')).toBe(sha256);
  const [first, second, last] = video.windows.map(({ sha256 }) => pictures.get(sha256)!) as [Buffer, Buffer, Buffer];
  // In the right half of each still is its brightness.
  expect([await pixel(first, 60, 20), await pixel(first, 120, 20)]).toEqual([
    [40, 40, 40],
    [200, 200, 200],
  ]);
  // The end of the film alone is in a red border.
  const red = [221, 0, 0];
  expect(await pixel(first, 66, 20)).not.toEqual(red);
  expect(await pixel(second, 66, 20)).toEqual(red);
  expect(await pixel(second, 2, 20)).not.toEqual(red);
  expect(await pixel(last, 2, 20)).toEqual(red);
  const folder = join(folders.make(), 'run');
  await keepFilm(folder, pictures);
  expect(readdirSync(join(folder, 'agent'))).toHaveLength(3);
  const again = filmOfRun(folder, agentHeadForTests({ agent: 'video-guided', video }));
  expect([...again].map(([sha256, png]) => [sha256, png.equals(pictures.get(sha256)!)])).toEqual(
    video.windows.map(({ sha256 }) => [sha256, true]),
  );
});

test('a demonstration of another task can be followed; without any, and without a run’s film, that is said or nothing', async () => {
  await addRecording(workspace, { id: 'other', task: 'GIMP_2', goal: 'Turn it', screens: [40, 200] });
  const { video } = await filmOf(workspace, { ...wishes, demonstration: 'other' });
  expect(video).toMatchObject({ recording: 'other', task: 'Turn it' });
  await expect(filmOf(workspace, wishes)).rejects.toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('no demonstration with pictures'),
  });
  expect(filmOfRun(folders.make(), agentHeadForTests({})).size).toBe(0);
});
