import type { KeyMade } from '../../schemas/key-made.ts';
import type { DeadKey } from './keys.ts';
import { beginAction, type DraftAction, isWithin, join, type State, type TypeRun } from './state.ts';

/** True when a key at `t` still belongs to the run of typing at hand (A8). */
export function runGoesOn(state: State, t: number): boolean {
  const { run } = state;
  if (!run || state.last !== run.draft) return false;
  // A dead key waits for its letter, however long.
  return run.dead !== null || run.composing || isWithin(run.lastT, t, state.limits.typeGapUs);
}

function runFor(state: State, t: number): TypeRun {
  if (state.run && runGoesOn(state, t)) {
    join(state, state.run.draft);
    state.run.lastT = t;
    return state.run;
  }
  const draft = beginAction(state, 'type', t);
  draft.text = '';
  draft.keystrokes = [];
  const run: TypeRun = { draft, lastT: t, dead: null, composing: false };
  state.run = run;
  return run;
}

/** A key that makes a character, or a dead key (A8). The caller adds the raw event. */
export function typeCharacter(state: State, char: string | DeadKey, t: number, repeat: boolean): DraftAction {
  const run = runFor(state, t);
  const { draft } = run;
  draft.lockKey = null;
  if (typeof char !== 'string') {
    // Held down, a dead key stays one dead key.
    if (repeat && run.dead?.dead === char.dead) return draft;
    draft.keystrokes?.push(char.alone);
    if (run.dead === null) {
      run.dead = char;
    } else {
      write(draft, run.dead.alone);
      run.dead = run.dead.dead === char.dead ? null : char;
    }
    return draft;
  }
  draft.keystrokes?.push(char);
  write(draft, run.dead === null ? char : compose(run.dead, char));
  run.dead = null;
  return draft;
}

/** Dead key, then character: their composition where Unicode has one, or both side by side (A8). */
function compose(dead: DeadKey, char: string): string {
  if (char === ' ') return dead.space ?? dead.alone;
  const composed = (char + dead.dead).normalize('NFC');
  return [...composed].length === 1 ? composed : dead.alone + char;
}

function write(draft: DraftAction, text: string): void {
  draft.text = (draft.text ?? '') + text;
}

/**
 * Backspace inside a run takes back one character (A8): the draft, or null when there is nothing of the run to take back
 * and Backspace is a press of its own (A9).
 */
export function takeBack(state: State, t: number): DraftAction | null {
  const { run } = state;
  if (!run || !runGoesOn(state, t)) return null;
  const { draft } = run;
  const text = draft.text ?? '';
  if (run.dead === null && text === '') return null;
  runFor(state, t);
  draft.keystrokes?.push('<Backspace>');
  if (run.dead !== null) run.dead = null;
  else draft.text = text.slice(0, lastCharacterAt(text));
  return draft;
}

/** Where the last code point begins: a surrogate pair goes whole. */
function lastCharacterAt(text: string): number {
  const pair = /[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text);
  return text.length - (pair ? 2 : 1);
}

/** A key of a sequence of dead keys or of Compose, whose text its last key has (A19). */
export function typeSequence(
  state: State,
  { key, plain = key, text, dead, sequence }: KeyMade,
  t: number,
): DraftAction {
  const { draft } = runFor(state, t);
  // Compose that nothing follows is a press of it.
  draft.lockKey = draft.keystrokes?.length === 0 && key === 'Compose' ? key : null;
  draft.keystrokes?.push(dead?.alone ?? ([...key].length === 1 ? key : `<${key === 'Dead' ? plain : key}>`));
  if (state.run) state.run.composing = sequence === 'goes-on';
  if (text !== undefined) write(draft, text);
  return draft;
}

/**
 * CapsLock or NumLock: part of the run that it stands in, or of the one that follows; alone it becomes a press when the
 * actions are made (RULES, A8).
 */
export function typeLock(state: State, code: string, t: number, repeat: boolean): DraftAction {
  const lonely = state.run?.draft.lockKey ?? null;
  if (lonely !== null && lonely !== code) state.run = null;
  const run = runFor(state, t);
  if (run.draft.keystrokes?.length === 0) run.draft.lockKey = code;
  if (!repeat) run.draft.keystrokes?.push(`<${code}>`);
  return run.draft;
}
