import { usLayout } from '../../schemas/us-layout.ts';

/**
 * pynput's names of keys as W3C codes. Sources: pynput.keyboard.Key (named keys), AgentNet's table of Windows virtual keys
 * (the capitalised names). A key that pynput calls by a character is found by that character.
 */
const NAMED: Readonly<Record<string, string>> = {
  alt: 'AltLeft',
  alt_l: 'AltLeft',
  alt_r: 'AltRight',
  alt_gr: 'AltRight',
  backspace: 'Backspace',
  caps_lock: 'CapsLock',
  cmd: 'MetaLeft',
  cmd_l: 'MetaLeft',
  cmd_r: 'MetaRight',
  ctrl: 'ControlLeft',
  ctrl_l: 'ControlLeft',
  ctrl_r: 'ControlRight',
  delete: 'Delete',
  down: 'ArrowDown',
  end: 'End',
  enter: 'Enter',
  esc: 'Escape',
  home: 'Home',
  insert: 'Insert',
  left: 'ArrowLeft',
  menu: 'ContextMenu',
  num_lock: 'NumLock',
  page_down: 'PageDown',
  page_up: 'PageUp',
  pause: 'Pause',
  print_screen: 'PrintScreen',
  right: 'ArrowRight',
  scroll_lock: 'ScrollLock',
  shift: 'ShiftLeft',
  shift_l: 'ShiftLeft',
  shift_r: 'ShiftRight',
  space: 'Space',
  tab: 'Tab',
  up: 'ArrowUp',
  media_play_pause: 'MediaPlayPause',
  media_stop: 'MediaStop',
  media_volume_mute: 'AudioVolumeMute',
  media_volume_down: 'AudioVolumeDown',
  media_volume_up: 'AudioVolumeUp',
  media_previous: 'MediaTrackPrevious',
  media_next: 'MediaTrackNext',
  Backspace: 'Backspace',
  Tab: 'Tab',
  Enter: 'Enter',
  Shift: 'ShiftLeft',
  Ctrl: 'ControlLeft',
  Alt: 'AltLeft',
  Pause: 'Pause',
  'Caps Lock': 'CapsLock',
  Esc: 'Escape',
  Space: 'Space',
  'Page Up': 'PageUp',
  'Page Down': 'PageDown',
  End: 'End',
  Home: 'Home',
  Left: 'ArrowLeft',
  Up: 'ArrowUp',
  Right: 'ArrowRight',
  Down: 'ArrowDown',
  'Print Screen': 'PrintScreen',
  Insert: 'Insert',
  Delete: 'Delete',
};

/** The code of a key that pynput names; null for a character and for what nobody knows. */
export function namedKey(name: string): string | null {
  if (Object.hasOwn(NAMED, name)) return NAMED[name] ?? null;
  const fn = /^f([1-9]|1\d|2[0-4])$/i.exec(name);
  return fn ? `F${fn[1]}` : null;
}

const LEVELS = plainAndShifted();

/** Character -> the US key that makes it, without (0) and with Shift (1). The keypad has none of them. */
function plainAndShifted(): readonly [Map<string, string>, Map<string, string>] {
  const levels: [Map<string, string>, Map<string, string>] = [new Map(), new Map()];
  for (const [code, { chars }] of Object.entries(usLayout().keys)) {
    if (code.startsWith('Numpad') || code === 'IntlBackslash') continue;
    for (const level of [0, 1] as const) {
      const char = chars[level];
      if (typeof char === 'string') levels[level].set(char, code);
    }
  }
  return levels;
}

/** The US key that makes this character at this Shift; null when none does. */
export const keyOfChar = (char: string, shift: boolean): string | null => LEVELS[shift ? 1 : 0].get(char) ?? null;

/** The key of a letter whatever its case, as a shortcut names it. */
export const keyOfLetter = (char: string): string | null => (/^[a-z]$/i.test(char) ? `Key${char.toUpperCase()}` : null);

/**
 * A key that is known only by the character it made: its code says so, and its layout makes that character at every level.
 * pynput gives characters, not keys, so a character that no US key makes as things are held keeps at least its text.
 */
export const characterKey = (char: string): string =>
  `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Ctrl+C arrives as the control character 3 where the system says so (Windows): the letter that was pressed with it. */
export function plainChar(name: string): string {
  const code = name.length === 1 ? name.charCodeAt(0) : 32;
  return code >= 1 && code <= 26 ? String.fromCharCode(code + 96) : name;
}

/** A key as a line of events.jsonl has it: AgentNet gives the form that pynput prints beside the name. */
export type PynputKey = { name: string | null; pynput_key?: string | undefined };

/** A key's name, or the number that stands for it where it has none; both null when the line tells nothing of the key. */
export type ReadKey = { name: string | null; number: number | null };

/**
 * `name`, else what pynput prints: `'a'`, a dead key's `['^']`, `Key.enter`, `<96>`. AgentNet names a key without a name by its
 * virtual key, `$Unknown (255)$`.
 */
export function readKey({ name, pynput_key: printed = '' }: PynputKey): ReadKey {
  const numberedName = NUMBERED.exec(name ?? '');
  const numbered = numberedName ?? NUMBERED.exec(printed);
  const number = numbered ? Number(numbered[1] ?? numbered[2]) : null;
  if (name !== null && numberedName === null) return { name, number };
  const own = /^Key\.(\w{1,40})$/.exec(printed)?.[1] ?? charOf(printed);
  return { name: own, number };
}

const NUMBERED = /^(?:\$Unknown \((\d{1,9})\)\$|<(\d{1,9})>)$/;
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** The character of Python's repr of it; null for anything else. */
function charOf(printed: string): string | null {
  const inside = /^\[?(['"])(.{1,12})\1\]?$/su.exec(printed)?.[2];
  if (inside === undefined) return null;
  const escaped = /^\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8}))$/i.exec(inside);
  const point = escaped ? Number.parseInt(escaped[1] ?? escaped[2] ?? escaped[3] ?? '', 16) : null;
  if (point !== null) return point <= 0x10ffff ? String.fromCodePoint(point) : null;
  const plain = /^\\(.)$/su.exec(inside)?.[1];
  if (plain !== undefined) return ESCAPED.get(plain) ?? plain;
  return [...inside].length === 1 ? inside : null;
}
