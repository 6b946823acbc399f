import { join } from 'node:path';
import { z } from 'zod';
import type { Pixel } from '../../core/annotate/picture.ts';
import { caretFrames, caretIn, type Pause } from '../../core/play/caret.ts';
import { CARET_BLOCKS } from '../../core/play/likeness.ts';
import type { PlayCaret, PlayPicture, Restless } from '../../core/play/part.ts';
import {
  framesOf,
  idleStretches,
  isTooRestless,
  looksOf,
  restlessBlocks,
  restlessIn,
} from '../../core/play/restless.ts';
import { isAt } from '../../core/play/target.ts';
import { isSameRect } from '../../core/rect.ts';
import { decodeFrames } from '../../native/ffmpeg/decode.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs } from '../../native/ffmpeg/master.ts';
import { log } from '../../native/log/log.ts';
import { type MkvBlock, readMkvIndex } from '../../native/mkv/read.ts';
import { isInput, type RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import type { Segment } from '../../schemas/recording.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { folderIn, readIn } from '../files/inside.ts';
import { hasBytes } from '../files/kept/list.ts';
import { readRgb } from '../files/picture.ts';
import { localVideo } from '../recordings/bytes.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { derivedKey } from '../recordings/derived.ts';
import { DERIVED_FOLDER } from '../recordings/folders.ts';
import { picturesAt } from './beside-steps.ts';

/**
 * Reads three things from a demonstration's video: which parts change by themselves, where the caret is, and how targets look
 * without the pointer. They are kept in derived/, since a demonstration is played several times.
 */

const ENDLESS = Number.MAX_SAFE_INTEGER;
const KEPT = 'learnt.json';
/** Version of that file. Raise it when its shape or the code that makes it changes. */
export const LEARNT_VERSION = 2;
/** A larger file is learnt anew, bytes: some ten thousand steps have less. */
const MOST_KEPT = 1 << 24;

const index = z.int().nonnegative();
/** `place`: of the frame in which the caret shows. `aways`: places of frames. */
const learntSchema = z.object({
  restless: z
    .object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive(), blocks: z.array(index) })
    .refine(({ blocks, ...rect }) => !isTooRestless(blocks.length, rect))
    .nullable(),
  carets: z.array(z.object({ place: index, blocks: z.array(index).max(CARET_BLOCKS) }).nullable()),
  aways: z.array(index.nullable()),
});
type Learnt = z.infer<typeof learntSchema>;
/** `at`: the target, px of the desktop; `away`: the place of the frame before the pointer came near it. */
type LearntStep = Pause & { before: PlayPicture; at: Pixel | null; away: number | null };

/** A demonstration's video with all of its frames. `indexes`: of its segments, as far as they were read. */
type Film = {
  closed: ClosedRecording;
  frames: readonly Frame[];
  indexes: Map<Segment, readonly MkvBlock[]>;
  ffmpeg: FfmpegInfo;
  signal: AbortSignal | undefined;
};

/**
 * Gives the parts that change by themselves (PL24), the caret after each step, where it has moved (PL28), and the picture of each
 * target without the pointer, where it looks other with it (PL31); null: not known.
 */
export async function learntOf(
  closed: ClosedRecording,
  { events, frames, steps }: { events: readonly RawEvent[]; frames: readonly Frame[]; steps: readonly LearntStep[] },
  ffmpeg: FfmpegInfo,
  signal?: AbortSignal,
): Promise<{ restless: Restless | null; carets: (PlayCaret | null)[]; aways: (PlayPicture | null)[] }> {
  // Asked for before the files are read: a result of files that change meanwhile must not count for the new ones.
  const key = `${LEARNT_VERSION} ${derivedKey(closed.folder)}`;
  const film: Film = { closed, frames, indexes: new Map(), ffmpeg, signal };
  const { restless, carets, aways } = keptOf(closed, key) ?? (await learn(film, events, steps, key));
  const places = [...carets.flatMap((caret) => caret?.place ?? []), ...aways.flatMap((away) => away ?? [])];
  const pictures = await picturesAt(closed, places, ffmpeg, signal);
  return {
    restless,
    carets: steps.map((_, n) => {
      const caret = carets[n];
      const picture = caret && pictures.get(caret.place);
      return caret && picture ? { ...picture, blocks: caret.blocks } : null;
    }),
    aways: steps.map((_, n) => pictures.get(aways[n] ?? -1) ?? null),
  };
}

function keptOf({ folder }: ClosedRecording, wanted: string): Learnt | null {
  try {
    const text = readIn(folder, `${DERIVED_FOLDER}/${KEPT}`, MOST_KEPT).toString('utf8');
    const { key, ...learnt } = learntSchema.extend({ key: z.string() }).parse(JSON.parse(text));
    return key === wanted ? learnt : null;
  } catch {
    return null; // Not there, or spoilt: it is made again.
  }
}

function keep({ folder }: ClosedRecording, key: string, learnt: Learnt): void {
  try {
    writeFileAtomic(join(folderIn(folder, DERIVED_FOLDER), KEPT), `${JSON.stringify({ key, ...learnt })}\n`);
  } catch (error) {
    log.info('what was learnt is not kept', { error });
    // A folder that cannot be written is played all the same, only not as soon the next time.
  }
}

async function learn(
  film: Film,
  events: readonly RawEvent[],
  steps: readonly LearntStep[],
  key: string,
): Promise<Learnt> {
  const { closed } = film;
  // A demonstration whose stills are all that is left is played by them.
  if (closed.meta.segments.some(({ file }) => !hasBytes(closed.folder, file)))
    return { restless: null, carets: [], aways: [] };
  const restless = await restlessOf(film, events);
  const carets = await caretsAfter(film, steps, restless);
  const aways = await awaysBefore(film, steps, restless);
  keep(closed, key, { restless, carets, aways });
  return { restless, carets, aways };
}

/** Where the caret is after each step, where it has moved. */
async function caretsAfter(
  film: Film,
  steps: readonly LearntStep[],
  restless: Restless | null,
): Promise<Learnt['carets']> {
  const { closed, frames } = film;
  const places = caretFrames(frames, steps);
  const carets: Learnt['carets'] = [];
  let last: ReadonlySet<number> = new Set();
  const pictures = new Map<number, RgbImage>();
  /** Looks at the steps whose pictures are all there, and forgets those before them: pictures take much memory. */
  async function look(): Promise<void> {
    for (let own = places[carets.length]; own?.every((place) => pictures.has(place)); own = places[carets.length]) {
      const { before } = steps[carets.length]!;
      const some = own.flatMap((place) => pictures.get(place) ?? []);
      const same = own.length > 0 && own.every((place) => isShownIn(closed, place, before));
      const caret = same ? caretIn(await readRgb(before.file), some, restlessIn(restless, before)) : null;
      const place = own[caret?.shown ?? -1];
      const stayed = caret?.blocks.size === last.size && [...last].every((block) => caret.blocks.has(block));
      carets.push(caret && place !== undefined && !stayed ? { place, blocks: [...caret.blocks] } : null);
      if (caret) last = caret.blocks;
      for (const seen of pictures.keys()) if (seen < (own[0] ?? 0)) pictures.delete(seen);
    }
  }
  await look();
  const placeOf = new Map(places.flat().flatMap((place) => (frames[place] ? [[frames[place], place]] : [])));
  await decodeOf(film, [...placeOf.keys()], async (frame, picture) => {
    pictures.set(placeOf.get(frame) ?? -1, picture);
    await look();
  });
  return carets;
}

/** The places of those pictures without the pointer in which the target looks other than before the step. */
async function awaysBefore(
  film: Film,
  steps: readonly LearntStep[],
  restless: Restless | null,
): Promise<Learnt['aways']> {
  const { closed, frames } = film;
  const others = new Set<LearntStep>();
  const wanted = new Map<Frame, LearntStep[]>();
  for (const step of steps) {
    const frame = step.away === null ? undefined : frames[step.away];
    if (!frame || !isShownIn(closed, step.away ?? -1, step.before)) continue;
    wanted.set(frame, [...(wanted.get(frame) ?? []), step]);
  }
  await decodeOf(film, [...wanted.keys()], async (frame, picture) => {
    for (const step of wanted.get(frame) ?? []) {
      const { before, at } = step;
      const target = at && { x: at.x - before.x, y: at.y - before.y };
      const still = await readRgb(before.file);
      if (target && !isAt(still, picture, target, { x: 0, y: 0 }, restlessIn(restless, before))) others.add(step);
    }
  });
  return steps.map((step) => (others.has(step) ? step.away : null));
}

function isShownIn(closed: ClosedRecording, place: number, rect: PlayPicture): boolean {
  const picture = closed.picture(place);
  return picture !== null && isSameRect({ ...picture.origin, width: picture.width, height: picture.height }, rect);
}

/** The parts of its screen that change by themselves; null where none do, or its picture did not stay one rectangle. */
async function restlessOf(film: Film, events: readonly RawEvent[]): Promise<Restless | null> {
  const { frames } = film;
  const { meta, views } = film.closed;
  const [segment] = meta.segments;
  const rect = views[0]?.rect;
  if (!segment || !rect || meta.segments.length > 1) return null;
  const { width, height } = segment;
  if (views.some((one) => !isSameRect(one.rect, { ...rect, width, height }))) return null;
  const inputs = events.filter(isInput).map(({ t }) => t);
  const pauses: { start: number; end: number }[] = [];
  for (const { type, t } of events) {
    const open = pauses.at(-1);
    if (type === 'resume' && open?.end === ENDLESS) open.end = t;
    if (type === 'pause' && open?.end !== ENDLESS) pauses.push({ start: t, end: ENDLESS });
  }
  const looked = idleStretches(inputs, meta.span ?? { start: 0, end: frames.at(-1)?.t ?? 0 }, pauses).map((one) =>
    framesOf(one, frames),
  );
  // Most screens stand still, and then nothing is decoded.
  if (looked.filter((some) => some.length > 2).length < 2) return null;
  const seen: ReadonlyMap<number, number>[] = [];
  // One after another: pictures of a large screen take much memory.
  for (const some of looked) {
    const pictures: RgbImage[] = [];
    await decodeOf(film, some, (_, picture) => void pictures.push(picture));
    seen.push(looksOf(pictures));
  }
  const blocks = [...restlessBlocks(seen, { width, height })];
  return blocks.length === 0 ? null : { ...rect, blocks };
}

/** Decodes some of its frames and hands them over one after another, in the order of time. */
async function decodeOf(
  { closed: { folder, meta }, indexes, ffmpeg, signal }: Film,
  some: readonly Frame[],
  take: (frame: Frame, picture: RgbImage) => Promise<void> | void,
): Promise<void> {
  for (const segment of meta.segments) {
    const own = new Map(some.flatMap((frame) => ((frame.seg ?? 0) === segment.index ? [[frame.pts, frame]] : [])));
    if (own.size === 0) continue;
    const { path: file, release } = await localVideo(folder, segment.file, signal);
    try {
      const blocks =
        indexes.get(segment) ?? (await readMkvIndex(file, { named: segment.frames, ...(signal && { signal }) })).blocks;
      indexes.set(segment, blocks);
      await decodeFrames(
        { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) },
        { file, blocks, width: segment.width, height: segment.height },
        [...own.keys()],
        async (picture) => {
          const frame = own.get(picture.pts);
          if (frame) await take(frame, picture);
        },
        signal,
      );
    } finally {
      await release();
    }
  }
}
