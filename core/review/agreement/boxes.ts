import type { Rect } from '../../../schemas/events.ts';
import { holdsPoint } from '../../rect.ts';

/** Boxes are in px of one picture's own frame, half open: a box of width 1 covers one column (R6). */

/**
 * Whether a click at a box's centre, which is where an agent that learnt the box would click, is in the other: the mean of
 * both ways, so 0, 0.5 or 1 (R6; the measure of GUI grounding benchmarks, Cheng et al. 2024, SeeClick, ScreenSpot).
 */
export function clickInBox(a: Rect, b: Rect): number {
  return (Number(centreLiesIn(a, b)) + Number(centreLiesIn(b, a))) / 2;
}

const centreLiesIn = (a: Rect, b: Rect): boolean => holdsPoint(b, a.x + a.width / 2, a.y + a.height / 2);

/** The box whose edges are the mean of the boxes' edges, rounded: at least 1 px each way, and inside what holds them all. */
export function meanBox(boxes: readonly Rect[]): Rect {
  const mean = (edge: (box: Rect) => number) =>
    Math.round(boxes.reduce((sum, box) => sum + edge(box), 0) / boxes.length);
  const x = mean((box) => box.x);
  const y = mean((box) => box.y);
  return {
    x,
    y,
    width: Math.max(1, mean((box) => box.x + box.width) - x),
    height: Math.max(1, mean((box) => box.y + box.height) - y),
  };
}
