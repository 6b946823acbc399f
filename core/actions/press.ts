import { begin, type Draft, join, type State, within } from './state.ts';

/** Presses of one named key this close are one action, µs (A9: "quick"). */
const NAMED_REPEAT_US = 1_000_000;

/**
 * A key or a chord goes down (A7, A9): it counts as one more of the press before it when that has the same keys and
 * nothing came between, or starts a press. The caller adds the raw event.
 */
export function pressKeys(state: State, keys: string[], modifiers: number, t: number, repeat: boolean): Draft {
  const { last } = state;
  if (last?.kind === 'press' && sameKeys(last.keys, keys)) {
    const limit = keys.length > 1 ? state.limits.typeGapUs : NAMED_REPEAT_US;
    if (repeat || within(last.pressedAt, t, limit)) {
      join(state, last);
      last.count += 1;
      last.autoRepeat ||= repeat;
      last.pressedAt = t;
      return last;
    }
  }
  const draft = begin(state, 'press', t);
  draft.keys = keys;
  draft.modifiers = modifiers;
  draft.autoRepeat = repeat;
  return draft;
}

function sameKeys(a: readonly string[] | null, b: readonly string[]): boolean {
  return a !== null && a.length === b.length && a.every((key, i) => key === b[i]);
}
