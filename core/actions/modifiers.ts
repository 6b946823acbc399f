import type { InputEvent } from '../../schemas/events.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import { chordNames, MOD } from './keys.ts';
import { bitsMade } from './made-keys.ts';
import { pressKeys } from './press.ts';
import { addIndex, addRuns } from './runs.ts';
import {
  type DraftAction,
  endAt,
  type HeldModifier,
  type ModEvent,
  pointNow,
  type State,
  trustSlot,
  warn,
} from './state.ts';
import { runGoesOn } from './type-run.ts';

const ALL = MOD.shift | MOD.ctrl | MOD.alt | MOD.meta;

/** Windows sends AltGr as ControlLeft and AltRight of one moment; no hand presses two keys so close, µs. */
const FAKE_CTRL_US = 5_000;

/** Modifier keys that are down, as bits of `MOD`. The Ctrl that Windows sends with AltGr is not among them. */
function heldBits(state: State): number {
  let bits = 0;
  for (const modifier of state.modifiers) bits |= modifier.bit;
  return bits;
}

/**
 * The modifiers at a press (A6): the keys that are down; for a modifier whose key was not seen since the start or the
 * last pause, the event's own bits tell (it was held before).
 */
export function modifiersNow(state: State, event: Extract<InputEvent, { type: ModEvent }>): number {
  if (event.type === 'keydown' && event.made) return countingNow(state, event.made);
  const reported = (event.mods ?? 0) & ALL;
  dropStuck(state, trustSlot(event.type), reported);
  const held = heldBits(state);
  // AltGr is reported as Alt, on Windows as Ctrl and Alt: then only the keys themselves can tell.
  const altGr = (held & MOD.altGr) !== 0 ? MOD.ctrl | MOD.alt : 0;
  // A latched modifier counts though its key is up (A19).
  const unseen = state.made ? reported : reported & ~state.seenModifiers;
  return held | (unseen & ~altGr);
}

/** The system's own word of what counts (A19). A held key that does not count any more was let go unseen (A14). */
function countingNow(state: State, made: KeyMade): number {
  const bits = bitsMade(made);
  dropStuck(state, trustSlot('keydown'), bits & ALL);
  return bits;
}

/**
 * Modifiers that were tapped and count for the press that comes now (Sticky Keys): their own press was a part of it (A19). It is
 * taken out of the actions, to be given to the one that comes.
 */
export function takeTapped(state: State, counting: number): DraftAction | null {
  const { last } = state;
  if (!state.made || last === null || last.tapped === 0) return null;
  if ((last.tapped & ~(counting & ~heldBits(state))) !== 0) return null;
  state.drafts.splice(state.drafts.lastIndexOf(last), 1);
  state.last = null;
  return last;
}

/** The events of a tapped modifier become the action's that it modified. */
export function giveTapped(tapped: DraftAction | null, draft: DraftAction): void {
  if (!tapped) return;
  addRuns(draft.events, tapped.events);
  addRuns(draft.travel, tapped.travel);
}

/**
 * A release can be lost (Windows' lock screen takes the keyboard while Meta is down). It shows where this kind of event
 * has carried the modifier's bit before and does not now (A14).
 */
function dropStuck(state: State, slot: 0 | 1 | 2, reported: number): void {
  const held = heldBits(state);
  if ((held & MOD.altGr) !== 0) return;
  const stuck = held & state.trustedBits[slot] & ~reported;
  state.trustedBits[slot] |= held & reported;
  if (stuck === 0) return;
  for (const modifier of state.modifiers.filter((each) => (each.bit & stuck) !== 0)) {
    warn(
      state,
      'missing-release',
      modifier.index,
      `${modifier.code} goes down and no longer counts, without its release.`,
    );
    letGo(state, modifier, true);
  }
}

/** A modifier key goes down; when it is down already, the keyboard repeats it. */
export function modifierDown(state: State, code: string, bit: number, index: number, t: number): void {
  state.seenModifiers |= bit & ALL;
  let modifier = state.modifiers.find((each) => each.code === code);
  if (!modifier) {
    modifier = { code, bit, t, index, runs: [], owner: null };
    state.cluster ??= { start: pointNow(state, t), bits: 0, runs: [], used: false };
    if (bit === MOD.altGr) hideFakeCtrl(state, t);
    state.cluster.bits |= bit;
    state.modifiers.push(modifier);
    // During a press of a button it is that press's (A5).
    const press = state.presses[0];
    if (press) {
      modifier.owner = press.draft;
      for (const each of state.presses) each.joined |= bit & ALL;
      state.cluster.used = true;
    }
  }
  addIndex(modifier.owner ? modifier.owner.events : modifier.runs, index);
}

function hideFakeCtrl(state: State, t: number): void {
  const fake = state.modifiers.find((each) => each.code === 'ControlLeft' && Math.abs(t - each.t) <= FAKE_CTRL_US);
  if (!fake) return;
  fake.bit = 0;
  if (state.cluster) state.cluster.bits = heldBits(state);
  for (const press of state.presses) press.joined &= ~MOD.ctrl;
}

/** A modifier key goes up. False when it was not down. */
export function modifierUp(state: State, code: string, index: number): boolean {
  const modifier = state.modifiers.find((each) => each.code === code);
  if (!modifier) return false;
  addIndex(modifier.owner ? modifier.owner.events : modifier.runs, index);
  letGo(state, modifier, false);
  return true;
}

/** The recorder's own input took the key's release: what it was for is the recorder's matter. */
export function modifierTaken(state: State, code: string): void {
  const modifier = state.modifiers.find((each) => each.code === code);
  if (!modifier) return;
  if (state.cluster) state.cluster.used = true;
  letGo(state, modifier, false);
}

/** Every modifier is released: at a pause and at the end (A2, A12). */
export function releaseModifiers(state: State): void {
  for (const modifier of [...state.modifiers]) letGo(state, modifier, true);
}

function letGo(state: State, modifier: HeldModifier, incomplete: boolean): void {
  state.modifiers.splice(state.modifiers.indexOf(modifier), 1);
  const { last } = state;
  // A shortcut ends when its last key is up: Alt+Tab shows its window only then (A19).
  if (state.made && last?.kind === 'press' && last.tapped === 0 && (last.modifiers & modifier.bit) !== 0)
    endAt(state, last, state.now);
  const { cluster } = state;
  if (!cluster) return;
  if (!modifier.owner) addRuns(cluster.runs, modifier.runs);
  if (state.modifiers.length > 0) return;
  state.cluster = null;
  if (cluster.runs.length === 0) return;
  // A6: pressed and released with nothing else is a press. AltGr is no modifier of its own, and Shift that ends up
  // without a letter inside a run of typing changes nothing (RULES, A6).
  const bare = (cluster.bits & ALL) === 0;
  const shiftWhileTyping = cluster.bits === MOD.shift && runGoesOn(state, state.now);
  if (cluster.used || bare || shiftWhileTyping) {
    addRuns(state.loneModifierRuns, cluster.runs);
    return;
  }
  const draft = pressKeys(state, chordNames(cluster.bits), 0, cluster.start.t, false);
  draft.tapped = cluster.bits;
  if (draft.count === 1) draft.start = cluster.start;
  addRuns(draft.events, cluster.runs);
  endAt(state, draft, state.now);
  draft.incomplete = incomplete;
}
