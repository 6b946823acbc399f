import { CALM_SHARE, isChange } from '../../core/keyframes/choose.ts';
import type { PlayPicture } from '../../core/play/part.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { Frame } from '../../schemas/frames.ts';
import { placeIn } from '../files/inside.ts';
import { hasBytes } from '../files/kept/list.ts';
import type { ClosedRecording } from '../recordings/closed.ts';
import { cutFrames } from '../recordings/cut.ts';
import { KEYFRAMES_FOLDER } from '../recordings/folders.ts';

/** Pictures of a demonstration beside those of its steps. */

const ENDLESS = Number.MAX_SAFE_INTEGER;

/**
 * The demonstration's last picture, when it was taken and when it had come to rest, µs; null where its last step has no later one. A last step may
 * show something passing (a bar while the file is written), which nothing after it puts right.
 */
export async function lastPicture(
  closed: ClosedRecording,
  { stepEnd, events, changes }: { stepEnd: number; events: readonly RawEvent[]; changes: readonly Frame[] },
  ffmpeg: FfmpegInfo,
  signal?: AbortSignal,
): Promise<{ picture: PlayPicture; t: number; restAt: number } | null> {
  const { meta, frames } = closed;
  const pause = events.find(({ type, t }) => type === 'pause' && t >= stepEnd)?.t ?? ENDLESS;
  const end = Math.min(meta.span?.end ?? ENDLESS, pause);
  const place = frames.findLastIndex(([, t]) => t >= stepEnd && t < end);
  const frame = closed.frameAt(place);
  const picture = (await picturesAt(closed, [place], ffmpeg, signal)).get(place);
  if (!frame || !picture) return null;
  const { width, height } = closed.resolution;
  const pixels = CALM_SHARE * width * height;
  const rest = changes.findLast((one) => one.t >= stepEnd && one.t <= frame.t && isChange(one, pixels));
  return { picture, t: frame.t, restAt: rest?.t ?? stepEnd };
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
  const there = (file: string): boolean => hasBytes(folder, file);
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
