import type { ReduceContext, ReduceOptions } from '../../schemas/actions.ts';
import type { InputEvent, RawEvent, StateEvent } from '../../schemas/events.ts';
import { type ReduceResult, releaseAll, result } from './finish.ts';
import { endRest, restMove } from './hover.ts';
import { keyDown, keyOutside, keyUp } from './keyboard.ts';
import { createQueue } from './order.ts';
import { buttonDown, buttonUp, closePress, heldMove } from './pointer.ts';
import { addIndex } from './runs.ts';
import { wheel } from './scroll.ts';
import { createState, pointNow, type State, setPlace, warn } from './state.ts';
import { withheldKeys } from './withheld.ts';

type Reducer = {
  /** The next line of events.jsonl; its raw index is the number of lines pushed before it. */
  push(event: RawEvent): void;
  /** Ends the stream and gives its actions. Further calls give the same; further lines are not taken. */
  finish(): ReduceResult;
};

/**
 * Reduces a stream line by line, holding back `HOLD_BACK_US` of it to put it in order (A2). Memory grows with the actions
 * (A15). `own`: raw indices known beforehand to be the recorder's own; without them, an `own` line reaches back only as
 * far as lines are held back.
 */
export function createReducer(
  context: ReduceContext,
  options: ReduceOptions = {},
  own: ReadonlySet<number> = new Set(),
): Reducer {
  const state = createState(context, options);
  const ownIndices = new Set(own);
  state.own = ownIndices;
  const queue = createQueue(
    (event, index, t) => take(state, event, index, t),
    (index, byUs) =>
      warn(state, 'late-event', index, `This event is ${Math.round(byUs / 1000)} ms late; it is taken where it came.`),
  );
  let next = 0;
  let finished: ReduceResult | null = null;

  function learnOwn(indices: readonly number[]): void {
    for (const index of indices) {
      if (ownIndices.has(index)) continue;
      if (index < next && !queue.holds(index)) {
        warn(state, 'own-too-late', index, 'This event was named as the recorder’s own after it had been taken.');
      } else {
        ownIndices.add(index);
      }
    }
  }

  return {
    push(event) {
      if (finished) return;
      if (event.type === 'own') learnOwn(event.events);
      queue.push(event, next);
      next++;
    },
    finish() {
      if (finished) return finished;
      queue.flush();
      releaseAll(state, 'end');
      finished = result(state);
      return finished;
    },
  };
}

function take(state: State, event: RawEvent, index: number, t: number): void {
  state.now = t;
  const isOwn = state.own.size > 0 && state.own.has(index);
  switch (event.type) {
    // Moves are nearly all of a recording: this way allocates nothing (A15).
    case 'move':
      if (isOwn || state.paused) {
        setPlace(state, event.x, event.y);
        addIndex(isOwn ? state.ownRuns : state.pausedRuns, index);
        return;
      }
      inputAt(state, index, t);
      if (state.presses.length > 0) {
        heldMove(state, event.x, event.y, index, t);
        return;
      }
      if (state.limits.hoverUs < Number.POSITIVE_INFINITY) {
        const { x, y } = event;
        setPlace(state, x, y);
        restMove(state, index, t);
        return;
      }
      setPlace(state, event.x, event.y);
      addIndex(state.travel, index);
      return;
    case 'down':
    case 'up':
    case 'wheel':
    case 'keydown':
    case 'keyup':
      if (isOwn || state.paused) outside(state, event, isOwn ? 'own' : 'paused', index, t);
      else input(state, event, index, t);
      return;
    default:
      takeState(state, event, index);
      if (event.type !== 'withheld' || state.paused) return;
      inputAt(state, index, event.from);
      inputAt(state, index, t);
      endRest(state, t);
      withheldKeys(state, event, index, t);
  }
}

/** Notes that the person did something, and the silence before it when `wait` asks for it. */
function inputAt(state: State, index: number, t: number): void {
  if (t - state.inputAt >= state.limits.waitUs) {
    const point = pointNow(state, state.inputAt);
    state.silences.push({ from: point, to: t, index: state.inputIndex });
  }
  // A late event (A2) does not make the silence after it longer.
  if (t < state.inputAt) return;
  state.inputAt = t;
  state.inputIndex = index;
}

type NotMove = Exclude<InputEvent, { type: 'move' }>;

function input(state: State, event: NotMove, index: number, t: number): void {
  inputAt(state, index, t);
  endRest(state, t);
  if (event.type === 'down') buttonDown(state, event, index, t);
  else if (event.type === 'up') buttonUp(state, event, index, t);
  else if (event.type === 'wheel') wheel(state, event, index, t);
  else if (event.type === 'keydown') keyDown(state, event, index, t);
  else keyUp(state, event, index, t);
}

/** Input that is no demonstration: kept apart, and remembered as far as its release may come later (A12). */
function outside(state: State, event: NotMove, where: 'own' | 'paused', index: number, t: number): void {
  addIndex(where === 'own' ? state.ownRuns : state.pausedRuns, index);
  if (event.type === 'keydown' || event.type === 'keyup') {
    keyOutside(state, event, where, t);
    return;
  }
  setPlace(state, event.x, event.y);
  if (event.type === 'down') state.outsideButtons.set(event.button, { where, t });
  if (event.type === 'up') {
    state.outsideButtons.delete(event.button);
    const press = state.presses.find((each) => each.button === event.button);
    if (press) closePress(state, press, t, true);
  }
}

function takeState(state: State, event: StateEvent, index: number): void {
  switch (event.type) {
    case 'layout':
      state.layout = event.layout;
      return;
    case 'locks':
      state.caps = event.caps;
      state.num = event.num;
      return;
    case 'settings':
      state.settings = { ...state.settings, ...event.settings };
      return;
    case 'displays':
      state.displays = event.displays;
      return;
    case 'step':
      state.unseen.push({ from: event.t, to: Math.max(event.t, event.until), index });
      return;
    case 'text':
      if (!state.paused) state.texts.push(event);
      return;
    case 'pause':
      if (!state.paused) releaseAll(state, 'pause');
      state.pauses.add(event.reason);
      state.paused = true;
      return;
    case 'resume':
      // Pauses of several reasons may overlap: all must end. One that never began ends nothing, to keep private what is.
      if (!state.pauses.delete(event.reason)) {
        warn(state, 'resume-without-pause', index, `A pause (${event.reason}) ends that did not begin.`);
      }
      state.paused = state.pauses.size > 0;
      if (event.pointer) setPlace(state, event.pointer.x, event.pointer.y);
      if (event.pointer === null) state.placeless = true;
      return;
    default:
      // view, own, mark, anchor, notice and what later versions add say nothing about actions.
      return;
  }
}
