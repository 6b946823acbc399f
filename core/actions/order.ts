import type { RawEvent } from '../../schemas/events.ts';

/**
 * Holds raw lines back so that they can be taken in the order of their times (A2). Lines mostly come in order; hooks and
 * watchers of one recorder are late by milliseconds, never by seconds.
 */
export const HOLD_BACK_US = 3_000_000;

type Taker = (event: RawEvent, index: number, t: number) => void;

type Queue = {
  push(event: RawEvent, index: number): void;
  /** Gives out all that is held back. */
  flush(): void;
  /** True while the line with this raw index is held back. */
  holds(index: number): boolean;
};

type Held = { event: RawEvent; index: number; t: number };

/** `onLate` hears of a line that came after later ones had been taken; it is taken at once, with its own time. */
export function createQueue(take: Taker, onLate: (index: number, byUs: number) => void): Queue {
  /** Lines that came in the order of their times, as nearly all do: from `head` on they are held back. */
  let ordered: Held[] = [];
  let head = 0;
  const others = heapOfHeld();
  let newest = Number.NEGATIVE_INFINITY;
  let taken = Number.NEGATIVE_INFINITY;

  /** The one to be taken next. */
  function first(): Held | undefined {
    const [one, other] = [ordered[head], others.first()];
    return one && other ? (isBefore(other, one) ? other : one) : (one ?? other);
  }

  function release(until: number): void {
    for (let next = first(); next && next.t <= until; next = first()) {
      if (next === ordered[head]) head++;
      else others.takeFirst();
      taken = next.t;
      take(next.event, next.index, next.t);
    }
    // Drops the taken ones in blocks, no smaller than what stays: no cost a line, and memory for those held back only.
    if (head >= 4096 && 2 * head >= ordered.length) {
      ordered = ordered.slice(head);
      head = 0;
    }
  }

  return {
    push(event, index) {
      // A time that is no number would stop the order for all that follow: it counts as the newest (A14).
      const t = Number.isFinite(event.t) ? event.t : Math.max(newest, 0);
      if (t >= newest) {
        ordered.push({ event, index, t });
        newest = t;
        if (first()!.t <= t - HOLD_BACK_US) release(t - HOLD_BACK_US);
      } else if (t < taken) {
        onLate(index, taken - t);
        take(event, index, t);
      } else {
        others.add({ event, index, t });
        release(newest - HOLD_BACK_US);
      }
    },
    flush: () => release(Number.POSITIVE_INFINITY),
    holds: (index) => others.holds(index) || isIn(ordered, head, index),
  };
}

/** Earlier lines go first; of two with the same time, the one that came first. */
const isBefore = (one: Held, other: Held): boolean => one.t < other.t || (one.t === other.t && one.index < other.index);

/** Whether it is among those from `low` on, which stand in the order of their indices. */
function isIn(held: readonly Held[], low: number, index: number): boolean {
  let [from, to] = [low, held.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (held[middle]!.index < index) from = middle + 1;
    else to = middle;
  }
  return held[from]?.index === index;
}

/** A heap: however many lines come in the wrong order, each costs a few steps. */
function heapOfHeld() {
  const heap: Held[] = [];
  const indices = new Set<number>();
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  return {
    first: (): Held | undefined => heap[0],
    holds: (index: number): boolean => indices.has(index),
    add(one: Held): void {
      indices.add(one.index);
      heap.push(one);
      for (let at = heap.length - 1; at > 0; ) {
        const above = (at - 1) >> 1;
        if (!isBefore(heap[at]!, heap[above]!)) return;
        swap(at, above);
        at = above;
      }
    },
    takeFirst(): void {
      indices.delete(heap[0]!.index);
      const last = heap.pop()!;
      if (heap.length === 0) return;
      heap[0] = last;
      for (let at = 0; ; ) {
        let least = at;
        for (const below of [2 * at + 1, 2 * at + 2])
          if (below < heap.length && isBefore(heap[below]!, heap[least]!)) least = below;
        if (least === at) return;
        swap(at, least);
        at = least;
      }
    },
  };
}
