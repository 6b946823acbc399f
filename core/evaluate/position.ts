import type { EvaluateOptions } from '../../schemas/evaluate.ts';
import type { ClickTruth, DragTruth } from '../../schemas/questions.ts';

/** Clicks and drags (M1 to M6): videogui.txt 3.2 and A.3. Pixels of the picture, from its top left. */

export type PixelPair = readonly [x: number, y: number];
/** A position, or a box by two opposite corners. */
export type PointOrBox = PixelPair | readonly [x1: number, y1: number, x2: number, y2: number];

type Choices = Pick<EvaluateOptions, 'threshold' | 'comparator' | 'missingDist' | 'boxRecall'>;

/** `pixels` is d, `farthest` is L; `dist` is d / L, null when it is not counted. */
type PositionScore = { farthest: number; pixels: number | null; dist: number | null; recall: 0 | 1 };

/** L: from the truth to the farthest of (0,0), (W,0), (0,H), (W,H) (M1). */
function farthestCorner([x, y]: PixelPair, width: number, height: number): number {
  return Math.hypot(Math.max(Math.abs(x), Math.abs(width - x)), Math.max(Math.abs(y), Math.abs(height - y)));
}

/** d: to a position; for a box the mean over its four corners, so that a large box pays for its area (M2, A.3). */
function distanceTo([x, y]: PixelPair, place: PointOrBox): number {
  if (place.length === 2) return Math.hypot(place[0] - x, place[1] - y);
  const [x1, y1, x2, y2] = place;
  return (
    (Math.hypot(x1 - x, y1 - y) +
      Math.hypot(x1 - x, y2 - y) +
      Math.hypot(x2 - x, y1 - y) +
      Math.hypot(x2 - x, y2 - y)) /
    4
  );
}

/** Score of one place against the truth; null is a prediction that is missing or names no place (M5). */
function scorePosition(
  truth: PixelPair,
  width: number,
  height: number,
  place: PointOrBox | null,
  choices: Choices,
): PositionScore {
  const farthest = farthestCorner(truth, width, height);
  if (place === null) return { farthest, pixels: null, dist: choices.missingDist === 'one' ? 1 : null, recall: 0 };
  const pixels = distanceTo(truth, place);
  return { farthest, pixels, dist: pixels / farthest, recall: isHit(truth, place, pixels, choices) ? 1 : 0 };
}

export function scoreClick(truth: ClickTruth, place: PointOrBox | null, choices: Choices): PositionScore {
  return scorePosition(truth.point, truth.width, truth.height, place, choices);
}

type DragScore = { start: PositionScore; end: PositionScore; dist: number | null; recall: 0 | 1 };

/** Dist is the mean of both ends' own, and both must be hits (M6). */
export function scoreDrag(
  truth: DragTruth,
  places: readonly [PointOrBox, PointOrBox] | null,
  choices: Choices,
): DragScore {
  const { width, height } = truth;
  const start = scorePosition(truth.start, width, height, places?.[0] ?? null, choices);
  const end = scorePosition(truth.end, width, height, places?.[1] ?? null, choices);
  const dist = start.dist === null || end.dist === null ? null : (start.dist + end.dist) / 2;
  return { start, end, dist, recall: start.recall === 1 && end.recall === 1 ? 1 : 0 };
}

function isHit([x, y]: PixelPair, place: PointOrBox, pixels: number, choices: Choices): boolean {
  if (place.length === 4 && choices.boxRecall === 'contains') {
    const [x1, y1, x2, y2] = place;
    return x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && y >= Math.min(y1, y2) && y <= Math.max(y1, y2);
  }
  return choices.comparator === '<' ? pixels < choices.threshold : pixels <= choices.threshold;
}
