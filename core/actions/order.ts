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

/** `onLate` hears of a line that came after later ones had been taken; it is taken at once, with its own time. */
export function createQueue(take: Taker, onLate: (index: number, byUs: number) => void): Queue {
  let events: RawEvent[] = [];
  let indices: number[] = [];
  let times: number[] = [];
  let head = 0;
  let newest = Number.NEGATIVE_INFINITY;
  let taken = Number.NEGATIVE_INFINITY;

  function release(until: number): void {
    while (head < times.length && times[head]! <= until) {
      const t = times[head]!;
      taken = t;
      take(events[head]!, indices[head]!, t);
      head++;
    }
    if (head >= 4096) {
      // Drops the taken ones in blocks: no cost a line, and memory for the held-back lines only.
      events = events.slice(head);
      indices = indices.slice(head);
      times = times.slice(head);
      head = 0;
    }
  }

  return {
    push(event, index) {
      // A time that is no number would stop the order for all that follow: it counts as the newest (A14).
      const t = Number.isFinite(event.t) ? event.t : Math.max(newest, 0);
      if (t >= newest) {
        events.push(event);
        indices.push(index);
        times.push(t);
        newest = t;
        if (times[head]! <= t - HOLD_BACK_US) release(t - HOLD_BACK_US);
      } else if (t < taken) {
        onLate(index, taken - t);
        take(event, index, t);
      } else {
        let at = times.length;
        while (at > head && times[at - 1]! > t) at--;
        events.splice(at, 0, event);
        indices.splice(at, 0, index);
        times.splice(at, 0, t);
        release(newest - HOLD_BACK_US);
      }
    },
    flush: () => release(Number.POSITIVE_INFINITY),
    holds: (index) => indices.indexOf(index, head) >= head,
  };
}
