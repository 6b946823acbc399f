import type { VirtualDisplay } from './display.ts';
import { must } from './process.ts';

/**
 * Which keys a person presses for a text, read from the server's own table (`xmodmap -pk`), not from the recorder's.
 * `xdotool type` is no help here: for a character that it does not find it rewires a spare key, which no person does.
 */

/** Key codes of the server (evdev codes + 8), the same on every layout. */
export const KEYCODE: Record<string, number> = {
  Escape: 9,
  Backspace: 22,
  Tab: 23,
  Enter: 36,
  Space: 65,
  CapsLock: 66,
  NumLock: 77,
  PrintScreen: 107,
  Home: 110,
  ArrowUp: 111,
  PageUp: 112,
  ArrowLeft: 113,
  ArrowRight: 114,
  End: 115,
  ArrowDown: 116,
  PageDown: 117,
  Insert: 118,
  Delete: 119,
  Pause: 127,
  ContextMenu: 135,
  F1: 67,
  F2: 68,
  F3: 69,
  F4: 70,
  F5: 71,
  F6: 72,
  F7: 73,
  F8: 74,
  F9: 75,
  F10: 76,
  F11: 95,
  F12: 96,
  ctrl: 37,
  shift: 50,
  alt: 64,
  meta: 133,
  altGr: 108,
};

/** The result of one key at the levels plain, Shift, AltGr, Shift+AltGr: a character, a dead key's mark, or nothing. */
export type Made = { char: string } | { dead: string } | null;
export type Keyboard = { keys: Map<number, Made[]> };
export type KeyStroke = { code: number; shift: boolean; altGr: boolean };

const LEVELS = [
  { column: 0, shift: false, altGr: false },
  { column: 1, shift: true, altGr: false },
  // The core table lists group 1's first two levels, group 2's, then group 1's third and fourth.
  { column: 4, shift: false, altGr: true },
  { column: 5, shift: true, altGr: true },
] as const;

/** Dead keys' key symbols, from 0xfe50, and the combining mark of each. */
const DEAD = ['\u0300', '\u0301', '\u0302', '\u0303', '\u0304', '\u0306', '\u0307', '\u0308', '\u030a', '\u030b'];
DEAD.push('\u030c', '\u0327', '\u0328');
const OTHER: Record<number, string> = { 8364: '€', 5052: 'Œ', 5053: 'œ', 1712: '№', 5054: 'Ÿ' };
const koi8 = new TextDecoder('koi8-r');

function madeBy(keysym: number): Made {
  if (keysym >= 0xfe50 && keysym < 0xfe50 + DEAD.length) return { dead: DEAD[keysym - 0xfe50] as string };
  if ((keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)) {
    return { char: String.fromCodePoint(keysym) };
  }
  if (keysym >= 0x1000100) return { char: String.fromCodePoint(keysym - 0x1000000) };
  const other = OTHER[keysym];
  if (other !== undefined) return { char: other };
  // Cyrillic key symbols stand in the order of KOI8-R.
  if (keysym >= 0x6a0 && keysym <= 0x6ff) return { char: koi8.decode(Uint8Array.of(keysym & 0xff)) };
  return null;
}

/** The keyboard of a display, as its server has it now. */
export async function readKeyboard(display: Pick<VirtualDisplay, 'env'>): Promise<Keyboard> {
  const table = await must('xmodmap', ['-pk'], { env: display.env });
  const keys = new Map<number, Made[]>();
  for (const line of table.split('\n')) {
    const [code, ...columns] = line.split('\t').filter((cell) => cell.trim() !== '');
    if (!code || !/^\s*\d+\s*$/.test(code)) continue;
    const symbols = columns.map((cell) => Number.parseInt(cell.trim().slice(2, 8).split(' ')[0] ?? '', 16));
    keys.set(
      Number(code),
      LEVELS.map(({ column }) => madeBy(symbols[column] ?? 0)),
    );
  }
  return { keys };
}

/** The strokes for `text`; a dead key first where the layout has no key of its own. Throws for what it cannot type. */
export function strokesFor(keyboard: Keyboard, text: string, options: { caps?: boolean } = {}): KeyStroke[] {
  const made = options.caps ? withCaps : (levels: Made[], level: number) => levels[level] ?? null;
  return [...text].flatMap((char) => {
    if (char === '\n') return [{ code: KEYCODE.Enter as number, shift: false, altGr: false }];
    const direct = find(keyboard, (levels, level) => charOf(made(levels, level)) === char);
    if (direct) return [direct];
    const [base, mark, more] = [...char.normalize('NFD')];
    const dead = find(keyboard, (levels, level) => {
      const key = levels[level] ?? null;
      return key !== null && 'dead' in key && key.dead === mark;
    });
    const letter = find(keyboard, (levels, level) => charOf(made(levels, level)) === base);
    if (!dead || !letter || more !== undefined) throw new Error(`this keyboard layout has no keys for “${char}”`);
    return [dead, letter];
  });
}

const charOf = (made: Made): string | null => (made && 'char' in made ? made.char : null);

/** The result of a key while CapsLock is on: the other of a pair of cases, or the capital of what it makes. */
function withCaps(levels: Made[], level: number): Made {
  const own = charOf(levels[level] ?? null);
  const other = charOf(levels[level ^ 1] ?? null);
  if (own === null) return levels[level] ?? null;
  const pair = other !== null && own !== other && own.toUpperCase() === other.toUpperCase();
  if (pair) return { char: other };
  return { char: [...own.toUpperCase()].length === 1 ? own.toUpperCase() : own };
}

/** The key for a chord's letter; on a layout without it (Russian), the key that is that letter on a US keyboard. */
export function chordKey(keyboard: Keyboard, key: string): number {
  const named = KEYCODE[key];
  if (named !== undefined) return named;
  const own = find(keyboard, (levels, level) => charOf(levels[level] ?? null) === key);
  if (own && !own.shift && !own.altGr) return own.code;
  for (const [first, row] of [
    [24, 'qwertyuiop'],
    [38, 'asdfghjkl'],
    [52, 'zxcvbnm'],
  ] as const) {
    const at = row.indexOf(key);
    if (at >= 0) return first + at;
  }
  throw new Error(`no key for “${key}” in a chord`);
}

function find(keyboard: Keyboard, wanted: (levels: Made[], level: number) => boolean): KeyStroke | null {
  for (const level of LEVELS.keys()) {
    for (const [code, levels] of keyboard.keys) {
      // The lowest code is the key that a person means; keypads and extra keys have higher ones.
      if (code < 10 || code > 94 || !wanted(levels, level)) continue;
      const { shift, altGr } = LEVELS[level] as (typeof LEVELS)[number];
      return { code, shift, altGr };
    }
  }
  return null;
}
