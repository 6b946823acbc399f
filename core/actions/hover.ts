import { pointAt } from './geometry.ts';
import { addIndex, addRuns } from './runs.ts';
import { near, newDraft, type State, takeTravel, warn } from './state.ts';

/** A rest of the pointer stays inside this, px (A11). */
const HOVER_RADIUS_PX = 8;

/** A free move while hovers are asked for: part of the rest at hand, or the end of it and the start of the next (A11). */
export function restMove(state: State, index: number, t: number): void {
  const { rest } = state;
  if (!rest.active || !near(rest.x, rest.y, state.x, state.y, HOVER_RADIUS_PX)) {
    endRest(state, t);
    rest.active = true;
    rest.x = state.x;
    rest.y = state.y;
    rest.t = t;
  }
  addIndex(rest.runs, index);
}

/** The pointer leaves, a button, a wheel or a key is used, a pause or the end comes: the rest was a hover, or travel. */
export function endRest(state: State, t: number): void {
  const { rest } = state;
  if (!rest.active) return;
  rest.active = false;
  const runs = rest.runs;
  rest.runs = [];
  if (t - rest.t < state.limits.hoverUs || !screenChanged(state, rest.t, t)) {
    addRuns(state.travel, runs);
    return;
  }
  // A hover breaks no run of clicks, wheel or keys: whether it stands on its own is known when all actions are (finish).
  const draft = newDraft(state, 'hover', rest.t);
  takeTravel(state, draft);
  draft.start = pointAt(state.displays, rest.x, rest.y, rest.t);
  draft.end = pointAt(state.displays, rest.x, rest.y, t);
  addRuns(draft.events, runs);
  state.hovers.push(draft);
}

function screenChanged(state: State, from: number, to: number): boolean {
  const changes = state.context.screenChanges;
  if (changes === undefined) {
    if (!state.warned.has('no-screen-changes')) {
      const message = 'Hovers are asked for, but the times of screen changes are not given: each rest counts as one.';
      warn(state, 'no-screen-changes', null, message);
    }
    return true;
  }
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low < changes.length && changes[low]! <= to;
}
