import type { Frame } from '../../../schemas/frames.ts';
import type { Segment } from '../../../schemas/recording.ts';
import type { GaiaSlot } from './pictures.ts';

/** Slots that follow each other in one size: a segment of the master. */
export type Stretch = { segment: Segment; slots: GaiaSlot[] };

export function stretchesOf(slots: readonly GaiaSlot[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const [at, slot] of slots.entries()) {
    const { width, height } = slot.picture;
    const last = stretches.at(-1);
    if (last && last.segment.width === width && last.segment.height === height) {
      last.slots.push(slot);
      last.segment.frames++;
      continue;
    }
    const index = stretches.length;
    const file = index === 0 ? 'screen.mkv' : `screen-${index}.mkv`;
    stretches.push({ segment: { index, file, width, height, firstFrame: at, frames: 1 }, slots: [slot] });
  }
  return stretches;
}

export function slotFrames(stretches: readonly Stretch[]): Frame[] {
  const frames: Frame[] = [];
  for (const { segment, slots } of stretches) {
    for (const { t } of slots) {
      const before = frames.at(-1);
      const seg = segment.index === 0 ? {} : { seg: segment.index };
      frames.push({ i: frames.length, pts: (t - slots[0]!.t) / 1000, t, ...(before && { seen: before.t }), ...seg });
    }
  }
  return frames;
}
