import { isUnseen } from '../../../core/actions/unseen.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import type { OpenedRecording } from '../../../schemas/api/models.ts';
import type { Rect } from '../../../schemas/events.ts';
import { english, tr } from '../../language/tr.ts';
import { isInPicture, keepInSight, type Point, pictureRect, stepPlace, toPicture } from '../geometry.ts';
import type { WorkState } from '../store.ts';

/** A step's recorded places in a picture, px; whether they lie inside it. */
export type Target = { start: Point; end: Point; startInside: boolean; endInside: boolean };

/** Where a step's places are in the frame at `place` of the list; null when nothing is known of that frame, or of them (A16). */
export function targetIn(
  opened: Pick<OpenedRecording, 'frames' | 'views'>,
  step: StepView,
  place: number,
): Target | null {
  if (isUnseen(step.step)) return null;
  const rect = pictureRect(opened, place);
  return rect && targetOf(step, rect);
}

/** Null for keys that were used before anybody knew where the pointer was. */
export function targetOf({ step }: Pick<StepView, 'step'>, rect: Rect): Target | null {
  const [begun, ended] = [stepPlace(step.start), stepPlace(step.end)];
  if (!begun || !ended) return null;
  const [start, end] = [toPicture(begun, rect), toPicture(ended, rect)];
  return { start, end, startInside: isInPicture(start, rect), endInside: isInPicture(end, rect) };
}

/** Where a box or a pin begins when no place is known. */
export const pictureMiddle = ({ width, height }: Rect): Point => ({
  x: Math.floor(width / 2),
  y: Math.floor(height / 2),
});

/** Kinds whose place is where the pointer acted; of the others it only rested there. */
export function actsAtPlace(kind: StepView['step']['kind']): boolean {
  return kind === 'click' || kind === 'drag' || kind === 'scroll' || kind === 'hover';
}

/** Where a step is seen in its picture before it, px: its box, else the point at which it acted; null for keys and what was outside. */
export function placeOfStep(opened: Pick<OpenedRecording, 'frames' | 'views'>, step: StepView): Rect | null {
  if (step.target) return step.target.box;
  if (!actsAtPlace(step.step.kind)) return null;
  const target = targetIn(opened, step, step.before);
  return target?.startInside ? { ...target.start, width: 0, height: 0 } : null;
}

/**
 * Where the pointer acted or rested, in the picture's own pixels as narrations and boxes count; null for keys that were
 * pressed while the pointer was outside the picture, of which nothing is known.
 */
export function pointWords(kind: StepView['step']['kind'], target: Target | null): string | null {
  if (!target) return null;
  if (!actsAtPlace(kind) && !target.startInside) return null;
  const { start, end } = target;
  return `${start.x}, ${start.y}${kind === 'drag' ? ` → ${end.x}, ${end.y}` : ''}`;
}

const SCREEN = {
  before: english('Screen before step {number}: {narration}'),
  after: english('Screen after step {number}: {narration}'),
  elsewhere: english('Screen at another moment than step {number}: {narration}'),
} as const;

/** The drawing in words: the picture's text alternative. */
export function describePicture(
  step: StepView,
  index: number,
  target: Target | null,
  shown: keyof typeof SCREEN,
): string {
  const parts = [tr(SCREEN[shown], { number: index + 1, narration: step.narration.slice(0, 200) })];
  if (target && actsAtPlace(step.step.kind)) {
    parts.push(tr('marked at ({x}, {y})', { x: target.start.x, y: target.start.y }));
    if (step.step.kind === 'drag') parts.push(tr('to ({x}, {y})', { x: target.end.x, y: target.end.y }));
  }
  const box = step.target?.box;
  parts.push(
    box
      ? tr('box at ({x}, {y}), {width} by {height} pixels', {
          x: box.x,
          y: box.y,
          width: box.width,
          height: box.height,
        })
      : tr('no box yet'),
  );
  return `${parts.join(', ')}.`;
}

/** The zoom stays when one moves on; the picture moves only when the next target would not be seen. */
export function stickyViewport({ viewport, doc, opened, stage }: WorkState, at: number): WorkState['viewport'] {
  const step = doc.steps[at];
  const target = viewport && step && targetIn(opened, step, step.before);
  return viewport && target?.startInside ? keepInSight(viewport, target.start, stage) : viewport;
}
