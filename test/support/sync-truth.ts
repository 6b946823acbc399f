import path from 'node:path';
import { colourOf, type Paint, syncError } from './paints.ts';
import { decode, readFrames, readRecording, sessionUs } from './recordings.ts';

/** Judges a recording's times by what the truth painter logged, through the files alone (capture.md, “sync error”). */

export type Judged = {
  paint: Paint;
  /** The first frame with the paint's colour; null: it is in no frame, and so are the rest. */
  frame: number | null;
  /** µs, signed, against the interval (`seen`, `t`] of that frame. */
  error: number | null;
  /** The same against the times of frames alone: (`t` of the frame before, or `seen` when later; `t`]. */
  errorByTimes: number | null;
  /** Length of (`seen`, `t`], µs: an error of 0 says little when it is long. */
  interval: number | null;
};

/**
 * `at`: a place inside the painter's window, px of the picture. The recording has one segment. `tolerance`: how far each
 * channel may be off, where pictures are not exact.
 */
export async function judge(
  folder: string,
  paints: readonly Paint[],
  at: { x: number; y: number },
  tolerance = 0,
): Promise<Judged[]> {
  const recording = readRecording(folder);
  const frames = readFrames(folder);
  const colours: number[] = [];
  const file = path.join(folder, recording.segments[0]?.file ?? 'screen.mkv');
  await decode(file, { x: at.x, y: at.y, width: 2, height: 2 }, (rgb) => colours.push(rgb.readUIntBE(0, 3)));
  if (colours.length !== frames.length) {
    throw new Error(`${colours.length} frames decode, frames.jsonl has ${frames.length}`);
  }
  // Colours repeat after 256 paints, so each is looked for after the one before it.
  let from = 0;
  return paints.map((paint) => {
    const index = colours.findIndex((colour, i) => i >= from && isNear(colour, colourOf(paint.n), tolerance));
    const frame = frames[index];
    if (index < 0 || !frame) return { paint, frame: null, error: null, errorByTimes: null, interval: null };
    from = index;
    const painted = { before: sessionUs(recording, paint.before), after: sessionUs(recording, paint.after) };
    const { t, seen = null } = frame;
    const previous = frames[index - 1]?.t ?? null;
    const latest = seen === null || previous === null ? seen : Math.max(seen, previous);
    return {
      paint,
      frame: index,
      error: syncError(painted, seen, t),
      errorByTimes: syncError(painted, latest, t),
      interval: seen === null ? null : t - seen,
    };
  });
}

const isNear = (a: number, b: number, tolerance: number): boolean =>
  [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 0xff) - ((b >> shift) & 0xff)) <= tolerance);

export type SyncSummary = {
  paints: number;
  found: number;
  exact: number;
  exactByTimes: number;
  maxErrorUs: number;
  maxErrorByTimesUs: number;
  medianUs: number;
  medianIntervalUs: number;
  /** The errors that are not 0. */
  outside: number[];
};

const known = (numbers: (number | null)[]): number[] => numbers.filter((n) => n !== null).toSorted((a, b) => a - b);

export function summarize(judged: readonly Judged[]): SyncSummary {
  const errors = known(judged.map(({ error }) => error));
  const byTimes = known(judged.map(({ errorByTimes }) => errorByTimes));
  const intervals = known(judged.map(({ interval }) => interval));
  return {
    paints: judged.length,
    found: errors.length,
    exact: errors.filter((error) => error === 0).length,
    exactByTimes: byTimes.filter((error) => error === 0).length,
    maxErrorUs: Math.max(0, ...errors.map(Math.abs)),
    maxErrorByTimesUs: Math.max(0, ...byTimes.map(Math.abs)),
    medianUs: errors[errors.length >> 1] ?? 0,
    medianIntervalUs: intervals[intervals.length >> 1] ?? 0,
    outside: errors.filter((error) => error !== 0),
  };
}
