import * as edit from '../../../core/annotate/edit.ts';
import type { StepView } from '../../../core/annotate/view.ts';
import type { Proposal, Source } from '../../../schemas/annotation.ts';
import type { Rect } from '../../../schemas/events.ts';
import { english, tr } from '../../language/tr.ts';
import { boxProblem, sameBox } from '../boxes.ts';
import { pictureRect } from '../geometry.ts';
import type { Role } from '../store.ts';
import type { GestureOptions, Gestures } from './gestures.ts';

type Dependencies = {
  gestures: Gestures;
  /** The box of what is at a point, from the studio; null: there is no clear edge. */
  askGrow: (action: string, x: number, y: number) => Promise<Proposal | null>;
};

/** Boxes: drawn by hand, or grown around a point. */
export function makeBoxActs({ gestures, askGrow }: Dependencies) {
  const { gesture, records, say, store } = gestures;

  type By = GestureOptions & { source: Source; confidence: number };
  function setBox(step: StepView, role: Role, value: Rect | null, by: By): boolean {
    const size = pictureRect(store.getState().opened, step.before);
    const problem = value && size ? boxProblem(value, size) : null;
    if (problem) {
      say(problem);
      return false;
    }
    const old = role === 'target' ? step.target : step.end;
    if (sameBox(old?.box ?? null, value)) return false;
    return gesture(
      value ? (old ? english('Change box') : english('Draw box')) : english('Remove box'),
      () => edit.setBox(records(), step.step.id, role, value, by.source, by.confidence),
      by,
    );
  }

  /** Stores a box; one outside the picture is reported instead. */
  function box(step: StepView, role: Role, value: Rect | null): boolean {
    return setBox(step, role, value, { source: 'hand', confidence: 1 });
  }

  async function grow(step: StepView, role: Role, x: number, y: number): Promise<boolean> {
    try {
      const found = await askGrow(step.step.id, x, y);
      if (found?.box) return setBox(step, role, found.box, { ...found, aside: true });
      say(
        tr('There is no clear edge around that point. Draw the box by dragging, or by its corners (B).'),
        'info',
        step.step.id,
      );
    } catch (error) {
      say(
        tr('The box could not be fitted: {error}', { error: error instanceof Error ? error.message : String(error) }),
      );
    }
    return false;
  }

  return { box, grow };
}
