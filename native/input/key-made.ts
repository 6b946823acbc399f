import type { KeyMade } from '../../schemas/key-made.ts';
import type { Composer } from './compose.ts';
import { keysymKey } from './keysym-keys.ts';
import { deadKey, upperChar } from './keysyms.ts';

/**
 * Modifiers of XKB by what they do, as masks of real modifiers (X.h: Shift 1, Lock 2, Control 4, Mod1 to Mod5). Which of the
 * five is Alt, Super or level 3 is the keymap's matter.
 */
export type ModMasks = Record<'alt' | 'meta' | 'level3' | 'level5' | 'num', number>;
const REAL = { shift: 1, lock: 2, ctrl: 4 } as const;

/** The keysyms whose keys give a virtual modifier its real one; of Meta and Hyper what is not Alt's counts as Super. */
const MASK_KEYSYMS = {
  alt: [0xffe9, 0xffea],
  meta: [0xffeb, 0xffec, 0xffed, 0xffee, 0xffe7, 0xffe8],
  level3: [0xfe03, 0xfe04, 0xfe05, 0xff7e],
  level5: [0xfe11, 0xfe12, 0xfe13],
  num: [0xff7f],
} as const satisfies Record<keyof ModMasks, readonly number[]>;

/** `maskOf`: the real modifiers that a keysym's keys stand for. */
export function modMasks(maskOf: (keysym: number) => number): ModMasks {
  const all = (keysyms: readonly number[]): number => keysyms.reduce((mask, keysym) => mask | maskOf(keysym), 0);
  const real = REAL.shift | REAL.lock | REAL.ctrl;
  const num = all(MASK_KEYSYMS.num) & ~real;
  const level3 = all(MASK_KEYSYMS.level3) & ~real & ~num;
  const level5 = all(MASK_KEYSYMS.level5) & ~real & ~num & ~level3;
  const taken = real | num | level3 | level5;
  const alt = all(MASK_KEYSYMS.alt) & ~taken;
  return { alt, meta: all(MASK_KEYSYMS.meta) & ~taken & ~alt, level3, level5, num };
}

export function modNames(mask: number, masks: ModMasks): string[] {
  const has = (bits: number): boolean => (mask & bits) !== 0;
  return [
    ...(has(REAL.shift) ? ['shift'] : []),
    ...(has(REAL.ctrl) ? ['ctrl'] : []),
    ...(has(masks.alt) ? ['alt'] : []),
    ...(has(masks.meta) ? ['meta'] : []),
    ...(has(masks.level3) ? ['level3'] : []),
    ...(has(masks.level5) ? ['level5'] : []),
    ...(has(REAL.lock) ? ['caps'] : []),
    ...(has(masks.num) ? ['num'] : []),
  ];
}

/** A keymap's answer for a key and modifiers. `action`: what its press does to modifiers, where it does. */
export type KeymapAnswer = {
  keysym: number;
  /** Modifiers that the level was chosen by. */
  consumed: number;
  action?: { kind: 'set' | 'lock'; mask: number } | null;
};
/** A keymap, whoever reads it. */
export type KeymapReader = {
  masks: ModMasks;
  answer(keycode: number, mods: number, group: number): KeymapAnswer;
  char(keysym: number): string | null;
  name(keysym: number): string | null;
};
/** The keyboard's state at a press, as real modifiers. `latched` and `locked` null: not known. */
export type KeyboardState = { mods: number; latched: number | null; locked: number | null; group: number };

/** What a key makes at its press. The composer takes it as the next of its sequence. */
export function keyMade(
  keymap: KeymapReader,
  keycode: number,
  state: KeyboardState,
  composer: Composer | null,
): KeyMade {
  const { masks } = keymap;
  const { mods, group } = state;
  const made = keymap.answer(keycode, mods, group);
  // Keys of the keypad are named by their digits while NumLock makes them.
  const alone = keymap.answer(keycode, mods & masks.num, group);
  const key = keyOf(keymap, made);
  const plain = plainOf(keymap, alone);
  // A key without a symbol ends a sequence, too.
  const sequence = composer?.feed(made.keysym) ?? null;
  const text = sequence ? sequence.text : textOf(keymap, made, mods);
  const chord = mods & (REAL.ctrl | masks.alt | masks.meta);
  // Alt that chose the level itself is part of how the character is typed.
  const isWritten = text !== null && (chord & ~(made.keysym === alone.keysym ? 0 : made.consumed)) === 0;
  const sym = keymap.name(made.keysym);
  const dead = deadKey(made.keysym);
  const [latched, locked] = [modNames(state.latched ?? 0, masks), modNames(state.locked ?? 0, masks)];
  const names = modNames(mods, masks);
  return {
    key,
    ...(plain !== key && { plain }),
    ...(isWritten && text !== '' && { text }),
    ...(dead !== null && typeof dead === 'object' && { dead }),
    ...(sequence && { sequence: sequence.goesOn ? 'goes-on' : 'ends' }),
    ...(sym !== null && made.keysym !== 0 && { sym }),
    ...(names.length > 0 && { mods: names }),
    ...(latched.length > 0 && { latched }),
    ...(locked.length > 0 && { locked }),
    ...(group !== 0 && { group }),
  };
}

/** The modifier bits of an event, as `MOD_BITS` of schemas/events.ts. */
export function eventMods(mods: number, masks: ModMasks): number {
  return (
    (mods & REAL.shift ? 1 : 0) | (mods & REAL.ctrl ? 2 : 0) | (mods & masks.alt ? 4 : 0) | (mods & masks.meta ? 8 : 0)
  );
}

function textOf(keymap: KeymapReader, { keysym, consumed }: KeymapAnswer, mods: number): string | null {
  const char = keymap.char(keysym);
  // CapsLock that the key's type does not take makes capitals by itself (XLookupString, xkb_state_key_get_utf8).
  return char !== null && mods & ~consumed & REAL.lock ? upperChar(char) : char;
}

function keyOf(keymap: KeymapReader, answer: KeymapAnswer): string {
  const { keysym } = answer;
  const char = keymap.char(keysym);
  if (char !== null) return char;
  if (deadKey(keysym) !== null) return 'Dead';
  // What a key does counts, not its name: caps:ctrl_modifier leaves Caps_Lock on a key that is Control.
  const role = roleOf(answer, keymap.masks);
  if (role !== null) return role;
  const key = keysymKey(keysym);
  if (key === 'Meta' && keymap.masks.meta === 0) return 'Alt';
  return key ?? keymap.name(keysym) ?? 'Unidentified';
}

function plainOf(keymap: KeymapReader, answer: KeymapAnswer): string {
  const dead = deadKey(answer.keysym);
  return dead !== null && typeof dead === 'object' ? dead.alone : keyOf(keymap, answer);
}

const GROUP_OR_LEVEL = /^(?:Group|AltGraph|Level5|ShiftLock|ScrollLock)/;

/** The modifier that a press of the key sets or locks, by its action; null: none, or its keysym says more. */
function roleOf({ keysym, action }: KeymapAnswer, masks: ModMasks): string | null {
  if (!action || action.mask === 0) return null;
  const named = keysymKey(keysym);
  if (action.kind === 'lock') {
    if (named !== null && GROUP_OR_LEVEL.test(named)) return null;
    if (action.mask & REAL.lock) return 'CapsLock';
    return action.mask & masks.num ? 'NumLock' : null;
  }
  if (action.mask & REAL.ctrl) return 'Control';
  if (action.mask & masks.level3) return 'AltGraph';
  if (action.mask & masks.level5) return 'Level5';
  if (action.mask & masks.alt) return 'Alt';
  if (action.mask & masks.meta) return 'Meta';
  return action.mask & REAL.shift ? 'Shift' : null;
}
