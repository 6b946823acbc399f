import { minimumOffsetClock } from '../../clock/event-clock.ts';
import type { SessionClock } from '../../clock/session-clock.ts';

/** How a grabber's own frame stamps become session times (C3). */
export type PtsClock = {
  /** A frame's stamp, µs as the grabber made it, to session µs; `arrivedUs`: when its line reached us. */
  toSession(ptsUs: number, arrivedUs: number): number;
  /** Called about once a second while recording. */
  sample(): void;
};

/** Two readings of the wall clock's offset that differ by more than this are a step, not slewing, µs. */
const STEP_US = 5000;
/** Longest wait for the wall clock's next millisecond. */
const SPIN_US = 3000;
/** An anchor of two readings further apart than this was disturbed (another program ran in between), and is taken again, µs. */
const TIGHT_US = 100;
/** So often at most; the tightest one counts. */
const ANCHORS = 5;

/**
 * x11grab and gdigrab stamp frames with the wall clock (av_gettime). Anchors wall -> session are taken all the time, so a
 * stepped or slewed system clock moves no frame (C1). Date.now has whole milliseconds: an anchor is taken at the moment
 * one begins. After a step, a stamp is read with the offset, new or old, that puts it nearest before its arrival.
 */
export function wallPtsClock(clock: SessionClock, wallMs: () => number = Date.now): PtsClock {
  /** Wall µs minus session µs, newest first; a second entry after a step. */
  let offsets: number[] = [];
  /** The wall's next millisecond begins at most `width` before the session time that `offset` was made with. */
  const nextMillisecond = (): { offset: number; width: number } => {
    const first = wallMs();
    const start = clock.now();
    let [wall, before, now] = [first, start, start];
    while (wall === first && now - start < SPIN_US) {
      before = now;
      wall = wallMs();
      now = clock.now();
    }
    return { offset: wall * 1000 - now, width: now - before };
  };
  const anchor = (): number => {
    let best = nextMillisecond();
    for (let n = 1; n < ANCHORS && best.width > TIGHT_US; n++) {
      const next = nextMillisecond();
      if (next.width < best.width) best = next;
    }
    return best.offset;
  };
  const sample = (): void => {
    const offset = anchor();
    const newest = offsets[0];
    if (newest !== undefined && Math.abs(offset - newest) > STEP_US) offsets = [offset, newest];
    else offsets = [offset, ...offsets.slice(1)];
  };
  sample();
  return {
    sample,
    toSession: (ptsUs, arrivedUs) => {
      // A stamp that no known offset explains: the clock has just been stepped.
      const explains = (offset: number): boolean => Math.abs(arrivedUs - (ptsUs - offset)) < 2_000_000;
      if (!offsets.some(explains)) sample();
      let best = ptsUs - offsets[0]!;
      for (const offset of offsets.slice(1)) {
        const time = ptsUs - offset;
        // 2 ms: an anchor's own error; a frame does not come from the future.
        const late = (value: number): number =>
          value > arrivedUs + 2000 ? Number.POSITIVE_INFINITY : arrivedUs - value;
        if (late(time) < late(best)) best = time;
      }
      return Math.round(best);
    },
  };
}

/** ddagrab stamps frames on a clock of its own: offset = running minimum of (arrival - stamp), as for events (C2). */
export function arrivalPtsClock(): PtsClock {
  const events = minimumOffsetClock(() => 0, { driftUsPerSecond: 50 });
  return { sample: () => {}, toSession: (ptsUs, arrivedUs) => events.toSession(ptsUs / 1000, arrivedUs) };
}

/** avfoundation stamps frames with the host clock: `toSession` is given by the macOS adapter. */
export function hostPtsClock(toSession: (ptsUs: number) => number): PtsClock {
  return { sample: () => {}, toSession: (ptsUs) => Math.round(toSession(ptsUs)) };
}
