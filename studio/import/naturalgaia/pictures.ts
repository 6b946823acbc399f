import sharp from 'sharp';
import type { TrajectoryStep } from '../../../core/import/naturalgaia.ts';
import type { RawPicture } from '../../../native/ffmpeg/picture-master.ts';
import { StudioError } from '../../../schemas/errors.ts';

/** Pictures have no times: one a second, so that a person can play them. µs. */
export const STEP_US = 1_000_000;
const MOST_PIXELS = 64_000_000;

export type Picture = { path: string; width: number; height: number };

/** One picture on the time line. */
export type Slot = { t: number; picture: Picture };
/** A step from one place of the time line to another; `missing`: which of its pictures are not there. */
export type TimedStep = { t: number; until: number; missing: ('before' | 'after')[] };

/** Each picture once where steps share it: a step's after is mostly the next one's before. */
export function timeLine(
  steps: readonly TrajectoryStep[],
  pictures: readonly (Picture | null)[],
): { slots: Slot[]; steps: TimedStep[] } {
  const slots: Slot[] = [];
  let now = 0;
  const show = (index: number | null): number | null => {
    const picture = index === null ? null : (pictures[index] ?? null);
    if (picture === null) return null;
    const last = slots.at(-1);
    if (last?.picture.path === picture.path) return last.t;
    now = slots.length === 0 ? 0 : now + STEP_US;
    slots.push({ t: now, picture });
    return now;
  };
  const timed = steps.map(({ before, after }): TimedStep => {
    const from = show(before);
    const to = show(after);
    // Without its own picture a step shows what stood.
    const t = from ?? now;
    const until = to ?? t;
    const missing = [...(from === null ? (['before'] as const) : []), ...(to === null ? (['after'] as const) : [])];
    return { t, until: Math.max(t, until), missing };
  });
  return { slots, steps: timed };
}

/** Width and height as they are shown. Throws BAD_FILE for what is no picture, or too large. */
export async function measured(path: string, name: string): Promise<Picture> {
  try {
    const { width, height, orientation = 1 } = await sharp(path, { limitInputPixels: MOST_PIXELS }).metadata();
    // A photo that is turned by its note is turned.
    return orientation >= 5 ? { path, width: height, height: width } : { path, width, height };
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'damaged';
    throw new StudioError('BAD_FILE', `The image "${name}" cannot be read: ${why}. Nothing was kept.`, { file: name });
  }
}

/** The pixels of each slot, `pts` ms from the first of them. */
export async function* rawPictures(slots: readonly Slot[]): AsyncGenerator<RawPicture> {
  const zero = slots[0]?.t ?? 0;
  for (const { t, picture } of slots) {
    const { data } = await sharp(picture.path, { limitInputPixels: MOST_PIXELS })
      .rotate()
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (let at = 0; at < data.length; at += 4) {
      const red = data[at]!;
      data[at] = data[at + 2]!;
      data[at + 2] = red;
    }
    yield { pts: (t - zero) / 1000, bgr0: data };
  }
}
