import { MEDIA_KEYSYMS } from '../../schemas/media-keys.ts';

/**
 * Keys that pynput names by a number alone, `<96>`: it writes so what makes no character by itself, such as the digits of a
 * keypad (moses-palmer/pynput#370, #418). The number is the system's own: a virtual key of Windows, a keysym of X11, a key
 * code of macOS. So `<104>` is the keypad's 8 on Windows and Kana on a Mac.
 */
export type NumberedKey =
  | {
      /** W3C KeyboardEvent.code. */
      code: string;
      /** What the number says of NumLock: a digit comes only while it is on, Home of the keypad only while it is off. */
      num?: boolean;
      /** Of a key that makes a digit: it, for a stream in which Shift is held beside it. */
      char?: string;
    }
  /** X11 gives further characters by number. */
  | { code: null; char: string };

export type KeySystem = 'windows' | 'x11' | 'macos';

/** By the system that metadata.json names; null where it names none. */
export function keySystem(system: string | undefined): KeySystem | null {
  if (system === 'Windows') return 'windows';
  if (system === 'Darwin') return 'macos';
  return system === 'Linux' ? 'x11' : null;
}

/** Null for a number that no table has. `system` null: X11 where the number is one of its own, else Windows. */
export function numberedKey(number: number, system: KeySystem | null): NumberedKey | null {
  const own = system ?? (number > 0xff ? 'x11' : 'windows');
  if (own === 'x11') return keysym(number);
  const table = own === 'windows' ? WINDOWS : MACOS;
  return table.get(number) ?? null;
}

const digitKey = (digit: number): NumberedKey => ({ code: `Numpad${digit}`, num: true, char: String(digit) });

/** [number, code] */
type Row = readonly [number, string];
const plain = (rows: readonly Row[]): [number, NumberedKey][] => rows.map(([number, code]) => [number, { code }]);

/** Virtual keys (winuser.h). With Ctrl held pynput gives digits and signs by them, too (moses-palmer/pynput#530). */
const WINDOWS = new Map<number, NumberedKey>([
  ...Array.from({ length: 10 }, (_, digit): [number, NumberedKey] => [0x60 + digit, digitKey(digit)]),
  ...Array.from({ length: 10 }, (_, digit): [number, NumberedKey] => [0x30 + digit, { code: `Digit${digit}` }]),
  ...Array.from({ length: 26 }, (_, letter): [number, NumberedKey] => {
    return [0x41 + letter, { code: `Key${String.fromCharCode(0x41 + letter)}` }];
  }),
  ...Array.from({ length: 24 }, (_, at): [number, NumberedKey] => [0x70 + at, { code: `F${at + 1}` }]),
  // The keypad's 5 without NumLock: VK_CLEAR.
  [0x0c, { code: 'Numpad5', num: false }],
  [0x6e, { code: 'NumpadDecimal', num: true, char: '.' }],
  ...plain([
    [0x08, 'Backspace'],
    [0x09, 'Tab'],
    [0x0d, 'Enter'],
    [0x13, 'Pause'],
    [0x14, 'CapsLock'],
    [0x15, 'Lang1'],
    [0x19, 'Lang2'],
    [0x1b, 'Escape'],
    [0x1c, 'Convert'],
    [0x1d, 'NonConvert'],
    [0x20, 'Space'],
    [0x21, 'PageUp'],
    [0x22, 'PageDown'],
    [0x23, 'End'],
    [0x24, 'Home'],
    [0x25, 'ArrowLeft'],
    [0x26, 'ArrowUp'],
    [0x27, 'ArrowRight'],
    [0x28, 'ArrowDown'],
    [0x29, 'Select'],
    [0x2c, 'PrintScreen'],
    [0x2d, 'Insert'],
    [0x2e, 'Delete'],
    [0x2f, 'Help'],
    [0x5b, 'MetaLeft'],
    [0x5c, 'MetaRight'],
    [0x5d, 'ContextMenu'],
    [0x5f, 'Sleep'],
    [0x6a, 'NumpadMultiply'],
    [0x6b, 'NumpadAdd'],
    [0x6c, 'NumpadComma'],
    [0x6d, 'NumpadSubtract'],
    [0x6f, 'NumpadDivide'],
    [0x90, 'NumLock'],
    [0x91, 'ScrollLock'],
    [0xa0, 'ShiftLeft'],
    [0xa1, 'ShiftRight'],
    [0xa2, 'ControlLeft'],
    [0xa3, 'ControlRight'],
    [0xa4, 'AltLeft'],
    [0xa5, 'AltRight'],
    [0xa6, 'BrowserBack'],
    [0xa7, 'BrowserForward'],
    [0xa8, 'BrowserRefresh'],
    [0xa9, 'BrowserStop'],
    [0xaa, 'BrowserSearch'],
    [0xab, 'BrowserFavorites'],
    [0xac, 'BrowserHome'],
    [0xad, 'AudioVolumeMute'],
    [0xae, 'AudioVolumeDown'],
    [0xaf, 'AudioVolumeUp'],
    [0xb0, 'MediaTrackNext'],
    [0xb1, 'MediaTrackPrevious'],
    [0xb2, 'MediaStop'],
    [0xb3, 'MediaPlayPause'],
    [0xb4, 'LaunchMail'],
    [0xb5, 'MediaSelect'],
    [0xb6, 'LaunchApp1'],
    [0xb7, 'LaunchApp2'],
    [0xba, 'Semicolon'],
    [0xbb, 'Equal'],
    [0xbc, 'Comma'],
    [0xbd, 'Minus'],
    [0xbe, 'Period'],
    [0xbf, 'Slash'],
    [0xc0, 'Backquote'],
    [0xc1, 'IntlRo'],
    [0xc2, 'NumpadComma'],
    [0xdb, 'BracketLeft'],
    [0xdc, 'Backslash'],
    [0xdd, 'BracketRight'],
    [0xde, 'Quote'],
    [0xe2, 'IntlBackslash'],
    // Japanese keyboards (IMM): Eisu on the key of Caps Lock, Hiragana, and the two of Hankaku/Zenkaku.
    [0xf0, 'CapsLock'],
    [0xf2, 'KanaMode'],
    [0xf3, 'Backquote'],
    [0xf4, 'Backquote'],
  ]),
]);

/** Virtual key codes of macOS (HIToolbox/Events.h) of keys that make no character. */
const MACOS = new Map<number, NumberedKey>([
  ...Array.from({ length: 10 }, (_, digit): [number, NumberedKey] => {
    return [digit < 8 ? 0x52 + digit : 0x53 + digit, digitKey(digit)];
  }),
  [0x41, { code: 'NumpadDecimal', char: '.' }],
  ...plain([
    [0x0a, 'IntlBackslash'],
    [0x3f, 'Fn'],
    [0x43, 'NumpadMultiply'],
    [0x45, 'NumpadAdd'],
    [0x47, 'NumLock'],
    [0x4b, 'NumpadDivide'],
    [0x4c, 'NumpadEnter'],
    [0x4e, 'NumpadSubtract'],
    [0x51, 'NumpadEqual'],
    [0x5d, 'IntlYen'],
    [0x5e, 'IntlRo'],
    [0x5f, 'NumpadComma'],
    [0x66, 'Lang2'],
    [0x68, 'Lang1'],
    [0x6e, 'ContextMenu'],
    [0x72, 'Help'],
    // The globe key.
    [0xb3, 'Fn'],
  ]),
]);

/** Keysyms (keysymdef.h, XF86keysym.h) of keys that make no character. */
const X11 = new Map<number, NumberedKey>([
  ...Array.from({ length: 10 }, (_, digit): [number, NumberedKey] => [0xffb0 + digit, digitKey(digit)]),
  [0xffae, { code: 'NumpadDecimal', num: true, char: '.' }],
  // pynput gives KP_Begin for the keypad's 5 with NumLock and without, so the number says nothing of it (#418).
  [0xff9d, { code: 'Numpad5' }],
  ...(
    [
      [0xff95, 'Numpad7'],
      [0xff96, 'Numpad4'],
      [0xff97, 'Numpad8'],
      [0xff98, 'Numpad6'],
      [0xff99, 'Numpad2'],
      [0xff9a, 'Numpad9'],
      [0xff9b, 'Numpad3'],
      [0xff9c, 'Numpad1'],
      [0xff9e, 'Numpad0'],
      [0xff9f, 'NumpadDecimal'],
    ] as const
  ).map(([number, code]): [number, NumberedKey] => [number, { code, num: false }]),
  ...plain([
    [0xfe03, 'AltRight'],
    [0xfe20, 'Tab'],
    [0xff22, 'NonConvert'],
    [0xff23, 'Convert'],
    [0xff27, 'KanaMode'],
    [0xff31, 'Lang1'],
    [0xff34, 'Lang2'],
    [0xff60, 'Select'],
    [0xff65, 'Undo'],
    [0xff67, 'ContextMenu'],
    [0xff68, 'Find'],
    [0xff6a, 'Help'],
    [0xff7f, 'NumLock'],
    [0xff80, 'Space'],
    [0xff89, 'Tab'],
    [0xff8d, 'NumpadEnter'],
    [0xff91, 'F1'],
    [0xff92, 'F2'],
    [0xff93, 'F3'],
    [0xff94, 'F4'],
    [0xffaa, 'NumpadMultiply'],
    [0xffab, 'NumpadAdd'],
    [0xffac, 'NumpadComma'],
    [0xffad, 'NumpadSubtract'],
    [0xffaf, 'NumpadDivide'],
    [0xffbd, 'NumpadEqual'],
    ...MEDIA_KEYSYMS,
  ]),
]);

/** Latin-1 keysyms are their characters; those above 0x01000000 are Unicode (X11 protocol, appendix A). */
function keysym(number: number): NumberedKey | null {
  const known = X11.get(number);
  if (known) return known;
  const point = number >= 0x01000000 && number <= 0x0110ffff ? number - 0x01000000 : number;
  const isLatin = (point >= 0x20 && point <= 0x7e) || (point >= 0xa0 && point <= 0xff);
  const isUnicode = point !== number && point >= 0x100 && !(point >= 0xd800 && point <= 0xdfff);
  return isLatin || isUnicode ? { code: null, char: String.fromCodePoint(point) } : null;
}
