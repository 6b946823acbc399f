import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { taskWith } from '../../../core/export/tasks-for-tests.ts';
import { spreadPlaces } from '../../../native/ffmpeg/video-frames.ts';
import { squareVideo } from '../../import/videos-for-tests.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { loadPrompts } from './prompt-files.ts';
import { gatherFrames } from './query-frames.ts';
import { writeQuestions } from './write-questions.ts';

/** A visual query that is a video is shown by frames of it, from first to last. */

const folders = temporaryFolders();
let folder: string;
let picture: string;
beforeEach(async () => {
  folder = folders.make();
  picture = join(folder, 'picture.png');
  await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
    .png()
    .toFile(picture);
});
afterEach(folders.clean);

type Ends = { start?: string; end: string };
const taskOf = ({ start, end }: Ends) => {
  const given = (path: string) => ({ path, given: { ending: path.slice(path.lastIndexOf('.')) } });
  const still = { path: picture, width: 20, height: 10, origin: { x: 0, y: 0 } };
  const step = { beforeImage: still, afterImage: still };
  return taskWith([[step], [step]], {
    visualQuery: { start: start === undefined ? null : given(start), end: given(end) },
  });
};
/** A white square that goes from left to right, one second each. */
function video(name: string): string {
  const file = join(folder, name);
  squareVideo(
    file,
    3,
    [0, 1, 2].map((t) => ({ t, x: 40 + 100 * t, y: 90 })),
  );
  return file;
}
let count = 0;
async function asked(ends: Ends, frames?: number) {
  const out = join(folder, `${++count}.jsonl`);
  const made = await writeQuestions([taskOf(ends)], {
    level: 'high' as const,
    out,
    truth: null,
    prompts: loadPrompts(null),
    name: 'x',
    scrollOrder: 'shuffled' as const,
    seed: 1,
    ...(frames !== undefined && { frames }),
  });
  const [head, ...questions] = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { made, head, questions, find: (way: string) => questions.find(({ query }) => query === way) };
}

test('places are spread evenly, the first and the last among them', () => {
  expect(spreadPlaces(90, 4)).toEqual([0, 30, 59, 89]);
  expect(spreadPlaces(3, 8)).toEqual([0, 1, 2]);
  expect(spreadPlaces(5, 1)).toEqual([4]);
});

test('videos of the beginning and the end go as sequences of frames, and the prompt says which are which', async () => {
  const { find, head, made } = await asked({ start: video('start.mp4'), end: video('end.webm') }, 3);
  const question = find('vision');
  expect(question.images).toHaveLength(6);
  expect(question.prompt).toContain('Pictures 1 to 3, in the order of time, show what somebody began with.');
  expect(question.prompt).toContain('Pictures 4 to 6, in the order of time, show the result.');
  expect(find('vision+text').prompt).toContain('The task was: Make a slide');
  expect([head.frames, made.leftOut]).toEqual([3, []]);
  // Where the square is tells that the frames are the first one, one of the middle, and the last one.
  const places = await Promise.all(
    question.images.slice(0, 3).map(async (name: string) => {
      const { data, info } = await sharp(join(folder, name)).greyscale().raw().toBuffer({ resolveWithObject: true });
      return data.subarray(90 * info.width, 91 * info.width).findIndex((value) => value > 150);
    }),
  );
  expect(places.map((x) => Math.round(x / 50))).toEqual([1, 3, 5]);
});

test('a picture beside a video stands for itself; the same file gives the same pictures', async () => {
  const end = video('end.mp4');
  const { find } = await asked({ start: picture, end });
  expect(find('vision').images).toHaveLength(9);
  expect(find('vision').prompt).toContain('Picture 1 shows what somebody began with. Pictures 2 to 9');
  const hashes = async () => {
    const gathered = await gatherFrames([taskOf({ end })], 4, undefined);
    const frames = gathered.of({ path: end });
    if (typeof frames === 'string') throw new Error(frames);
    const sums = frames.map(({ path }) => createHash('sha256').update(readFileSync(path)).digest('hex'));
    gathered.clear();
    return sums;
  };
  expect(await hashes()).toEqual(await hashes());
});

test('an animated GIF or WebP is a sequence; one that stands still is a picture', async () => {
  const colours = ['red', 'lime', 'blue', 'white'];
  const flat = (background: string) =>
    sharp({ create: { width: 20, height: 10, channels: 3, background } })
      .png()
      .toBuffer();
  const pages = await Promise.all(colours.map(flat));
  const [moving, webp, still] = ['moving.gif', 'moving.webp', 'still.gif'].map((name) => join(folder, name));
  await sharp(pages, { join: { animated: true } })
    .gif()
    .toFile(moving!);
  await sharp(pages, { join: { animated: true } })
    .webp({ lossless: true })
    .toFile(webp!);
  await sharp(pages[0]).gif().toFile(still!);
  for (const end of [moving!, webp!]) {
    const { find, head, made } = await asked({ end }, 3);
    const { images, prompt } = find('vision');
    expect([images.length, head.frames, made.leftOut]).toEqual([3, 3, []]);
    expect(prompt).toContain('Pictures 1 to 3, in the order of time, show the result');
    const shown = await Promise.all(
      images.map(async (name: string) => [
        ...(await sharp(join(folder, name)).removeAlpha().raw().toBuffer()).subarray(0, 3),
      ]),
    );
    expect(shown).toEqual([
      [255, 0, 0],
      [0, 0, 255],
      [255, 255, 255],
    ]);
  }
  const { find, head } = await asked({ end: still! });
  expect(find('vision').images).toHaveLength(1);
  expect(head).not.toHaveProperty('frames');
});

test('questions without videos are what they were; another number of frames is another question', async () => {
  const [still, eight, four] = [
    await asked({ end: picture }),
    await asked({ end: video('e.mp4') }),
    await asked({ end: video('f.mp4') }, 4),
  ];
  expect(still.head).not.toHaveProperty('frames');
  expect(still.head.prompts).toBe(loadPrompts(null).questionsHash(null));
  expect(new Set([still, eight, four].map(({ head }) => head.prompts)).size).toBe(3);
});

test('a video that cannot be shown is left out with the reason, and what needs no pictures is asked', async () => {
  const broken = join(folder, 'broken.mp4');
  writeFileSync(broken, Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0'), Buffer.alloc(2000)]));
  const { questions, made } = await asked({ end: broken });
  expect(questions.map(({ query }) => query)).toEqual(['text']);
  expect(made.leftOut.map(({ reason }) => reason.slice(0, 36))).toEqual([
    'vision: its video cannot be shown: /',
    'vision+text: its video cannot be sho',
  ]);
});
