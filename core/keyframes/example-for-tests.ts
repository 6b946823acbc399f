import type { Action, ActionKind } from '../../schemas/actions.ts';
import type { Frame } from '../../schemas/frames.ts';
import { plainAction } from '../actions/state.ts';

/** Made-up actions and frames for tests. Times in ms for reading; what comes out is µs as everywhere. */

export function actionFrom(id: string, startMs: number, endMs: number, more: Partial<Action> = {}): Action {
  const kind: ActionKind = more.kind ?? 'click';
  return {
    id,
    kind,
    button: kind === 'click' || kind === 'drag' ? 'left' : null,
    modifiers: [],
    start: { x: 10, y: 20, display: 1, t: Math.round(startMs * 1000) },
    end: { x: 10, y: 20, display: 1, t: Math.round(endMs * 1000) },
    ...plainAction(),
    window: null,
    incomplete: false,
    ...more,
  };
}

/** Frames at the given ms; a pair gives the changed pixels too (`[ms, changed]`), a number alone changes everything. */
export function framesAt(...at: (number | [number, number])[]): Frame[] {
  return at.map((entry, i) => {
    const [ms, changed] = typeof entry === 'number' ? [entry, undefined] : entry;
    return { i, pts: Math.round(ms), t: Math.round(ms * 1000), ...(changed === undefined ? {} : { changed }) };
  });
}
