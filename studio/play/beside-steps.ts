import { caretFrames, caretIn, type Pause } from '../../core/play/caret.ts';
import { framesOf, idleStretches, looksOf, restlessBlocks, restlessIn } from '../../core/play/restless.ts';
import { isSameRect } from '../../core/rect.ts';
import { decodeFrames } from '../../native/ffmpeg/decode.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs } from '../../native/ffmpeg/master.ts';
import { readMkvIndex } from '../../native/mkv/read.ts';
import { isInput, type RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { RgbImage } from '../../schemas/picture.ts';
import { fileIn, findFile, placeIn } from '../files/inside.ts';
import { readRgb } from '../files/picture.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { cutFrames } from '../recordings/cut.ts';
import { KEYFRAMES_FOLDER } from '../recordings/folders.ts';
import type { PlayCaret, PlayPicture, Restless } from './protocol.ts';

/** What a demonstration shows beside the pictures of its steps. */

const ENDLESS = Number.MAX_SAFE_INTEGER;
/** A change of fewer pixels is a caret (K2). */
const CALM_SHARE = 0.001;

/**
 * The demonstration's last picture, and when it had come to rest, µs; null where its last step has no later one. A last step may
 * show something passing (a bar while the file is written), which nothing after it puts right.
 */
export async function lastPicture(
  closed: ClosedRecording,
  { stepEnd, events }: { stepEnd: number; events: readonly RawEvent[] },
  ffmpeg: FfmpegInfo,
  signal?: AbortSignal,
): Promise<{ picture: PlayPicture; restAt: number } | null> {
  const { meta, frames } = closed;
  const pause = events.find(({ type, t }) => type === 'pause' && t >= stepEnd)?.t ?? ENDLESS;
  const end = Math.min(meta.span?.end ?? ENDLESS, pause);
  const place = frames.findLastIndex(([, t]) => t >= stepEnd && t < end);
  const frame = closed.frameAt(place);
  const picture = (await picturesAt(closed, [place], ffmpeg, signal)).get(place);
  if (!frame || !picture) return null;
  const { width, height } = closed.resolution;
  const isChange = ({ changed }: Frame): boolean => changed === undefined || changed >= CALM_SHARE * width * height;
  const rest = closed.changes().findLast((one) => one.t >= stepEnd && one.t <= frame.t && isChange(one));
  return { picture, restAt: rest?.t ?? stepEnd };
}

/**
 * The pictures of these frames, by their places among `frames`; what cannot be had is left out. Those that are no stills yet are
 * cut, since they are no keyframes.
 */
export async function picturesAt(
  closed: ClosedRecording,
  places: readonly number[],
  ffmpeg: FfmpegInfo,
  signal?: AbortSignal,
): Promise<Map<number, PlayPicture>> {
  const { folder, meta } = closed;
  const there = (file: string): boolean => findFile(folder, file) !== null;
  const pictures = new Map<number, PlayPicture>();
  const cut: Frame[] = [];
  for (const place of new Set(places)) {
    const frame = closed.frameAt(place);
    const picture = closed.picture(place);
    if (!frame || !picture) continue;
    const master = meta.segments.find(({ index }) => index === (frame.seg ?? 0))?.file;
    const still = there(`${KEYFRAMES_FOLDER}/${frame.t}.png`);
    // A demonstration whose stills are all that is left is played by them.
    if (!still && (master === undefined || !there(master))) continue;
    if (!still) cut.push(frame);
    const { path: file, origin, ...size } = picture;
    pictures.set(place, { file, ...origin, ...size });
  }
  const fileOf = ({ t }: Frame): string => placeIn(folder, `${KEYFRAMES_FOLDER}/${t}.png`);
  if (cut.length > 0) await cutFrames(folder, meta.segments, cut, fileOf, ffmpeg, signal ? { signal } : {});
  return pictures;
}

/** Where the caret is after each step, where it has moved (PL28); null where that is not known. */
export async function caretsAfter(
  closed: ClosedRecording,
  steps: readonly (Pause & { before: PlayPicture })[],
  restless: Restless | null,
  ffmpeg: FfmpegInfo,
  signal?: AbortSignal,
): Promise<(PlayCaret | null)[]> {
  const places = caretFrames(closed.changes(), steps);
  const pictures = await picturesAt(closed, places.flat(), ffmpeg, signal);
  const carets: (PlayCaret | null)[] = [];
  let last: ReadonlySet<number> = new Set();
  for (const [n, { before }] of steps.entries()) {
    const some = (places[n] ?? []).flatMap((place) => pictures.get(place) ?? []);
    const same = some.length > 0 && some.every((one) => isSameRect(one, before));
    const seen = same ? await Promise.all([before, ...some].map(({ file }) => readRgb(file))) : [];
    const [still, ...blinking] = seen;
    const caret = still ? caretIn(still, blinking, restlessIn(restless, before)) : null;
    const picture = some[caret?.shown ?? -1];
    const stayed = caret?.blocks.size === last.size && [...last].every((block) => caret.blocks.has(block));
    carets.push(caret && picture && !stayed ? { ...picture, blocks: [...caret.blocks] } : null);
    if (caret) last = caret.blocks;
  }
  return carets;
}

/** What changes by itself on its screen (PL24); null where nothing does, or its picture did not stay one rectangle. */
export async function restlessOf(
  closed: ClosedRecording,
  events: readonly RawEvent[],
  ffmpeg: FfmpegInfo,
  signal?: AbortSignal,
): Promise<Restless | null> {
  const { folder, meta, views } = closed;
  const [segment] = meta.segments;
  const rect = views[0]?.rect;
  if (!segment || !rect || meta.segments.length > 1 || findFile(folder, segment.file) === null) return null;
  const { width, height } = segment;
  if (views.some((one) => !isSameRect(one.rect, { ...rect, width, height }))) return null;
  const inputs = events.filter(isInput).map(({ t }) => t);
  const pauses: { start: number; end: number }[] = [];
  for (const { type, t } of events) {
    const open = pauses.at(-1);
    if (type === 'resume' && open?.end === ENDLESS) open.end = t;
    if (type === 'pause' && open?.end !== ENDLESS) pauses.push({ start: t, end: ENDLESS });
  }
  const frames = closed.changes();
  const looked = idleStretches(inputs, meta.span ?? { start: 0, end: frames.at(-1)?.t ?? 0 }, pauses).map((one) =>
    framesOf(one, frames),
  );
  // Most screens stand still, and then nothing is decoded.
  if (looked.filter((some) => some.length > 2).length < 2) return null;
  const file = fileIn(folder, segment.file);
  const { blocks } = await readMkvIndex(file, { named: segment.frames, ...(signal && { signal }) });
  const seen: ReadonlyMap<number, number>[] = [];
  // One after another: pictures of a large screen take much memory.
  for (const some of looked) {
    const pictures: RgbImage[] = [];
    await decodeFrames(
      { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) },
      { file, blocks, width, height },
      some.map(({ pts }) => pts),
      async (picture) => void pictures.push(picture),
      signal,
    );
    seen.push(looksOf(pictures));
  }
  const restless = [...restlessBlocks(seen, { width, height })];
  return restless.length === 0 ? null : { ...rect, blocks: restless };
}
