import type { ElementWindow, KeyboardFocus } from '../../native/elements/contract.ts';
import type { FocusKind } from '../../native/elements/focus.ts';
import { type FocusLook, SETTLES } from './key-judge.ts';

/**
 * In the thread that asks for elements: which kind of field has the keyboard, told whenever that changes, and asked anew once
 * a key has settled.
 */
export type KeyboardFollow = {
  /** Many times a second. `keys`: how many keys came so far. */
  turn(keys: number, paused: boolean): void;
};

type Parts = {
  focus: KeyboardFocus;
  now(): number;
  mayBeAsked(window: ElementWindow): boolean;
  tell(look: FocusLook): void;
};

/** So long after a key it is asked, µs: a little more than it takes to be judged by it. */
const ASK_AFTER = SETTLES + 5000;
/** How long after an answer that did not come it is asked again, µs. */
const AGAIN = 100_000;
/** Times that a question is put again because the focus moved meanwhile. */
const MOST_MOVES = 3;

export function followKeyboard({ focus, now, mayBeAsked, tell }: Parts): KeyboardFollow {
  let keys = 0;
  let keyAt = Number.NEGATIVE_INFINITY;
  /** The first key since the last question. */
  let owed: number | null = null;
  let notBefore = Number.NEGATIVE_INFINITY;
  let version = -1;
  let kind: FocusKind | null = null;
  /** All that was told until then is heard. */
  let heardTo = now();
  let askedLast = now();

  function ask(byItself: boolean): void {
    const asked = now();
    let found: FocusKind = 'open';
    for (let tries = 0; tries <= MOST_MOVES; tries++) {
      version = focus.version();
      const window = focus.window();
      found = window !== null && !mayBeAsked(window) ? 'open' : focus.kindIn(window);
      focus.turn();
      if (focus.version() === version) break;
    }
    const done = now();
    // A state that no program reported may have begun at the last question.
    const after = byItself ? askedLast : heardTo;
    if (byItself || found !== kind) tell({ after: Math.min(after, asked), asked, done, kind: found });
    kind = found;
    if (!byItself) return;
    askedLast = asked;
    if (found === 'unanswered' || done - asked > AGAIN) notBefore = done + AGAIN;
    else owed = keyAt > asked - SETTLES ? keyAt : null;
  }

  return {
    turn(count, paused) {
      const at = now();
      if (count !== keys) {
        [keys, keyAt] = [count, at];
        owed ??= at;
      }
      focus.turn();
      // In a pause only for keys from before it.
      if (paused && owed === null) return;
      if (focus.version() !== version) ask(false);
      if (!paused) heardTo = at;
      if (owed !== null && at - owed >= ASK_AFTER && at >= notBefore) ask(true);
    },
  };
}
