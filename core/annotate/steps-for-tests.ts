import type { Step } from '../../schemas/api/models.ts';
import { byHandId, type StepByHand } from './by-hand.ts';
import { stepRecordId } from './ids.ts';

/** Made-up steps for tests: a click a second, `s0` at 1 s, with a frame (place) before and one after each. */
export function stepsFrom(count: number, more: (at: number) => Partial<Step> = () => ({})): Step[] {
  return Array.from({ length: count }, (_, at) =>
    stepFrom(`s${at}`, (at + 1) * 1e6, { before: 2 * at, after: 2 * at + 1, ...more(at) }),
  );
}

export function stepFrom(id: string, t: number, more: Partial<Step> = {}): Step {
  return {
    id,
    kind: 'click',
    button: 'left',
    modifiers: [],
    start: [10, 20, t],
    end: [10, 20, t + 100_000],
    text: null,
    keys: null,
    count: 1,
    scroll: null,
    holdMs: null,
    incomplete: false,
    window: null,
    before: -1,
    after: -1,
    ...more,
  };
}

/** A click that was added by hand at `t` µs, the `n`th of the recording `r`. */
export function clickByHand(t: number, n: number, more: Partial<StepByHand> = {}): StepByHand {
  const action = byHandId('r', `0000000${n}`);
  return {
    kind: 'step',
    id: stepRecordId(action),
    action,
    does: 'click',
    t,
    x: 5,
    y: 6,
    endX: null,
    endY: null,
    button: 'left',
    count: 1,
    text: null,
    keys: null,
    scroll: null,
    ...more,
  };
}
