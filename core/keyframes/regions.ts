/**
 * K10: keyframes of a desktop's video. A phone changes its whole screen, a desktop a dialog, a menu or a line of text: so it
 * counts where something changed, not how much of all. Pure: the studio decodes.
 */

import { markWatcher } from './marks.ts';

/** A grey picture as `width` x `height` bytes. */
type Grey = Uint8Array;

export type RegionOptions = {
  width: number;
  height: number;
  /** The least region, as a share of the picture, 0 to 1: smaller ones are a caret or a pointer. */
  region: number;
  /** A picture counts when nothing of that size changes for so long, ms. */
  stillMs: number;
  /** K11: smaller changes count as well, but for carets, pointers and what changes again and again. */
  marks?: boolean;
};

/** K10: a 450th of the picture: the box of a short word. Three tenths of a second are K2's stillness. */
export const REGION_SHARE = 1 / 450;
export const STILL_MS = 300;

/** A pixel differs when its grey value does by more than this, of 255: compression changes every pixel a little. */
const DIFFERS = 10;
/** Pixels a side of a cell, as a power of two; a cell has changed when so many of its pixels differ. */
const CELL_BITS = 3;
const CELL_PIXELS = 3;
/** In a small picture a few cells are a large share; fewer than these are never a region. */
const LEAST_CELLS = 5;
/** Where something never stands still (a video that plays), a picture is taken after so many ms. */
const MOST_RESTLESS_MS = 3000;

export type RegionSample = {
  frame: number;
  /** Size of the largest region that differs from the last kept picture, as a share; null: no picture was kept before. */
  share: number | null;
  kept: boolean;
};

/**
 * Takes pictures in the order of time and gives those that stand still, each with what differs from the last kept one. The
 * first is kept; of the others, those that differ by a region. Memory: four pictures.
 */
export function regionChooser({ width, height, region, stillMs, marks = false }: RegionOptions) {
  const small = marks ? markWatcher(width) : null;
  const compare = regionComparer(width, height);
  const least = Math.max(LEAST_CELLS, Math.ceil(region * compare.cells));
  const samples: RegionSample[] = [];
  let kept: Grey | null = null;
  /** Since `time` nothing has changed by a region against `grey`; the newest picture of that time is the one to take. */
  let waiting: { time: number; grey: Grey; newest: { frame: number; grey: Grey } } | null = null;
  let restlessFrom = 0;

  const settle = (): void => {
    if (waiting === null) return;
    const { frame, grey } = waiting.newest;
    small?.settled(grey, waiting.time);
    const size = kept === null ? null : compare.largest(kept, grey);
    const isKept = kept === null || size === null || size >= least || (small?.isOther(kept, grey) ?? false);
    if (isKept) kept = grey;
    samples.push({ frame, share: size === null ? null : size / compare.cells, kept: isKept });
    waiting = null;
  };

  return {
    /** `grey` is kept, not copied: it must not change afterwards. */
    add(frame: number, timeMs: number, grey: Grey): void {
      if (waiting !== null) {
        const isStill = timeMs - waiting.time >= stillMs;
        const isMoved =
          !isStill &&
          (compare.largest(waiting.grey, grey) >= least || (small?.isOther(waiting.newest.grey, grey) ?? false));
        if (isStill || (isMoved && timeMs - restlessFrom >= MOST_RESTLESS_MS)) {
          settle();
          restlessFrom = timeMs;
        } else if (!isMoved) {
          waiting.newest = { frame, grey };
          return;
        }
      } else {
        restlessFrom = timeMs;
      }
      waiting = { time: timeMs, grey, newest: { frame, grey } };
    },
    finish(): RegionSample[] {
      settle();
      return samples;
    },
  };
}

/** Finds the largest region in which two pictures differ, in cells: cells that touch, also by a corner. */
function regionComparer(width: number, height: number) {
  const side = 1 << CELL_BITS;
  const columns = Math.ceil(width / side);
  const rows = Math.ceil(height / side);
  const counts = new Uint8Array(columns * rows);
  const stack = new Int32Array(columns * rows);
  const count = (a: Grey, b: Grey): void => {
    counts.fill(0);
    for (let y = 0, at = 0; y < height; y++) {
      const row = (y >> CELL_BITS) * columns;
      for (let x = 0; x < width; x++, at++) {
        const by = a[at]! - b[at]!;
        if (by > DIFFERS || by < -DIFFERS) counts[row + (x >> CELL_BITS)]!++;
      }
    }
  };
  /** How many cells hang together from this one; they are cleared. */
  const take = (first: number): number => {
    let top = 0;
    let size = 0;
    stack[top++] = first;
    counts[first] = 0;
    while (top > 0) {
      const cell = stack[--top]!;
      size++;
      const x = cell % columns;
      const y = (cell - x) / columns;
      for (let v = Math.max(0, y - 1); v <= Math.min(rows - 1, y + 1); v++) {
        for (let u = Math.max(0, x - 1); u <= Math.min(columns - 1, x + 1); u++) {
          const other = v * columns + u;
          if (counts[other]! < CELL_PIXELS) continue;
          counts[other] = 0;
          stack[top++] = other;
        }
      }
    }
    return size;
  };
  return {
    cells: columns * rows,
    largest(a: Grey, b: Grey): number {
      count(a, b);
      let most = 0;
      for (let cell = 0; cell < counts.length; cell++) {
        if (counts[cell]! >= CELL_PIXELS) most = Math.max(most, take(cell));
      }
      return most;
    },
  };
}
