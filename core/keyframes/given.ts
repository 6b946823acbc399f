import type { Frame } from '../../schemas/frames.ts';
import type { KeyframeChoice } from './choose.ts';

/**
 * The keyframes of steps without input (A16): what stood on the screen at their beginning and at their end. They were chosen
 * as such (K6, or by the tool that made the trajectory), so nothing is chosen anew. `frames` ascend in `t`.
 */
export function givenKeyframes(
  steps: readonly { id: string; start: { t: number }; end: { t: number } }[],
  frames: readonly Frame[],
): KeyframeChoice[] {
  if (frames.length === 0) return [];
  const standing = (t: number): Frame => frames[Math.max(0, after(frames, t) - 1)]!;
  return steps.flatMap(({ id, start, end }) => {
    const [before, last] = [standing(start.t), standing(end.t)];
    return [
      { action: id, role: 'before' as const, frame: before.i, t: before.t },
      { action: id, role: 'after' as const, frame: last.i, t: last.t },
    ];
  });
}

/** The number of frames with a time of at most `t`. */
function after(frames: readonly Frame[], t: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (frames[middle]!.t > t) high = middle;
    else low = middle + 1;
  }
  return low;
}
