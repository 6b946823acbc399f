import type { Action } from '../../schemas/actions.ts';
import type { Rect } from '../../schemas/events.ts';

/**
 * How far a run followed a demonstration of its task (mobile-agent-v.txt A.3.3): steps of the demonstration that were done in their
 * order, whatever was done between them.
 */

/** A step of the demonstration; `box`: where its element lies, px of the virtual desktop; null: nobody marked it. */
export type StepToDo = { action: Action; box: Rect | null };

/** Without a box a place counts as the same within this, px. */
const NEAR = 24;
/** Longer ones are not compared: the work grows by the product of both. */
const MOST = 3000;

/**
 * The most steps of the demonstration that stand in the run in the same order; null where either has more than 3000, which takes too
 * long to compare. Both are on screens of the same size.
 */
export function stepsDone(did: readonly Action[], wanted: readonly StepToDo[]): number | null {
  if (did.length > MOST || wanted.length > MOST) return null;
  let above = new Uint32Array(wanted.length + 1);
  for (const one of did) {
    const row = new Uint32Array(wanted.length + 1);
    for (const [n, step] of wanted.entries())
      row[n + 1] = isSameStep(one, step) ? above[n]! + 1 : Math.max(above[n + 1]!, row[n]!);
    above = row;
  }
  return above.at(-1) ?? 0;
}

/** Whether this is that step. Both are on screens of the same size. */
export function isSameStep(one: Action, { action, box }: StepToDo): boolean {
  if (one.kind !== action.kind) return false;
  switch (one.kind) {
    case 'click':
      return (
        one.button === action.button && one.count === action.count && isHeld(one, action) && isAt(one, action, box)
      );
    case 'drag':
      return one.button === action.button && isAt(one, action, box) && isNear(one.end, action.end);
    case 'hover':
      return isAt(one, action, box);
    case 'scroll':
      return (
        Math.sign(one.scroll?.dx ?? 0) === Math.sign(action.scroll?.dx ?? 0) &&
        Math.sign(one.scroll?.dy ?? 0) === Math.sign(action.scroll?.dy ?? 0)
      );
    case 'type':
      // The text of withheld keys is not known.
      return action.withheld === true || one.text?.trim() === action.text?.trim();
    case 'press':
      return one.keys?.join('+') === action.keys?.join('+');
    case 'wait':
      return true;
  }
}

const isHeld = (one: Action, other: Action): boolean => one.modifiers.join() === other.modifiers.join();

function isAt(one: Action, action: Action, box: Rect | null): boolean {
  const { x, y } = one.start;
  if (x === null || y === null) return false;
  if (!box) return isNear(one.start, action.start);
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

const isNear = (a: Action['start'], b: Action['start']): boolean =>
  a.x !== null && a.y !== null && b.x !== null && b.y !== null && Math.hypot(a.x - b.x, a.y - b.y) <= NEAR;
