import type { KeyboardLayout, KeyChar } from '../../schemas/layout.ts';
import { usLayout } from '../../schemas/us-layout.ts';
import { markOf } from '../input/dead-keys.ts';
import { codeOf, MAC_KEYS, macKeyToCode } from '../input/keys.ts';
import type { KeyboardWatch } from '../platform/platform.ts';
import type { MacApi, Ref } from './api.ts';

/** Events.h: EventRecord modifier bits >> 8, as UCKeyTranslate takes them. */
const SHIFT = 0x02;
const ALPHA_LOCK = 0x04;
const OPTION = 0x08;
const KEY_DOWN = 0;
const NO_OPTIONS = 0;
const SPACE_KEY = 0x31;
const COMBINED_SESSION = 0;
const ALPHA_SHIFT_FLAG = 0x10000;
/** Keys whose letters take most marks, to find out which mark a dead key adds: a e i o u c n s z y on ANSI places. */
const LETTER_KEYS = [0x00, 0x0e, 0x22, 0x1f, 0x20, 0x08, 0x2d, 0x01, 0x06, 0x10, 0x0d, 0x05];

/**
 * A macOS virtual keycode as the physical key: ISO keyboards send the key left of 1 as kVK_ISO_Section and the key beside
 * left Shift as kVK_ANSI_Grave, so those two are exchanged there (as Chromium and Firefox do).
 */
export function macCode(key: number, keyboard: string): string | null {
  const code = macKeyToCode(key);
  if (keyboard !== 'ISO ') return code;
  if (code === 'IntlBackslash') return 'Backquote';
  return code === 'Backquote' ? 'IntlBackslash' : code;
}

/**
 * A uiohook keycode on macOS as the physical key. uiohook gives 0 for kVK_ISO_Section: on an ISO keyboard the only writing
 * key without a number, so 0 is that one there. Its Katakana is the Kana key (Lang1).
 */
export function macCodeOf(hookCode: number, keyboard: string): string | null {
  if (hookCode === 0) return keyboard === 'ISO ' ? 'Backquote' : null;
  const code = codeOf(hookCode);
  if (code === 'KanaMode') return 'Lang1';
  return code === 'Backquote' && keyboard === 'ISO ' ? 'IntlBackslash' : code;
}

type Translator = {
  /** The character of a key under modifiers, from a dead key's state (0: none). */
  translate(key: number, modifiers: number, deadState?: number): { text: string; deadState: number };
};

function printable(text: string): string | null {
  // Function and cursor keys give private-use or control characters.
  return text !== '' && !/[\u0000-\u001f\u007f-\u009f\uf700-\uf8fe]/.test(text) ? text : null;
}

function deadEntry({ translate }: Translator, state: number): KeyChar {
  const alone = printable(translate(SPACE_KEY, 0, state).text);
  for (const key of LETTER_KEYS) {
    const [base, ...marks] = translate(key, 0, state).text.normalize('NFD');
    if (base !== undefined && /\p{L}/u.test(base) && marks.length > 0) {
      return { dead: marks.join(''), alone: alone ?? marks.join('') };
    }
  }
  return alone === null ? null : { dead: markOf(alone), alone };
}

/** The layout of an input source (I2), through UCKeyTranslate. Option stands for AltGr. */
export function readLayout(api: MacApi, source: Ref, uchr: Ref): KeyboardLayout {
  const kind = api.LMGetKbdType();
  const keyboard = api.KBGetLayoutType(kind);
  const translator: Translator = {
    translate: (key, modifiers, deadState = 0) => {
      const made = api.UCKeyTranslate(uchr, key, KEY_DOWN, modifiers, kind, NO_OPTIONS, deadState);
      return made.status === 0 ? made : { text: '', deadState: 0 };
    },
  };
  const char = (key: number, state: number): KeyChar => {
    const modifiers = (state & 1 ? SHIFT : 0) | (state & 2 ? OPTION : 0) | (state & 4 ? ALPHA_LOCK : 0);
    const { text, deadState } = translator.translate(key, modifiers);
    return deadState !== 0 ? deadEntry(translator, deadState) : printable(text);
  };
  const keys: KeyboardLayout['keys'] = {};
  for (const key of MAC_KEYS) {
    const code = macCode(key, keyboard);
    if (code === null) continue;
    const chars = Array.from({ length: 8 }, (_, state) => char(key, state));
    if (chars.some((entry) => entry !== null)) keys[code] = { chars };
  }
  const id = api.inputSourceString(source, 'InputSourceID');
  const name = api.inputSourceString(source, 'LocalizedName') || id;
  return { id: id || 'unknown', name: name || 'unknown', source: 'UCKeyTranslate', altGr: true, keys };
}

/** Watches the keyboard layout. On the main thread only (HIToolbox ends the process otherwise). Never throws (I2). */
export function watchKeyboard(api: MacApi): KeyboardWatch {
  let lastId: string | null = null;
  const withSource = <T>(use: (source: Ref) => T, none: T): T => {
    // Node runs no CFRunLoop: without this turn the layout of the start is given for ever.
    api.CFRunLoopRunInMode(0);
    const source = api.TISCopyCurrentKeyboardLayoutInputSource();
    if (source === null) return none;
    try {
      return use(source);
    } finally {
      api.CFRelease(source);
    }
  };
  return {
    read: () => {
      try {
        const caps = (api.CGEventSourceFlagsState(COMBINED_SESSION) & ALPHA_SHIFT_FLAG) !== 0;
        const layout = withSource((source) => {
          lastId = api.inputSourceString(source, 'InputSourceID');
          const uchr = api.inputSourceLayout(source);
          return uchr === null ? usLayout() : readLayout(api, source, uchr);
        }, usLayout());
        // macOS keyboards have no NumLock: the keypad always writes.
        return { layout, locks: { caps, num: true } };
      } catch {
        return { layout: usLayout(), locks: { caps: false, num: true } };
      }
    },
    changed: () => {
      try {
        return withSource((source) => api.inputSourceString(source, 'InputSourceID') !== lastId, false);
      } catch {
        return false;
      }
    },
    close: () => {},
  };
}
