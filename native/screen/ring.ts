import type { Frame } from '../../schemas/frames.ts';
import { type FeedQueue, isPinned } from './feed-queue.ts';
import type { Picture } from './picture.ts';

/** The last few pictures of the screen, each with its frame. */
export type Ring<P extends Picture> = { slots: Slot<P>[]; current: Slot<P> | null };
export type Slot<P extends Picture> = {
  index: number;
  image: P;
  frame: Frame | null;
  /** It waits for its judgement (I6). */
  held: boolean;
};

/** Where pictures lie: memory shared with the X server, or this process's own. */
export type PictureMemory<P extends Picture> = { make(width: number, height: number): P; free(picture: P): void };

const MEMORY = 400 * 2 ** 20;
const MIN_SLOTS = 5;
const MAX_RING_SLOTS = 14;

/** As many slots as fit into 400 MB, 5 to 14: 14 at full HD is half a second of pictures at 30 fps. */
function slotCount(width: number, height: number): number {
  return Math.max(MIN_SLOTS, Math.min(MAX_RING_SLOTS, Math.floor(MEMORY / (width * height * 4))));
}

export function createRing<P extends Picture>(memory: PictureMemory<P>, width: number, height: number): Ring<P> {
  const slots: Slot<P>[] = [];
  const count = slotCount(width, height);
  for (let index = 0; index < count; index++) {
    slots.push({ index, image: memory.make(width, height), frame: null, held: false });
  }
  return { slots, current: null };
}

export function freeRing<P extends Picture>(memory: PictureMemory<P>, ring: Ring<P>): void {
  for (const slot of ring.slots) memory.free(slot.image);
}

/** The slot to read the screen into: an empty one, else the oldest that nobody needs. Null when the encoder holds all. */
export function freeSlot<P extends Picture>(ring: Ring<P>, queue: FeedQueue): Slot<P> | null {
  let oldest: Slot<P> | null = null;
  for (const slot of ring.slots) {
    if (slot === ring.current || slot.held || isPinned(queue, slot.index)) continue;
    if (!slot.frame) return slot;
    if (!oldest?.frame || slot.frame.t < oldest.frame.t) oldest = slot;
  }
  return oldest;
}

/** The picture that was on the screen at `t`, if it is still here: the newest whose frame was taken at or before `t`. */
export function onScreenAt<P extends Picture>(ring: Ring<P>, t: number): Slot<P> | null {
  let best: Slot<P> | null = null;
  for (const slot of ring.slots) {
    if (!slot.frame || slot.frame.t > t) continue;
    if (!best?.frame || slot.frame.t > best.frame.t) best = slot;
  }
  return best;
}
