import type { Modifier } from '../../schemas/actions.ts';
import { LEVEL, MOD_BITS } from '../../schemas/key-bits.ts';
import { KEYPAD_NAMES } from '../../schemas/keypad.ts';
import type { KeyboardLayout, KeyChar } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';

/** Held modifiers as bits: those of raw events, and AltGr, which selects characters instead of modifying (A7). */
export const MOD = { ...MOD_BITS, altGr: 16 } as const;
/** The modifiers that make a chord of any key (A7). */
export const CHORD_MODS = MOD.ctrl | MOD.alt | MOD.meta;

const MODIFIER_CODES = new Map<string, number>([
  ['ControlLeft', MOD.ctrl],
  ['ControlRight', MOD.ctrl],
  ['AltLeft', MOD.alt],
  ['AltRight', MOD.alt],
  ['ShiftLeft', MOD.shift],
  ['ShiftRight', MOD.shift],
  ['MetaLeft', MOD.meta],
  ['MetaRight', MOD.meta],
  // Other names that some sources have for the same keys.
  ['OSLeft', MOD.meta],
  ['OSRight', MOD.meta],
  ['AltGraph', MOD.altGr],
]);

/** On macOS both Option keys select characters, and are Alt where they select none. */
export function optionSelects(layout: KeyboardLayout): boolean {
  return layout.altGr && layout.source === 'UCKeyTranslate';
}

/** The modifier that a key is, as one bit of `MOD`; 0 for any other key. */
export function modifierOf(code: string, layout: KeyboardLayout): number {
  if (code === 'AltRight' && layout.altGr && !optionSelects(layout)) return MOD.altGr;
  return MODIFIER_CODES.get(code) ?? 0;
}

const ORDER: readonly Modifier[] = ['ctrl', 'alt', 'shift', 'meta'];

/** In the contract's order: ctrl, alt, shift, meta (A6). AltGr is none of them. */
export function modifierNames(bits: number): Modifier[] {
  return ORDER.filter((name) => (bits & MOD_BITS[name]) !== 0);
}

/** The same for `keys` of a press, where AltGr stands by its W3C name. */
export function chordNames(bits: number): string[] {
  const names: string[] = modifierNames(bits);
  if (bits & MOD.altGr) names.push('AltGraph');
  return names;
}

/** W3C KeyboardEvent.key of keys that make no character, where it is not the code itself. */
const NAMED = new Map<string, string>([
  ['Space', 'Space'],
  ['NumpadEnter', 'Enter'],
  ['NumpadBackspace', 'Backspace'],
]);

/** Codes that are their own names: W3C KeyboardEvent.code equals KeyboardEvent.key. */
export const SELF_NAMED: ReadonlySet<string> = new Set<string>([
  ...'Escape Enter Tab Backspace Delete Insert Home End PageUp PageDown ArrowUp ArrowDown ArrowLeft ArrowRight'.split(
    ' ',
  ),
  ...'CapsLock NumLock ScrollLock PrintScreen Pause ContextMenu Help Fn FnLock Hyper Super'.split(' '),
  ...'Power Sleep WakeUp Eject Select Open Find Again Undo Copy Paste Cut Props Abort'.split(' '),
  ...'AudioVolumeMute AudioVolumeDown AudioVolumeUp MediaPlayPause MediaStop MediaTrackPrevious'.split(' '),
  ...'MediaTrackNext MediaSelect LaunchMail LaunchApp1 LaunchApp2 BrowserSearch BrowserHome BrowserBack'.split(' '),
  ...'BrowserForward BrowserStop BrowserRefresh BrowserFavorites KanaMode Convert NonConvert'.split(' '),
  ...'Lang1 Lang2 Lang3 Lang4 Lang5'.split(' '),
  ...Array.from({ length: 24 }, (_, i) => `F${i + 1}`),
]);

/** The keypad: its character with NumLock, its name without. Keys without a second meaning make their character always. */
const KEYPAD = new Map<string, { char: string; name: string | null }>([
  ['Numpad0', { char: '0', name: KEYPAD_NAMES.Numpad0 }],
  ['Numpad1', { char: '1', name: KEYPAD_NAMES.Numpad1 }],
  ['Numpad2', { char: '2', name: KEYPAD_NAMES.Numpad2 }],
  ['Numpad3', { char: '3', name: KEYPAD_NAMES.Numpad3 }],
  ['Numpad4', { char: '4', name: KEYPAD_NAMES.Numpad4 }],
  ['Numpad5', { char: '5', name: KEYPAD_NAMES.Numpad5 }],
  ['Numpad6', { char: '6', name: KEYPAD_NAMES.Numpad6 }],
  ['Numpad7', { char: '7', name: KEYPAD_NAMES.Numpad7 }],
  ['Numpad8', { char: '8', name: KEYPAD_NAMES.Numpad8 }],
  ['Numpad9', { char: '9', name: KEYPAD_NAMES.Numpad9 }],
  ['NumpadDecimal', { char: '.', name: KEYPAD_NAMES.NumpadDecimal }],
  ['NumpadAdd', { char: '+', name: null }],
  ['NumpadSubtract', { char: '-', name: null }],
  ['NumpadMultiply', { char: '*', name: null }],
  ['NumpadDivide', { char: '/', name: null }],
  ['NumpadEqual', { char: '=', name: null }],
  ['NumpadComma', { char: ',', name: null }],
  ['NumpadParenLeft', { char: '(', name: null }],
  ['NumpadParenRight', { char: ')', name: null }],
]);

type Levels = { shift: boolean; altGr: boolean; caps: boolean; num: boolean };

/** A dead key's entry in a layout. */
export type DeadKey = Extract<KeyChar, { dead: string }>;

/** The result of a key on a layout at these levels: its character(s), a dead key, or null for none (A8). */
export function characterOf(layout: KeyboardLayout, code: string, levels: Levels): string | DeadKey | null {
  // A code from a broken stream may be any string, 'constructor' too.
  const entry = Object.hasOwn(layout.keys, code) ? layout.keys[code] : undefined;
  const keypad = KEYPAD.get(code);
  if (keypad?.name) return levels.num && !levels.shift ? (entry?.num ?? keypad.char) : null;
  const index = (levels.shift ? LEVEL.shift : 0) | (levels.altGr ? LEVEL.altGr : 0) | (levels.caps ? LEVEL.caps : 0);
  const char = entry?.chars[index] ?? null;
  if (typeof char === 'string') return isWritten(char) ? char : null;
  if (char !== null) return char;
  if (entry !== undefined) return null;
  if (code === 'Space') return ' ';
  return keypad?.char ?? null;
}

/** Layouts of Windows and macOS give Enter, Tab and Escape as control characters; those are no text. */
function isWritten(char: string): boolean {
  const first = char.charCodeAt(0);
  return char.length > 0 && first >= 0x20 && first !== 0x7f;
}

const US = usLayout();
const LATIN_OR_NO_LETTER = /^(?:\p{Script=Latin}|\P{L})/u;

/**
 * A key's name in `keys` of a press, and whether anything is known of it: its W3C name, or the character that it makes
 * alone, in lower case. On a layout whose letters are not Latin the letter is that of a US keyboard (RULES, A7).
 */
export function keyName(layout: KeyboardLayout, code: string, raw: number | undefined, num: boolean): KeyName {
  if (SELF_NAMED.has(code)) return { name: code, known: true };
  const named = NAMED.get(code);
  if (named) return { name: named, known: true };
  const plain = { shift: false, altGr: false, caps: false, num };
  const char = characterOf(layout, code, plain);
  const written = char === null ? null : typeof char === 'string' ? char : char.alone;
  if (written !== null && LATIN_OR_NO_LETTER.test(written)) return { name: written.toLowerCase(), known: true };
  const us = characterOf(US, code, plain);
  if (typeof us === 'string' && (written !== null || Object.hasOwn(layout.keys, code)))
    return { name: us, known: true };
  if (written !== null) return { name: written.toLowerCase(), known: true };
  const keypad = KEYPAD.get(code);
  if (keypad?.name) return { name: keypad.name, known: true };
  if (code === 'Unknown' && raw !== undefined) return { name: `Unknown(${raw})`, known: false };
  return { name: code, known: Object.hasOwn(layout.keys, code) };
}

type KeyName = { name: string; known: boolean };

/** The character of a physical key on a US keyboard; null for none. */
export function usCharacter(code: string): string | null {
  const char = characterOf(US, code, { shift: false, altGr: false, caps: false, num: false });
  return typeof char === 'string' ? char : null;
}
