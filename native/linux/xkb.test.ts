import { afterAll, beforeAll, expect, test } from 'vitest';
import { layoutSchema } from '../../schemas/layout.ts';
import { deadKey } from '../input/keysyms.ts';
import { type Keymap, layoutOf } from '../input/xkb-layout.ts';
import type { KeyboardWatch } from '../platform/platform.ts';
import { libX11 } from './library.ts';
import { layoutId, openXkb } from './xkb.ts';
import { xlib } from './xlib.ts';
import { startXvfb, type TestServer } from './xvfb-for-tests.ts';

let server: TestServer;
let keyboard: KeyboardWatch;

beforeAll(async () => {
  server = await startXvfb();
  keyboard = openXkb(server.name);
});
afterAll(async () => {
  keyboard.close();
  await server.close();
});

function set(...args: string[]): ReturnType<KeyboardWatch['read']>['layout'] {
  server.run('setxkbmap', '-option', '', ...args);
  return keyboard.read().layout;
}

/** What a layout switcher does: locks a group of the core keyboard (0x100). */
function lockGroup(group: number): void {
  const lock = libX11().func('int XkbLockGroup(void *display, uint device, uint group)');
  const display = xlib().open(server.name)!;
  lock(display, 0x100, group);
  xlib().close(display);
}

const ACUTE = { dead: '\u0301', alone: '\u00b4', space: "'" };

test('us: letters, digits and no AltGr', () => {
  const layout = set('-layout', 'us');
  expect(layout.id).toBe('us');
  expect(layout.name).toBe('English (US)');
  expect(layout.altGr).toBe(false);
  expect(layout.keys.KeyQ?.chars).toEqual(['q', 'Q', 'q', 'Q', 'Q', 'q', 'Q', 'q']);
  expect(layout.keys.Digit2?.chars.slice(0, 2)).toEqual(['2', '@']);
  expect(layout.keys.Digit2?.chars[4]).toBe('2');
  expect(layout.keys.Space?.chars[0]).toBe(' ');
});

test('us: keys that make no character have no entry, the keypad writes with NumLock only', () => {
  const { keys } = set('-layout', 'us');
  for (const code of ['Enter', 'Tab', 'Escape', 'Backspace', 'Delete', 'ArrowLeft', 'F1', 'ShiftLeft']) {
    expect([code, keys[code]]).toEqual([code, undefined]);
  }
  expect(keys.Numpad7).toEqual({ chars: Array(8).fill(null), num: '7' });
  expect(keys.NumpadAdd?.chars[0]).toBe('+');
});

test('de: Z and Y swapped, @ on AltGr+Q, dead acute, the key beside left Shift', () => {
  const { id, altGr, keys } = set('-layout', 'de');
  expect([id, altGr]).toEqual(['de', true]);
  expect(keys.KeyY?.chars.slice(0, 2)).toEqual(['z', 'Z']);
  expect(keys.KeyQ?.chars[2]).toBe('@');
  expect(keys.KeyE?.chars[2]).toBe('€');
  expect(keys.Equal?.chars[0]).toEqual(ACUTE);
  expect(keys.Equal?.chars[1]).toEqual({ dead: '\u0300', alone: '`' });
  expect(keys.IntlBackslash?.chars.slice(0, 3)).toEqual(['<', '>', '|']);
  expect(keys.NumpadDecimal?.num).toBe(',');
});

test('de: CapsLock makes capitals of letters and leaves digits', () => {
  const { keys } = set('-layout', 'de');
  expect(keys.BracketLeft?.chars[4]).toBe('Ü');
  expect(keys.BracketLeft?.chars[5]).toBe('ü');
  expect(keys.Digit2?.chars[4]).toBe('2');
});

test('fr: A on KeyQ, é on Digit2 with 2 on Shift, dead circumflex', () => {
  const { keys } = set('-layout', 'fr');
  expect(keys.KeyQ?.chars.slice(0, 2)).toEqual(['a', 'A']);
  expect(keys.Digit2?.chars.slice(0, 2)).toEqual(['é', '2']);
  // Under X, CapsLock on this key makes the capital letter, not the digit.
  expect(keys.Digit2?.chars[4]).toBe('É');
  expect(keys.Digit2?.chars[5]).toBe('2');
  expect(keys.BracketLeft?.chars[0]).toEqual({ dead: '\u0302', alone: '^' });
});

test('ru: Cyrillic letters', () => {
  const { keys } = set('-layout', 'ru');
  expect(keys.KeyF?.chars.slice(0, 2)).toEqual(['а', 'А']);
  expect(keys.KeyF?.chars[4]).toBe('А');
});

test('us(intl): the apostrophe is a dead acute', () => {
  const { id, keys } = set('-layout', 'us', '-variant', 'intl');
  expect(id).toBe('us(intl)');
  expect(keys.Quote?.chars[0]).toEqual(ACUTE);
  expect(keys.Quote?.chars[2]).toBe("'");
});

test('every layout fits the schema', () => {
  for (const name of ['us', 'de', 'fr', 'ru', 'jp', 'br', 'gr', 'il']) {
    expect(layoutSchema.safeParse(set('-layout', name)).error).toBeUndefined();
  }
});

test('setxkbmap while running is seen once', () => {
  set('-layout', 'us');
  expect(keyboard.changed()).toBe(false);
  server.run('setxkbmap', '-layout', 'de');
  expect(keyboard.changed()).toBe(true);
  expect(keyboard.read().layout.id).toBe('de');
  expect(keyboard.changed()).toBe(false);
});

test('switching between two groups of one keymap is seen and read', () => {
  set('-layout', 'us,ru');
  expect(keyboard.read().layout.id).toBe('us');
  lockGroup(1);
  expect(keyboard.changed()).toBe(true);
  const { layout } = keyboard.read();
  expect([layout.id, layout.name, layout.keys.KeyF?.chars[0]]).toEqual(['ru', 'Russian', 'а']);
  lockGroup(0);
});

test('CapsLock and NumLock are read', () => {
  set('-layout', 'us');
  expect(keyboard.read().locks).toEqual({ caps: false, num: false });
  server.run('xdotool', 'key', 'Caps_Lock');
  expect(keyboard.read().locks).toEqual({ caps: true, num: false });
  server.run('xdotool', 'key', 'Caps_Lock', 'Num_Lock');
  expect(keyboard.read().locks).toEqual({ caps: false, num: true });
  server.run('xdotool', 'key', 'Num_Lock');
});

test('without a server the US layout stands in and says so', () => {
  const nowhere = openXkb(':6399');
  const { layout, locks } = nowhere.read();
  expect(layout.source).toBe('us-fallback');
  expect(layout.keys.KeyA?.chars.slice(0, 2)).toEqual(['a', 'A']);
  expect(locks).toEqual({ caps: false, num: false });
  expect(nowhere.changed()).toBe(false);
  nowhere.close();
});

test('a closed watch reads the fallback instead of a freed connection', () => {
  const watch = openXkb(server.name);
  watch.close();
  watch.close();
  expect(watch.changed()).toBe(false);
  expect(watch.read().layout.source).toBe('us-fallback');
});

test('the layout name is the active group of the rules property', () => {
  const rules = Buffer.from('evdev\0pc105\0us,de,fr\0intl,,oss\0grp:alts_toggle\0', 'latin1');
  expect([0, 1, 2, 3].map((group) => layoutId(rules, group))).toEqual(['us(intl)', 'de', 'fr(oss)', null]);
  expect(layoutId(null, 0)).toBeNull();
});

test('level 3 goes through the modifier that is really bound, and the group in bits 13 and 14', () => {
  const asked: number[] = [];
  const keymap: Keymap = {
    group: 2,
    level3: 0x80,
    numLock: 0x10,
    translate: (keycode, mods) => {
      if (keycode !== 24) return { keysym: 0, consumed: 0 };
      asked.push(mods);
      return { keysym: 0x61, consumed: 0x02 };
    },
    char: (keysym) => (keysym === 0 ? null : String.fromCodePoint(keysym)),
    id: 'test',
    name: 'Test',
  };
  const layout = layoutOf(keymap);
  const group = 2 << 13;
  expect(asked).toEqual([0, 1, 0x80, 0x81, 2, 3, 0x82, 0x83, 0x10].map((mods) => mods | group));
  expect(Object.keys(layout.keys)).toEqual(['KeyQ']);
  expect(deadKey(0xfe51)).toEqual(ACUTE);
});
