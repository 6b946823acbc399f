import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { keyframeIndexSchema } from '../../../schemas/recording.ts';
import { studioMust } from '../../support/cli.ts';
import { decode } from '../../support/recordings.ts';
import { studioFixture } from '../../support/studio-fixture.ts';
import { annotatePage } from '../../support/studio-pages.ts';
import { type MadeRecording, makeRecording } from '../../support/studio-recording.ts';

/** Frames are right: what the page shows for a step, the still that is exported and the master's frame are one picture. */

const studio = studioFixture();
const { home } = studio;
let ws: string;
let made: MadeRecording;
/** The master's frames by an independent decoder, each as R, G, B bytes. */
const master: Buffer[] = [];

beforeAll(async () => {
  ws = await studio.newWorkspace();
  made = await makeRecording(studio.recordings, {
    id: 'frames-right',
    steps: 12,
    width: 960,
    height: 540,
  });
  await decode(path.join(made.folder, 'screen.mkv'), null, (rgb) => master.push(Buffer.from(rgb)));
});

const rgbOf = (png: Buffer | string): Promise<Buffer> => sharp(png).removeAlpha().raw().toBuffer();

it('every frame that the server gives is the frame of the master', async () => {
  expect(master).toHaveLength(made.frames);
  const { frames } = await studio.api.recordings.open({ ws, recording: made.id });
  expect(frames).toHaveLength(made.frames);
  for (const [place, [i]] of frames.entries()) {
    const answer = await studio.server.ask(`/files/${ws}/recordings/${made.id}/frames/${i}.png`);
    expect(answer.status).toBe(200);
    const rgb = await rgbOf(Buffer.from(await answer.arrayBuffer()));
    expect([i, rgb.equals(master[place]!)]).toEqual([i, true]);
  }
});

it('what is painted for a step, its still and the frame of the master are the same pixels', async () => {
  const out = home.dir('stills');
  await studioMust(['keyframes', made.id, '--workspace', home.dir('workspace'), '--out', out]);
  const index = keyframeIndexSchema.parse(JSON.parse(fs.readFileSync(path.join(out, 'index.json'), 'utf8')));
  // Large enough for the whole picture at 100 %.
  const { page, context, faults } = await studio.open({ width: 2200, height: 1300 }, `/w/${ws}/recordings/${made.id}`);
  const annotate = await annotatePage(page, studio.server, ws, made.id);
  await page.keyboard.press('9');
  for (let n = 0; n < made.steps.length; n++) {
    await annotate.goTo(n);
    const { before, id } = annotate.step(n);
    const painted = await annotate.paintedPixels();
    const still = index.keyframes.find((keyframe) => keyframe.action === id && keyframe.role === 'before');
    expect(still?.frame).toBe(before);
    expect([n, (await rgbOf(path.join(out, still!.file))).equals(master[before]!)]).toEqual([n, true]);
    expect([n, painted.equals(master[before]!)]).toEqual([n, true]);
  }
  expect(faults).toEqual([]);
  await context.close();
});
