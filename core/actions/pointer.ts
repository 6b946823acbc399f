import type { InputEvent } from '../../schemas/events.ts';
import { distanceSquared, dragThreshold } from './geometry.ts';
import { giveTapped, modifiersNow, takeTapped } from './modifiers.ts';
import { endPath, extendPath, startPath } from './path.ts';
import { addIndex, addRuns } from './runs.ts';
import {
  beganNear,
  beginAction,
  type DraftAction,
  endAt,
  isWithin,
  type Press,
  type State,
  setPlace,
  warn,
} from './state.ts';

type Down = Extract<InputEvent, { type: 'down' }>;
type Up = Extract<InputEvent, { type: 'up' }>;

/** Default of the OS's double-click time, ms (A4). */
const DOUBLE_CLICK_MS = 500;

/** The pointer is at a new place: what is held follows it, whichever event told (A3, A5). */
export function pointerAt(state: State, x: number, y: number, t: number): void {
  setPlace(state, x, y);
  for (const press of state.presses) {
    const squared = distanceSquared(press.x, press.y, x, y);
    if (squared > press.farthestSquared) press.farthestSquared = squared;
    extendPath(press.path, x, y, t);
  }
}

/** A move while a button is held is that press's; with several held, the first one's (A1). */
export function heldMove(state: State, x: number, y: number, index: number, t: number): void {
  pointerAt(state, x, y, t);
  addIndex(state.presses[0]!.draft.events, index);
}

export function buttonDown(state: State, event: Down, index: number, t: number): void {
  pointerAt(state, event.x, event.y, t);
  const doubled = state.presses.find((press) => press.button === event.button);
  if (doubled) {
    const message = `Button ${event.button} goes down while it is down; the press before it stays without a release.`;
    warn(state, 'doubled-press', index, message);
    closePress(state, doubled, t, true);
  }
  state.outsideButtons.delete(event.button);
  const modifiers = modifiersNow(state, event);
  const tapped = takeTapped(state, modifiers);
  const before = state.last;
  const draft = beginAction(state, 'click', t);
  draft.button = event.button;
  draft.modifiers = modifiers;
  draft.threshold = dragThreshold(state.displays, state.settings.dragThresholdPx, event.x, event.y);
  giveTapped(tapped, draft);
  addIndex(draft.events, index);
  state.presses.push({
    button: event.button,
    draft,
    x: event.x,
    y: event.y,
    index,
    path: startPath(event.x, event.y, t),
    farthestSquared: 0,
    repeats: before && repeatsClick(state, before, draft) ? before : null,
    joined: 0,
  });
}

/**
 * A4: the same button and modifiers, in time, at the place of the first, and nothing between. A press of that button that
 * was still down has just been closed as incomplete (A14).
 */
function repeatsClick(state: State, before: DraftAction, draft: DraftAction): boolean {
  return (
    before.kind === 'click' &&
    !before.incomplete &&
    before.button === draft.button &&
    before.modifiers === draft.modifiers &&
    isWithin(before.pressedAt, draft.pressedAt, (state.settings.doubleClickMs ?? DOUBLE_CLICK_MS) * 1000) &&
    beganNear(before, state.x, state.y, before.threshold)
  );
}

export function buttonUp(state: State, event: Up, index: number, t: number): void {
  pointerAt(state, event.x, event.y, t);
  const press = state.presses.find((each) => each.button === event.button);
  if (press) {
    addIndex(press.draft.events, index);
    closePress(state, press, t, false);
    return;
  }
  const outside = state.outsideButtons.get(event.button);
  state.outsideButtons.delete(event.button);
  addIndex(outside?.where === 'own' ? state.ownRuns : state.pausedRuns, index);
  if (!outside) {
    const message = `Button ${event.button} goes up without having gone down: its press lies outside the demonstration.`;
    warn(state, 'up-without-down', index, message);
  }
}

/** Ends a press where the pointer is: a drag when it went beyond the threshold, a click otherwise (A3, A5). */
export function closePress(state: State, press: Press, t: number, incomplete: boolean): void {
  const { draft } = press;
  state.presses.splice(state.presses.indexOf(press), 1);
  endAt(state, draft, t);
  draft.incomplete = incomplete;
  if (press.farthestSquared > draft.threshold * draft.threshold) {
    draft.kind = 'drag';
    draft.modifiers |= press.joined;
    draft.path = endPath(press.path);
    return;
  }
  const held = t - draft.pressedAt;
  if (!incomplete && held >= state.limits.holdUs) draft.holdMs = Math.round(held / 1000);
  if (press.repeats && !incomplete) mergeClick(state, press.repeats, draft);
}

function mergeClick(state: State, first: DraftAction, again: DraftAction): void {
  first.count += 1;
  first.pressedAt = again.pressedAt;
  first.end = again.end;
  first.holdMs = again.holdMs;
  addRuns(first.events, again.events);
  addRuns(first.travel, again.travel);
  for (const modifier of state.modifiers) if (modifier.owner === again) modifier.owner = first;
  state.drafts.splice(state.drafts.lastIndexOf(again), 1);
  if (state.last === again) state.last = first;
}
