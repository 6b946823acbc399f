import type { InputEvent } from '../../schemas/events.ts';
import { CHORD_MODS, characterOf, chordNames, keyName, MOD, modifierOf, optionSelects } from './keys.ts';
import { takeMade } from './made.ts';
import { bitsMade, modifierMade } from './made-keys.ts';
import { giveTapped, modifierDown, modifiersNow, modifierTaken, modifierUp, takeTapped } from './modifiers.ts';
import { pressKeys } from './press.ts';
import { addIndex } from './runs.ts';
import { type DraftAction, endAt, layoutNow, type State, warn } from './state.ts';
import { takeBack, typeCharacter, typeLock } from './type-run.ts';

type KeyDown = Extract<InputEvent, { type: 'keydown' }>;
type KeyUp = Extract<InputEvent, { type: 'keyup' }>;

/** A key that is down comes again by auto-repeat within this time, or its release was lost, µs. */
const REPEAT_GAP_US = 2_000_000;

/** Keys that have no code are told apart by the number that their system has for them. */
const keyOf = ({ code, raw }: KeyDown | KeyUp): string =>
  code === 'Unknown' && raw !== undefined ? `Unknown(${raw})` : code;

export function keyDown(state: State, event: KeyDown, index: number, t: number): void {
  const code = keyOf(event);
  const held = state.held.get(code);
  // X11 shows auto-repeat as a release and a press of one moment.
  const pair = state.lastUp.code === code && state.lastUp.t === t;
  if (!held && goesOnOutside(state, event, pair, index, t)) return;

  const { made } = event;
  state.made ||= made !== undefined;
  const bit = made ? modifierMade(made) : modifierOf(code, layoutNow(state, index));
  if (bit !== 0) {
    modifierDown(state, code, bit, index, t);
    return;
  }
  let repeat = event.repeat === true || pair;
  if (held && !repeat) {
    repeat = code !== 'Unknown' && state.lastDown === code && Math.abs(t - held.t) <= REPEAT_GAP_US;
    if (!repeat)
      warn(state, 'missing-release', held.index, `${code} goes down and later again, without a release between.`);
  }
  state.lastDown = code;
  const tapped = made ? takeTapped(state, bitsMade(made)) : null;
  const draft = made ? takeMade(state, event, made, index, t, repeat) : takeKey(state, event, index, t, repeat);
  giveTapped(tapped, draft);
  addIndex(draft.events, index);
  endAt(state, draft, t);
  state.held.set(code, { draft, index, t });
}

/** A key that went down in a pause or as the recorder's own, still repeating: it stays what it was (A12). */
function goesOnOutside(state: State, event: KeyDown, pair: boolean, index: number, t: number): boolean {
  const code = keyOf(event);
  const outside = state.outsideKeys.get(code);
  let where = pair && state.lastUp.where !== 'action' ? state.lastUp.where : null;
  if (outside) {
    const soon = state.lastDown === code && Math.abs(t - outside.t) <= REPEAT_GAP_US;
    // In a pause a release may have passed unseen: only a marked repeat tells that there was none.
    if (event.repeat === true || (outside.where === 'own' && soon)) where = outside.where;
  }
  state.outsideKeys.delete(code);
  if (where === null) return false;
  addIndex(where === 'own' ? state.ownRuns : state.pausedRuns, index);
  state.outsideKeys.set(code, { where, t });
  return true;
}

/** The meaning of one key press: part of a run of typing, or a press (A7, A8, A9). */
function takeKey(state: State, event: KeyDown, index: number, t: number, repeat: boolean): DraftAction {
  const { code } = event;
  const layout = layoutNow(state, index);
  const bits = modifiersNow(state, event);
  const chord = (bits & CHORD_MODS) !== 0;
  if (code === 'CapsLock' || code === 'NumLock') {
    if (!repeat) toggleLock(state, code);
    if (!chord) return typeLock(state, code, t, repeat);
  }
  const option = optionSelects(layout) && (bits & MOD.alt) !== 0;
  const altGr = (bits & MOD.altGr) !== 0 || option;
  const levels = { shift: (bits & MOD.shift) !== 0, altGr, caps: state.caps, num: state.num };
  const char = characterOf(layout, code, levels);
  if (char !== null && makesText(bits, option)) return typeCharacter(state, char, t, repeat);

  const { name, known } = keyName(layout, code, event.raw, state.num && !levels.shift);
  if (!known)
    warn(state, 'unknown-key', index, `Nothing is known of the key ${name}; it is kept as a press by this name.`);
  if (name === 'Backspace' && !chord) {
    const draft = takeBack(state, t);
    if (draft) return draft;
  }
  return pressKeys(state, [...chordNames(bits), name], bits, t, repeat);
}

/** Ctrl, Alt and Meta make a chord; with AltGr held, Ctrl and Alt are part of what selects the character (A7). */
function makesText(bits: number, option: boolean): boolean {
  if ((bits & MOD.meta) !== 0) return false;
  if ((bits & MOD.altGr) !== 0) return true;
  return (bits & (option ? MOD.ctrl : MOD.ctrl | MOD.alt)) === 0;
}

function toggleLock(state: State, code: 'CapsLock' | 'NumLock'): void {
  if (code === 'CapsLock') state.caps = !state.caps;
  else state.num = !state.num;
}

/** A release may come without its number: then it is that of the last such key that is down. */
function releasedKey(state: State, event: KeyUp): string {
  const key = keyOf(event);
  if (key !== 'Unknown' || state.held.has(key)) return key;
  return [...state.held.keys()].findLast((each) => each.startsWith('Unknown(')) ?? key;
}

export function keyUp(state: State, event: KeyUp, index: number, t: number): void {
  const code = releasedKey(state, event);
  const held = state.held.get(code);
  if (held) {
    state.held.delete(code);
    addIndex(held.draft.events, index);
    endAt(state, held.draft, t);
    if (state.run?.draft === held.draft && t > state.run.lastT) state.run.lastT = t;
    state.lastUp = { code, t, where: 'action' };
    return;
  }
  if (modifierUp(state, code, index)) return;
  const outside = state.outsideKeys.get(code);
  state.outsideKeys.delete(code);
  const where = outside?.where ?? 'paused';
  addIndex(where === 'own' ? state.ownRuns : state.pausedRuns, index);
  state.lastUp = { code, t, where };
  const bit = state.made ? 0 : modifierOf(code, layoutNow(state, index));
  state.seenModifiers |= bit & ~MOD.altGr;
  if (!outside) {
    const message = `${code} goes up without having gone down: its press lies outside the demonstration.`;
    warn(state, 'keyup-without-keydown', index, message);
  }
}

/** A key of the recorder's own input or of a pause: remembered, so that its release is found (A12). */
export function keyOutside(state: State, event: KeyDown | KeyUp, where: 'own' | 'paused', t: number): void {
  const code = keyOf(event);
  if (event.type === 'keydown') {
    state.outsideKeys.set(code, { where, t });
    state.lastDown = code;
    return;
  }
  state.outsideKeys.delete(code);
  state.lastUp = { code, t, where };
  state.held.delete(code);
  modifierTaken(state, code);
}
