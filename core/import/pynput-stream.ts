import type { RawEvent } from '../../schemas/events.ts';
import type { KeyboardLayout } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { characterKey, keyOfChar, keyOfLetter, namedKey, plainChar, type ReadKey } from './pynput-keys.ts';
import { type KeySystem, type NumberedKey, numberedKey } from './virtual-keys.ts';

export type KeyOptions = {
  /** Whether a key called alt_gr occurs: the right Alt key then selects characters. */
  altGr: boolean;
  /** Of whose keys the numbers are; null where metadata.json does not say it. */
  system: KeySystem | null;
};

/** Oddities that were met, for the report. */
export type KeyNotes = {
  unknownKeys: number;
  characterKeys: number;
  guessedCaps: number;
  /** Keys that only their number names, read without knowing of which system it is. */
  guessedSystem: number;
  /** Modifiers that `letGo` let go. */
  letGo: number;
};

/** A layout line is some KB; no keyboard has so many further characters. */
const MOST_CHARACTER_KEYS = 500;

/** The keys of a recording of pynput's, one after another: which ones are held decides what a character was made by. */
export function createPynputKeys({ altGr, system }: KeyOptions) {
  const layout: KeyboardLayout = { ...usLayout(), id: 'us(pynput)', name: 'US, by characters', altGr };
  /** Keys that are down: their code (with its number where it is unknown), and the name that they were pressed by. */
  const held = new Map<string, string>();
  const counts: KeyNotes = { unknownKeys: 0, characterKeys: 0, guessedCaps: 0, guessedSystem: 0, letGo: 0 };
  let caps = false;
  let num = true;
  let told = false;

  const isHeld = (...codes: string[]): boolean => codes.some((code) => held.has(code));
  const shiftHeld = (): boolean => isHeld('ShiftLeft', 'ShiftRight');
  const chordHeld = (): boolean =>
    isHeld('ControlLeft', 'ControlRight', 'MetaLeft', 'MetaRight', 'AltLeft') || (!altGr && isHeld('AltRight'));
  const altGrHeld = (): boolean => altGr && isHeld('AltRight');

  const tellLayout = (t: number): RawEvent => ({ type: 'layout', t, layout: { ...layout, keys: { ...layout.keys } } });

  function press(key: ReadKey, t: number): RawEvent[] {
    const lines: RawEvent[] = told ? [] : [tellLayout(t)];
    told = true;
    const code = codeOf(key, t, lines);
    const id = idOf(code, key);
    // CapsLock and NumLock toggle with their press; what other keys say later corrects it.
    if (code === 'CapsLock' && !held.has(id)) caps = !caps;
    if (code === 'NumLock' && !held.has(id)) num = !num;
    // Of a key of which nothing is known nobody can say that it is the one that is down.
    const repeat = held.has(id) && id !== 'Unknown';
    held.set(id, key.name ?? '');
    lines.push({ type: 'keydown', t, code, ...raw(code, key), ...(repeat && { repeat: true }) });
    return lines;
  }

  function release(key: ReadKey, t: number): RawEvent[] {
    const code = heldCode(key) ?? codeOf(key, t, []);
    held.delete(idOf(code, key));
    return [{ type: 'keyup', t, code, ...raw(code, key) }];
  }

  /** Shift may be let go before the letter, which is then released by another name than it was pressed by. */
  function heldCode({ name }: ReadKey): string | null {
    if (name === null) return null;
    const named = namedKey(name);
    if (named !== null) return named;
    for (const [code, pressed] of held) if (pressed === name) return code;
    const char = plainChar(name);
    for (const code of [keyOfLetter(char), keyOfChar(char, false), keyOfChar(char, true)]) {
      if (code !== null && held.has(code)) return code;
    }
    for (const [code, pressed] of held) if (pressed.toLowerCase() === name.toLowerCase()) return code;
    return null;
  }

  /** A key that is known by its number: the digits of a keypad, what input methods are switched by. */
  function codeOfNumber(known: NumberedKey, t: number, lines: RawEvent[]): string {
    if (system === null) counts.guessedSystem++;
    if (known.code === null) return codeOf({ name: known.char, number: null }, t, lines);
    // With Shift a keypad makes no digits where NumLock makes them (A8); that this one did is known.
    if (known.char !== undefined && shiftHeld()) return learn(known.char, t, lines);
    if (known.num !== undefined && known.num !== num && !shiftHeld()) {
      num = known.num;
      lines.push({ type: 'locks', t, caps, num });
    }
    return known.code;
  }

  function codeOf({ name, number }: ReadKey, t: number, lines: RawEvent[]): string {
    const named = name === null ? null : namedKey(name);
    if (named !== null) return named;
    const numbered = name === null && number !== null ? numberedKey(number, system) : null;
    if (numbered !== null) return codeOfNumber(numbered, t, lines);
    const char = name === null ? '' : plainChar(name);
    // One character, which may be two units long.
    if ([...char].length !== 1) {
      counts.unknownKeys++;
      return 'Unknown';
    }
    const letter = keyOfLetter(char);
    if (letter !== null && (chordHeld() || name !== char)) return letter;
    if (letter !== null && !altGrHeld()) {
      const wantsCaps = (char !== char.toLowerCase()) !== shiftHeld();
      if (wantsCaps !== caps) {
        caps = wantsCaps;
        counts.guessedCaps++;
        lines.push({ type: 'locks', t, caps, num });
      }
      return letter;
    }
    const known = altGrHeld() ? null : keyOfChar(char, shiftHeld());
    if (known !== null) return known;
    // With Ctrl held a chord is meant: the character names it, whatever key it was.
    if (chordHeld()) return keyOfChar(char, false) ?? keyOfChar(char, true) ?? learn(char, t, lines);
    return learn(char, t, lines);
  }

  function learn(char: string, t: number, lines: RawEvent[]): string {
    const code = characterKey(char);
    if (Object.hasOwn(layout.keys, code)) return code;
    if (counts.characterKeys >= MOST_CHARACTER_KEYS) {
      counts.unknownKeys++;
      return 'Unknown';
    }
    counts.characterKeys++;
    layout.keys = { ...layout.keys, [code]: { chars: [char, char, char, char, char, char, char, char] } };
    lines.push(tellLayout(t));
    return code;
  }

  return {
    press,
    release,
    /** The release of a modifier that the file does not have (lost-releases.ts); nothing when it is up. */
    letGo(code: string, t: number): RawEvent[] {
      if (!held.delete(code)) return [];
      counts.letGo++;
      return [{ type: 'keyup', t, code }];
    },
    /** Nothing is held any more: a pause. */
    clear: () => held.clear(),
    notes: (): KeyNotes => ({ ...counts }),
  };
}

/** A key that nothing names is told from others by its number. */
const raw = (code: string, { number }: ReadKey): { raw?: number } =>
  code === 'Unknown' && number !== null ? { raw: number } : {};
const idOf = (code: string, { number }: ReadKey): string =>
  code === 'Unknown' && number !== null ? `Unknown ${number}` : code;
