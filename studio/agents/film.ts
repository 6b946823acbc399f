import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { plural } from '../../core/words.ts';
import type { AgentHead, AgentVideo } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { readIn } from '../files/inside.ts';
import { checkedPicture } from '../files/picture.ts';
import { openFolder } from '../recordings/closed.ts';
import { currentKeyframes, picturesOf } from '../recordings/stills.ts';
import type { Workspace } from '../store/workspace.ts';

/** A demonstration as a video-guided agent sees it: windows of keyframes side by side in one picture (mobile-agent-v.txt A.1.5). */

/** Pictures of a request by their sha256. */
export type AgentFilm = { video: AgentVideo; pictures: ReadonlyMap<string, Buffer> };

export type FilmWishes = { task: string; demonstration: string | null; window: number; reflects: boolean };

/** A keyframe in a window is so wide at most, px; the band below it holds its number. */
const FRAME_WIDTH = 640;
const BAND = 36;
const BORDER = 6;
/** Each is a picture that is made before the run begins. */
const MOST_FRAMES = 300;

/**
 * The film of the demonstration that is named, which may be another task's, else of the task's newest. Throws USAGE where there is
 * none, or one of too many steps.
 */
export async function filmOf(
  workspace: Workspace,
  { task, demonstration, window, reflects }: FilmWishes,
): Promise<AgentFilm> {
  const named = demonstration === null ? null : await workspace.resolveRecording(demonstration);
  const own = (await workspace.listRecordings()).find((one) => one.task === task && one.phase === 'closed');
  const shown = named ?? own;
  const frames = shown ? await keyframesOf(shown.folder) : [];
  if (!shown || frames.length === 0)
    throw new StudioError(
      'USAGE',
      `The task ${task} has no demonstration with pictures, so there is no film to follow. Record one, or name another task's with --demonstration.`,
      { task },
    );
  if (frames.length > MOST_FRAMES)
    throw new StudioError(
      'USAGE',
      `The demonstration ${shown.id} has ${plural(frames.length, 'keyframe')}; a film may have ${MOST_FRAMES} at most. Name a shorter one with --demonstration.`,
      { recording: shown.id },
    );
  const pictures = new Map<string, Buffer>();
  const windows: AgentVideo['windows'] = [];
  for (let start = 0; start < frames.length; start++) {
    const some = frames.slice(start, start + window);
    const { png, width, height } = await sideBySide(some, start + 1, start + some.length === frames.length);
    const sha256 = createHash('sha256').update(png).digest('hex');
    pictures.set(sha256, png);
    windows.push({ sha256, width, height });
  }
  return {
    video: { recording: shown.id, task: shown.goal, frames: frames.length, window, reflects, windows },
    pictures,
  };
}

/** Files of the screens before each step, and of the one after the last. */
async function keyframesOf(folder: string): Promise<string[]> {
  const pictures = picturesOf(folder, await currentKeyframes(folder));
  const { actions } = openFolder(folder);
  const before = actions.flatMap(({ id }) => pictures.get(`before ${id}`)?.path ?? []);
  const last = actions.at(-1);
  const end = last && pictures.get(`after ${last.id}`)?.path;
  return before.length === 0 ? [] : [...before, ...(end ? [end] : [])];
}

/** Pictures in a row, each with its number below it; the last of a film in a red border. */
async function sideBySide(
  files: readonly string[],
  first: number,
  isEnd: boolean,
): Promise<{ png: Buffer; width: number; height: number }> {
  const frames = await Promise.all(
    files.map(async (file) => {
      const { picture } = await checkedPicture(file);
      const { data, info } = await picture
        .resize({ width: FRAME_WIDTH, withoutEnlargement: true })
        .png()
        .toBuffer({ resolveWithObject: true });
      return { data, width: info.width, height: info.height };
    }),
  );
  const width = frames.reduce((sum, one) => sum + one.width, 0);
  const height = frames.reduce((most, one) => Math.max(most, one.height), 0) + BAND;
  let left = 0;
  const placed = frames.flatMap(({ data, width: wide, height: high }, n) => {
    const at = left;
    left += wide;
    const marks = [numberMark(first + n, height - BAND)];
    if (isEnd && n === frames.length - 1) marks.push(border(wide, high));
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${height}">${marks.join('')}</svg>`;
    return [
      { input: data, left: at, top: 0 },
      { input: Buffer.from(svg), left: at, top: 0 },
    ];
  });
  const png = await sharp({ create: { width, height, channels: 3, background: 'white' } })
    .composite(placed)
    .png()
    .toBuffer();
  return { png, width, height };
}

const border = (width: number, height: number): string =>
  `<rect x="${BORDER / 2}" y="${BORDER / 2}" width="${width - BORDER}" height="${height - BORDER}" fill="none" stroke="#d00" stroke-width="${BORDER}"/>`;

/** Segments of digits, as on a clock: a machine may have no font. */
const SEGMENTS = ['abcdef', 'bc', 'abdeg', 'abcdg', 'bcfg', 'acdfg', 'acdefg', 'abc', 'abcdefg', 'abcdfg'];
const BARS: Readonly<Record<string, readonly [x: number, y: number, width: number, height: number]>> = {
  a: [0, 0, 12, 3],
  b: [9, 0, 3, 12],
  c: [9, 12, 3, 12],
  d: [0, 21, 12, 3],
  e: [0, 12, 3, 12],
  f: [0, 0, 3, 12],
  g: [0, 10, 12, 3],
};

const numberMark = (number: number, top: number): string =>
  [...String(number)]
    .flatMap((digit, n) =>
      [...(SEGMENTS[Number(digit)] ?? '')].map((bar) => {
        const [x, y, width, height] = BARS[bar]!; // Each letter of SEGMENTS has one.
        return `<rect x="${8 + n * 18 + x}" y="${top + 6 + y}" width="${width}" height="${height}" fill="black"/>`;
      }),
    )
    .join('');

/** Keeps the pictures of a film, or of demonstrations, with a run, by which it is gone on with and replayed. */
export async function keepFilm(folder: string, pictures: ReadonlyMap<string, Buffer>): Promise<void> {
  await mkdir(join(folder, FILM_FOLDER), { recursive: true });
  for (const [sha256, png] of pictures) writeFileAtomic(join(folder, fileOf(sha256)), png);
}

/** The pictures of an earlier run's film, and of demonstrations that it was shown; none where it had none. Throws what reading throws. */
export function filmOfRun(folder: string, { video, shots = [] }: AgentHead): AgentFilm['pictures'] {
  const ofShots = shots.flatMap(({ steps }) => steps.flatMap(({ picture }) => picture ?? []));
  return new Map([...(video?.windows ?? []), ...ofShots].map(({ sha256 }) => [sha256, readIn(folder, fileOf(sha256))]));
}

/** Where the screens of a run are, too. */
const FILM_FOLDER = 'agent';
const fileOf = (sha256: string): string => `${FILM_FOLDER}/${sha256.slice(0, 16)}.png`;
