import { beginAction, type DraftAction, isWithin, join, type State } from './state.ts';

/** Presses of one named key this close are one action, µs (A9: "quick"). */
const NAMED_REPEAT_US = 1_000_000;

/**
 * A key or a chord goes down (A7, A9): it counts as one more of the press before it when that has the same keys and
 * nothing came between, or starts a press. The caller adds the raw event.
 */
export function pressKeys(state: State, keys: string[], modifiers: number, t: number, repeat: boolean): DraftAction {
  const { last } = state;
  // Two keys of which nothing is known, not even a number, need not be the same one.
  const known = repeat || keys.at(-1) !== 'Unknown';
  if (last?.kind === 'press' && known && sameKeys(last.keys, keys)) {
    const limit = keys.length > 1 ? state.limits.typeGapUs : NAMED_REPEAT_US;
    if (repeat || isWithin(last.pressedAt, t, limit)) {
      join(state, last);
      last.count += 1;
      last.autoRepeat ||= repeat;
      last.pressedAt = t;
      return last;
    }
  }
  const draft = beginAction(state, 'press', t);
  draft.keys = keys;
  draft.modifiers = modifiers;
  draft.autoRepeat = repeat;
  return draft;
}

function sameKeys(a: readonly string[] | null, b: readonly string[]): boolean {
  return a !== null && a.length === b.length && a.every((key, i) => key === b[i]);
}
