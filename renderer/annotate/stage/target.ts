import { isUnseen } from '../../../core/actions/unseen.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import type { OpenedRecording } from '../../../schemas/api/models.ts';
import type { Rect } from '../../../schemas/events.ts';
import { isInPicture, type Point, pictureRect, toPicture } from '../geometry.ts';

/** A step's recorded places in a picture, px; whether they lie inside it. */
export type Target = { start: Point; end: Point; startInside: boolean; endInside: boolean };

/** Where a step's places lie in the frame at `place` of the list; null when nothing is known of that frame, or of them (A16). */
export function targetIn(
  opened: Pick<OpenedRecording, 'frames' | 'views'>,
  step: StepView,
  place: number,
): Target | null {
  if (isUnseen(step.step)) return null;
  const rect = pictureRect(opened, place);
  return rect && targetOf(step, rect);
}

export function targetOf({ step }: Pick<StepView, 'step'>, rect: Rect): Target {
  const start = toPicture({ x: step.start[0], y: step.start[1] }, rect);
  const end = toPicture({ x: step.end[0], y: step.end[1] }, rect);
  return { start, end, startInside: isInPicture(start, rect), endInside: isInPicture(end, rect) };
}

/** Kinds whose place is where the pointer acted; of the others it only rested there. */
export function actsAtPlace(kind: StepView['step']['kind']): boolean {
  return kind === 'click' || kind === 'drag' || kind === 'scroll' || kind === 'hover';
}

/** What is drawn, in words: the picture's text alternative. */
export function describePicture(step: StepView, index: number, target: Target | null, side: string): string {
  const parts = [`Screen ${side} step ${index + 1}: ${step.narration.slice(0, 200)}`];
  if (target && actsAtPlace(step.step.kind)) {
    parts.push(`marked at (${target.start.x}, ${target.start.y})`);
    if (step.step.kind === 'drag') parts.push(`to (${target.end.x}, ${target.end.y})`);
  }
  const box = step.target?.box;
  parts.push(box ? `box at (${box.x}, ${box.y}), ${box.width} by ${box.height} pixels` : 'no box yet');
  return `${parts.join(', ')}.`;
}
