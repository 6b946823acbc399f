import type { InputEvent } from '../../schemas/events.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import { CHORD_MODS, chordNames, MOD, SELF_NAMED, usCharacter } from './keys.ts';
import { modifiersNow } from './modifiers.ts';
import { pressKeys } from './press.ts';
import { type DraftAction, type State, warn } from './state.ts';
import { takeBack, typeCharacter, typeSequence } from './type-run.ts';

type KeyDown = Extract<InputEvent, { type: 'keydown' }>;

const KEYPAD = /^KP_/;
/** Keys that a keymap names by no or another name than W3C does by their place. */
const BY_PLACE =
  /^(?:F(?:1[3-9]|2[0-4])|Lang\d|Props|Select|Open|Find|Again|Undo|Abort|Power|Sleep|WakeUp|Eject|(?:Launch|Browser|Media|Audio)\w+)$/;
const LATIN_OR_NO_LETTER = /^(?:\p{Script=Latin}|\P{L})/u;

/** The meaning of a press of a key that is no modifier (A19). */
export function takeMade(
  state: State,
  event: KeyDown,
  made: KeyMade,
  index: number,
  t: number,
  repeat: boolean,
): DraftAction {
  const bits = modifiersNow(state, event);
  if (made.sequence !== undefined || made.key === 'Compose') return typeSequence(state, made, t);
  if (made.text !== undefined) return typeCharacter(state, made.text, t, repeat);
  const isChord = (bits & CHORD_MODS) !== 0;
  if (made.dead && !isChord) return typeCharacter(state, made.dead, t, repeat);
  if (made.key === 'Backspace' && !isChord) {
    const draft = takeBack(state, t);
    if (draft) return draft;
  }
  const { name, own } = nameMade(made, event);
  if (made.key === 'Unidentified' && !BY_PLACE.test(event.code)) {
    const what = `${name} makes nothing by the keyboard's layout; it is kept as a press by this name.`;
    warn(state, 'unknown-key', index, what);
  }
  const left = own ? bits & ~selectedBy(made, bits) : bits;
  return pressKeys(state, [...chordNames(left), name], left, t, repeat);
}

/** `own`: the name is that of the press with its modifiers, else that of the key alone. */
function nameMade({ key, plain = key, dead }: KeyMade, { code, raw }: KeyDown): { name: string; own: boolean } {
  if (key === 'Unidentified') return { name: unknownName(code, raw), own: false };
  const isNamed = [...key].length > 1 && key !== 'Dead';
  // F13 is XF86Tools to X11, Lang3 is Katakana.
  if (isNamed) return { name: !SELF_NAMED.has(key) && BY_PLACE.test(code) ? code : key, own: true };
  const alone = plain === 'Dead' ? (dead?.alone ?? plain) : plain;
  const char = [...alone].length === 1 ? alone : key;
  if (char === ' ') return { name: 'Space', own: false };
  const name = LATIN_OR_NO_LETTER.test(char) ? char : (usCharacter(code) ?? char);
  return { name: name.toLowerCase(), own: false };
}

function unknownName(code: string, raw: number | undefined): string {
  return code === 'Unknown' && raw !== undefined ? `Unknown(${raw})` : code;
}

/** The modifiers that chose what the key does, and so are no part of the chord. */
function selectedBy({ key, plain, sym }: KeyMade, bits: number): number {
  if (plain === undefined || plain === key || KEYPAD.test(sym ?? '')) return 0;
  if (bits & MOD.altGr) return MOD.altGr;
  return (bits & (MOD.shift | CHORD_MODS)) === MOD.shift ? MOD.shift : 0;
}
