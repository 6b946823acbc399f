import type { KeyboardLayout, KeyChar } from '../../schemas/layout.ts';

/** Small layouts by hand, as the adapters write them: only the keys that the tests press. */

const GRAVE = '\u0300';
const ACUTE = '\u0301';
const CIRCUMFLEX = '\u0302';
const DIAERESIS = '\u0308';

/** A letter key: CapsLock swaps its cases. */
function letter(lower: string, altGr: KeyChar = null): { chars: KeyChar[] } {
  const upper = lower.toUpperCase();
  return { chars: [lower, upper, altGr, altGr, upper, lower, altGr, altGr] };
}

/** A key that CapsLock does not change. */
function symbol(plain: KeyChar, shifted: KeyChar, altGr: KeyChar = null): { chars: KeyChar[] } {
  const levels = [plain, shifted, altGr, altGr];
  return { chars: [...levels, ...levels] };
}

const space = symbol(' ', ' ');

export const GERMAN: KeyboardLayout = {
  id: 'de',
  name: 'German',
  source: 'xkb',
  altGr: true,
  keys: {
    KeyA: letter('a'),
    KeyC: letter('c'),
    KeyE: letter('e', '€'),
    KeyN: letter('n'),
    KeyQ: letter('q', '@'),
    KeyY: letter('z'),
    KeyZ: letter('y'),
    Semicolon: letter('ö'),
    Minus: symbol('ß', '?', '\\'),
    Digit7: symbol('7', '/', '{'),
    Equal: symbol({ dead: ACUTE, alone: '´', space: "'" }, { dead: GRAVE, alone: '`' }),
    Backquote: symbol({ dead: CIRCUMFLEX, alone: '^' }, '°'),
    Space: space,
  },
};

/** A layout as Windows tells it: control characters for Enter and Tab, and AltGr as Ctrl+Alt. */
export const GERMAN_WINDOWS: KeyboardLayout = {
  ...GERMAN,
  id: '00000407',
  source: 'ToUnicodeEx',
  keys: { ...GERMAN.keys, Enter: symbol('\r', '\r'), Tab: symbol('\t', '\t'), Escape: symbol('\u001b', '\u001b') },
};

/** AZERTY as X11 has it: CapsLock makes the capitals of accented letters too, Shift the digits of the top row. */
export const FRENCH: KeyboardLayout = {
  id: 'fr',
  name: 'French',
  source: 'xkb',
  altGr: true,
  keys: {
    KeyQ: letter('a'),
    KeyA: letter('q'),
    KeyE: letter('e', '€'),
    KeyI: letter('i'),
    KeyN: letter('n'),
    KeyC: letter('c'),
    // é is a letter with a case of its own on this layout, as on a Canadian or a Bépo keyboard.
    Slash: letter('é'),
    Digit2: { chars: ['é', '2', '~', null, 'É', '2', '~', null] },
    BracketLeft: symbol({ dead: CIRCUMFLEX, alone: '^' }, { dead: DIAERESIS, alone: '¨' }),
    Space: space,
  },
};

export const RUSSIAN: KeyboardLayout = {
  id: 'ru',
  name: 'Russian',
  source: 'xkb',
  altGr: false,
  keys: {
    KeyC: letter('с'),
    KeyG: letter('п'),
    KeyH: letter('р'),
    KeyB: letter('и'),
    KeyD: letter('в'),
    KeyT: letter('е'),
    KeyN: letter('т'),
    Semicolon: letter('ж'),
    Slash: symbol('.', ','),
    Space: space,
  },
};

/** macOS: Option selects characters. */
export const GERMAN_MAC: KeyboardLayout = {
  id: 'com.apple.keylayout.German',
  name: 'German',
  source: 'UCKeyTranslate',
  altGr: true,
  keys: { KeyL: letter('l', '@'), KeyC: letter('c'), Space: space },
};

/** A key that makes an emoji, as custom layouts have. */
export const EMOJI: KeyboardLayout = {
  id: 'emoji',
  name: 'Emoji',
  source: 'xkb',
  altGr: false,
  keys: { KeyA: letter('a'), KeyJ: symbol('😀', '👍🏽') },
};
