import type { ElementWindow, KeyboardFocus } from '../../native/elements/contract.ts';
import type { FocusKind } from '../../native/elements/focus.ts';
import { AT_ONCE, type FocusLook, SETTLES } from './key-judge.ts';

/**
 * In the thread that asks for elements: which kind of field has the keyboard, told whenever that changes, and asked anew once
 * a key has settled.
 */
export type KeyboardFollow = {
  /** Many times a second. `keys`: how many keys came so far. */
  turn(keys: number, paused: boolean): void;
  /** Whether a recording may begin: what has the keyboard is known, or has not become known in time. */
  isSettled(): boolean;
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
/** For so long a program that shows what has the keyboard when it begins, but does not say it at once, is asked again and again, µs. */
const MOST_BEGINNING = 3_500_000;
/** Turns further apart while somebody types, µs: on a machine that kept this thread from running programs were kept, too. They get `SETTLES` again. */
const STALLED = 60_000;
/** A key is asked about after so long in any case, µs. */
const MOST_STALLED = 1_000_000;
/** A press so long before what it may have done is not taken for its cause, µs. */
const MOST_UNHEARD = 400_000;
/**
 * So long after a key it is followed closely what has the keyboard, µs: as long as a program may take to move its focus by it,
 * and to be asked about it. Before the first key nothing can have been typed into it, and the first key is followed at once.
 */
export const TYPING = 500_000;
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
  /** The end of the last turn, and since when turns have come as they should. */
  let turnedLast = now();
  let calmSince = Number.NEGATIVE_INFINITY;
  /** All that was told until then is heard. */
  let heardTo = now();
  /** When the last question was put that was answered. Before the first nothing is known. */
  let answered = Number.NEGATIVE_INFINITY;
  let answeredVersion = -1;
  /** How often the focus has moved, and when that was heard last. */
  let moved = { times: movesOf(), at: now() };
  /** Since when, and for which focus, questions are not answered; or for which window not at once. */
  let doubt: { from: number; moves: number; window: string | null } | null = null;
  let saidWhy: FocusLook['why'] = 'field';
  let lag: { from: number; window: string | null } | null = null;
  const began = now();
  let isSettled = false;

  function movesOf(): number {
    return focus.moves?.() ?? focus.version();
  }
  /** Whatever moved since it was listened last moved before `at`. */
  function hear(at: number): void {
    const times = movesOf();
    if (times !== moved.times) moved = { times, at };
  }
  function ask(byItself: boolean): void {
    const asked = now();
    let found: FocusKind = 'open';
    let slowest = 0;
    let id: string | null = null;
    let [why, silent]: [FocusLook['why'], string | null] = ['field', null];
    for (let tries = 0; tries <= MOST_MOVES; tries++) {
      version = focus.version();
      const window = focus.window();
      id = window?.id ?? null;
      const put = now();
      const may = window === null || mayBeAsked(window);
      found = may ? focus.kindIn(window) : 'open';
      if (may) [why, silent] = [focus.why?.() ?? 'field', focus.silent?.() ?? null];
      else [why, silent] = ['field', null];
      slowest = !may ? 0 : focus.slowest ? focus.slowest() * 1000 : now() - put;
      focus.turn(true);
      hear(now());
      if (focus.version() === version) break;
    }
    const done = now();
    const wasKnown = kind !== null && doubt === null;
    if (found === 'resting' && wasKnown && version === answeredVersion) {
      // As it was when it was asked last; what is not told of is found when it may be asked again.
      notBefore = done + AGAIN;
      return;
    }
    if (found === 'resting') found = 'unanswered';
    // A state that no program reported may have begun at the last question.
    const after = doubt?.from ?? (byItself || !wasKnown ? answered : Math.min(heardTo, asked));
    const reported = !byItself && wasKnown && asked - after <= MOST_UNHEARD;
    const unknown = unknownBefore(id, done);
    if (byItself || found !== kind || unknown || (found === 'password' && why !== saidWhy))
      tell({
        after,
        asked,
        done,
        kind: found,
        slowest,
        reported,
        unknown,
        why,
        // Of keys, not of a window that is only in front.
        silent: byItself ? silent : null,
      });
    saidWhy = why;
    kind = found;
    if (found === 'unanswered') doubt ??= { from: after, moves: moved.times, window: id };
    else [doubt, answered, answeredVersion] = [null, asked, version];
    if (slowest > AT_ONCE) lag ??= { from: after, window: id };
    else if (found !== 'unanswered') lag = null;
    const isLate = found === 'unanswered' || slowest > AT_ONCE;
    if (!isLate) isSettled = true;
    if (isLate && (byItself || !isSettled)) notBefore = done + AGAIN;
    if (byItself && !isLate) owed = keyAt > asked - SETTLES ? keyAt : null;
  }

  /** While what had the keyboard was not known, and is another thing by now. */
  function unknownBefore(window: string | null, done: number): FocusLook['unknown'] {
    const other = [doubt, lag].find((one) => one && one.window !== window);
    // Where moves are not counted apart, not each system tells that another window came in front.
    if (other && (other === lag || !focus.moves)) return { from: other.from, to: done };
    return doubt && doubt.moves !== moved.times ? { from: doubt.from, to: moved.at } : null;
  }

  function isDue(at: number): boolean {
    if (owed === null || at - owed < ASK_AFTER || at < notBefore) return false;
    return at - calmSince >= SETTLES || at - owed >= MOST_STALLED;
  }

  return {
    turn(count, paused) {
      const at = now();
      if (at - turnedLast > STALLED) calmSince = at;
      if (count !== keys) {
        [keys, keyAt] = [count, at];
        owed ??= at;
      }
      // What a field for passwords, or one that is not known, passes the keyboard on to matters from the first key on.
      focus.turn(owed !== null || at - keyAt < TYPING || kind !== 'open' || lag !== null);
      hear(now());
      // In a pause only for keys from before it.
      if (!paused || owed !== null) {
        if (focus.version() !== version) ask(false);
        if (!paused) heardTo = at;
        if (isDue(at)) ask(true);
        // A key that comes before it is known where it goes would be withheld.
        else if (!isSettled && owed === null && at >= notBefore) ask(false);
      }
      isSettled ||= paused || at - began > MOST_BEGINNING;
      turnedLast = now();
    },
    isSettled: () => isSettled,
  };
}
