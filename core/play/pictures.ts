import type { PlayedStep } from '../../schemas/play.ts';

/** The frames of a play's own recording that its verdicts are about: numbers of frames.jsonl, or null. */
export type PlayedPictures = { before: number | null; after: number | null };

type Frames = readonly (readonly [i: number, t: number, segment: number])[];

/** For each step what the screen looked like when it was judged (PL18). The recorder sees a change up to two frames later. */
export function playedPictures(steps: readonly PlayedStep[], frames: Frames, fps: number): PlayedPictures[] {
  const late = Math.ceil(2e6 / fps);
  return steps.map(({ seen }, n) => {
    if (!seen) return { before: null, after: null };
    const next = steps[n + 1]?.seen?.before ?? Number.POSITIVE_INFINITY;
    return {
      before: seen.before === null ? null : frameUntil(frames, seen.before),
      after: seen.after === null ? null : frameUntil(frames, Math.min(seen.after + late, Math.max(next, seen.after))),
    };
  });
}

function frameUntil(frames: Frames, t: number): number | null {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((frames[middle]?.[1] ?? 0) <= t) low = middle + 1;
    else high = middle;
  }
  return (frames[low - 1] ?? frames[0])?.[0] ?? null;
}
