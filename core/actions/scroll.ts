import type { InputEvent } from '../../schemas/events.ts';
import { giveTapped, modifiersNow, takeTapped } from './modifiers.ts';
import { pointerAt } from './pointer.ts';
import { addIndex } from './runs.ts';
import { beganNear, beginAction, endAt, isWithin, join, type ScrollRun, type State } from './state.ts';

type Wheel = Extract<InputEvent, { type: 'wheel' }>;

/** One wheel event: it goes on the scroll at hand, or starts one (A10). One that turns nothing starts none. */
export function wheel(state: State, event: Wheel, index: number, t: number): void {
  pointerAt(state, event.x, event.y, t);
  const modifiers = modifiersNow(state, event);
  const dx = Number.isFinite(event.dx) ? event.dx : 0;
  const dy = Number.isFinite(event.dy) ? event.dy : 0;
  // A touchpad gives both axes at once: the larger one tells the run's axis and direction.
  const axis = dx === 0 && dy === 0 ? null : Math.abs(dx) > Math.abs(dy) ? 'x' : 'y';
  const sign = axis === null ? 0 : Math.sign(axis === 'x' ? dx : dy);

  let run = state.scroll;
  if (run && goesOn(state, run, event, modifiers, t) && (axis === null || sameWay(run, axis, sign))) {
    join(state, run.draft);
  } else if (axis === null) {
    addIndex(state.travel, index);
    return;
  } else {
    run = start(state, event, { axis, sign, modifiers }, t);
  }
  run.lastT = t;
  addIndex(run.draft.events, index);
  endAt(state, run.draft, t);
  if (run.draft.scroll) {
    run.draft.scroll.dx += dx;
    run.draft.scroll.dy += dy;
  }
}

type Turn = Pick<ScrollRun, 'axis' | 'sign'> & { modifiers: number };

function start(state: State, event: Wheel, { axis, sign, modifiers }: Turn, t: number): ScrollRun {
  const tapped = takeTapped(state, modifiers);
  const draft = beginAction(state, 'scroll', t);
  giveTapped(tapped, draft);
  draft.modifiers = modifiers;
  draft.duringDrag = state.presses.length > 0;
  draft.scroll = { dx: 0, dy: 0, unit: event.unit, natural: state.settings.naturalScroll ?? false };
  const run: ScrollRun = { draft, lastT: t, axis, sign };
  state.scroll = run;
  return run;
}

function goesOn(state: State, run: ScrollRun, event: Wheel, modifiers: number, t: number): boolean {
  const { draft } = run;
  return (
    state.last === draft &&
    isWithin(run.lastT, t, state.limits.scrollGapUs) &&
    beganNear(draft, event.x, event.y, state.limits.scrollRadiusPx) &&
    draft.modifiers === modifiers &&
    draft.scroll?.unit === event.unit &&
    draft.duringDrag === state.presses.length > 0
  );
}

function sameWay(run: ScrollRun, axis: 'x' | 'y', sign: number): boolean {
  return run.axis === axis && run.sign === sign;
}
