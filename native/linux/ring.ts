import type { Frame } from '../../schemas/frames.ts';
import { type FeedQueue, isPinned } from './feed-queue.ts';
import { createShmImage, freeShmImage, type ShmImage } from './shm.ts';
import type { XDisplay } from './x11.ts';

/** The last few pictures of the screen, each with its frame, in memory shared with the X server. */
export type Ring = { slots: Slot[]; current: Slot | null };
export type Slot = { index: number; image: ShmImage; frame: Frame | null };

const MEMORY = 400 * 2 ** 20;
const MIN_SLOTS = 5;
const MAX_RING_SLOTS = 14;

/** As many slots as fit into 400 MB, 5 to 14: 14 at full HD is half a second of pictures at 30 fps. */
export function slotCount(width: number, height: number): number {
  return Math.max(MIN_SLOTS, Math.min(MAX_RING_SLOTS, Math.floor(MEMORY / (width * height * 4))));
}

export function createRing(display: XDisplay, width: number, height: number): Ring {
  const slots: Slot[] = [];
  const count = slotCount(width, height);
  for (let index = 0; index < count; index++) {
    slots.push({ index, image: createShmImage(display, width, height), frame: null });
  }
  return { slots, current: null };
}

export function freeRing(display: XDisplay, ring: Ring): void {
  for (const slot of ring.slots) freeShmImage(display, slot.image);
}

/** The slot to read the screen into: an empty one, else the oldest that nobody needs. Null when the encoder holds all. */
export function freeSlot(ring: Ring, queue: FeedQueue): Slot | null {
  let oldest: Slot | null = null;
  for (const slot of ring.slots) {
    if (slot === ring.current || isPinned(queue, slot.index)) continue;
    if (!slot.frame) return slot;
    if (!oldest?.frame || slot.frame.t < oldest.frame.t) oldest = slot;
  }
  return oldest;
}

/** The picture that was on the screen at `t`, if it is still here: the newest whose frame was taken at or before `t`. */
export function onScreenAt(ring: Ring, t: number): Slot | null {
  let best: Slot | null = null;
  for (const slot of ring.slots) {
    if (!slot.frame || slot.frame.t > t) continue;
    if (!best?.frame || slot.frame.t > best.frame.t) best = slot;
  }
  return best;
}
