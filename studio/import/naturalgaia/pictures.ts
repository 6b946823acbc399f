import type { NaturalGaiaStep } from '../../../core/import/naturalgaia.ts';
import type { RawPicture } from '../../../native/ffmpeg/picture-master.ts';
import { checkedPicture } from '../../files/picture.ts';

/** Pictures have no times: one a second, so that a person can play them. µs. */
export const STEP_US = 1_000_000;

export type GaiaPicture = { path: string; width: number; height: number };

/** One picture on the time line. */
export type GaiaSlot = { t: number; picture: GaiaPicture };
/** A step from one place of the time line to another; `missing`: which of its pictures are not there. */
export type TimedStep = { t: number; until: number; missing: ('before' | 'after')[] };

/** Each picture once where steps share it: a step's after is mostly the next one's before. */
export function timeLine(
  steps: readonly NaturalGaiaStep[],
  pictures: readonly (GaiaPicture | null)[],
): { slots: GaiaSlot[]; steps: TimedStep[] } {
  const slots: GaiaSlot[] = [];
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
export async function measured(path: string, name: string): Promise<GaiaPicture> {
  const { width, height } = await checkedPicture(path, { name: `The image "${name}"` });
  return { path, width, height };
}

/** The pixels of each slot, `pts` ms from the first of them. */
export async function* rawPictures(slots: readonly GaiaSlot[]): AsyncGenerator<RawPicture> {
  const zero = slots[0]?.t ?? 0;
  for (const { t, picture } of slots) {
    const { picture: pixels } = await checkedPicture(picture.path);
    const { data } = await pixels
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
