import { tr } from '../../language/tr.ts';
/**
 * A key as text: modifiers in the order Ctrl, Alt, Shift, Meta, then the key, joined by `+`: `Ctrl+K`, `Shift+ArrowDown`,
 * `?`, `Enter`, `F2`, `Space`. `Mod` is Ctrl, or Meta (Command) on a Mac. Letters are upper case; a sign that needs Shift
 * on some keyboard is written without it, because which do depends on the layout.
 */
export type Chord = string;

type Modifiers = { ctrl: boolean; alt: boolean; shift: boolean; meta: boolean };
/** The part of a KeyboardEvent that is read. */
export type KeyPress = {
  key: string;
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
  isComposing?: boolean;
  getModifierState?: (key: string) => boolean;
};

const MODIFIER_KEYS = new Set(['Control', 'Alt', 'Shift', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn', 'OS']);
const ALIASES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  SPACEBAR: 'Space',
  ESC: 'Escape',
  DEL: 'Delete',
  UP: 'ArrowUp',
  DOWN: 'ArrowDown',
  LEFT: 'ArrowLeft',
  RIGHT: 'ArrowRight',
  PLUS: '+',
  RETURN: 'Enter',
};

/** The key that was pressed as text, or null for a lone modifier, a dead key, or a key inside an input method. */
export function chordOf(press: KeyPress, mac: boolean): Chord | null {
  if (press.isComposing || MODIFIER_KEYS.has(press.key) || press.key === 'Dead' || press.key === 'Process') return null;
  // AltGr makes a sign on many layouts and is seen as Ctrl+Alt on Windows: what counts is the sign.
  const altGraph = press.getModifierState?.('AltGraph') ?? false;
  const key = keyName(press, mac);
  if (key === '' || key === 'Unidentified') return null;
  const modifiers = {
    ctrl: press.ctrlKey && !altGraph,
    alt: press.altKey && !altGraph,
    shift: press.shiftKey && !isSign(key),
    meta: press.metaKey,
  };
  return join(modifiers, key);
}

function keyName({ key, code, ctrlKey, altKey, metaKey }: KeyPress, mac: boolean): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  // A layout without Latin letters (Cyrillic, Greek), or a Mac's Alt: the place on the keyboard says which letter.
  const foreign = key.length === 1 && key.toLowerCase() !== key.toUpperCase() && !/^[a-z]$/i.test(key);
  if (letter && (foreign || (mac && altKey) || ((ctrlKey || metaKey) && !/^[ -~]$/.test(key)))) return letter;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  // French and Czech keyboards make digits with Shift: the digit row stays the digit row unless a sign is asked for.
  if (digit && (/^\d$/.test(key) || (mac && altKey))) return digit;
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  return ALIASES[key] ?? key;
}

const isSign = (key: string): boolean => key.length === 1 && key.toLowerCase() === key.toUpperCase() && !/\d/.test(key);

function join(modifiers: Modifiers, key: string): Chord {
  const parts: string[] = [];
  if (modifiers.ctrl) parts.push('Ctrl');
  if (modifiers.alt) parts.push('Alt');
  if (modifiers.shift) parts.push('Shift');
  if (modifiers.meta) parts.push('Meta');
  return [...parts, key].join('+');
}

/**
 * Reads a written key (`mod+k`, `Shift+Down`, `Ctrl++`) into the form that `chordOf` gives.
 * Gives null when it names no key.
 */
export function parseChord(text: string, mac: boolean): Chord | null {
  const modifiers: Modifiers = { ctrl: false, alt: false, shift: false, meta: false };
  const parts = text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text === '+' ? ['+'] : text.split('+');
  let key: string | null = null;
  for (const part of parts.map((one) => (one === ' ' ? one : one.trim()))) {
    const name = part.toLowerCase();
    if (name === 'mod') modifiers[mac ? 'meta' : 'ctrl'] = true;
    else if (name === 'ctrl' || name === 'control') modifiers.ctrl = true;
    else if (name === 'alt' || name === 'option') modifiers.alt = true;
    else if (name === 'shift') modifiers.shift = true;
    else if (name === 'meta' || name === 'cmd' || name === 'win') modifiers.meta = true;
    else if (part === '' || key !== null) return null;
    else key = /^[a-z]$/i.test(part) ? part.toUpperCase() : (ALIASES[part.toUpperCase()] ?? part);
  }
  if (key === null) return null;
  return join({ ...modifiers, shift: modifiers.shift && !isSign(key) }, key);
}

const MAC_SIGNS: Readonly<Record<string, string>> = { Ctrl: '⌃', Alt: '⌥', Shift: '⇧', Meta: '⌘' };
const KEY_SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Delete: tr('Del'),
  Backspace: '⌫',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
};

/** A key as it is shown, each part by itself: `['Ctrl', 'K']`, or `['⌘', 'K']` on a Mac. */
export function formatParts(chord: Chord, mac: boolean): string[] {
  const parts = chord.endsWith('++')
    ? [...chord.slice(0, -2).split('+'), '+']
    : chord === '+'
      ? ['+']
      : chord.split('+');
  return parts.map((part, at) => {
    if (at < parts.length - 1 && mac) return MAC_SIGNS[part] ?? part;
    if (at < parts.length - 1 && part === 'Meta') return 'Win';
    return KEY_SIGNS[part] ?? part;
  });
}

/** A key in one text, for labels and tooltips: `Ctrl+K`, or `⌘K` on a Mac. Accepts what `parseChord` accepts. */
export function formatKey(text: string, mac: boolean = isMac()): string {
  const chord = parseChord(text, mac);
  if (chord === null) return text;
  return formatParts(chord, mac).join(mac ? '' : '+');
}

/** The form that `aria-keyshortcuts` wants: `Control+K`. */
export function ariaKey(chord: Chord): string {
  return chord.replace(/\bCtrl\b/, 'Control');
}

export function isMac(): boolean {
  return typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform);
}

/** True when the key would write or move in a text field, so that the field has it first. */
export function belongsToText(chord: Chord): boolean {
  if (/^F\d+$|^Escape$/.test(chord)) return false;
  if (!/^(?:Ctrl|Alt|Meta)\+/.test(chord)) return true;
  // Editing keys of every field: cut, copy, paste, select all, undo and redo, and moving by words.
  return /^(?:Ctrl|Meta)\+(?:Shift\+)?(?:[ACVXZY]|Arrow\w+|Home|End|Backspace|Delete)$|^Alt\+(?:Shift\+)?Arrow(?:Left|Right)$/.test(
    chord,
  );
}
