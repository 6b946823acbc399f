import { expect, test } from 'vitest';
import { codePointChar, deadKey, keysymToChar, upperChar } from './keysyms.ts';
import { xkbcommonChar } from './xkb-layout.ts';

test('Latin-1, Unicode keysyms, legacy alphabets and the keypad', () => {
  expect(keysymToChar(0x41)).toBe('A');
  expect(keysymToChar(0xe9)).toBe('é');
  expect(keysymToChar(0x010020ac)).toBe('€');
  expect(keysymToChar(0x20ac)).toBe('€');
  expect(keysymToChar(0x6c1)).toBe('а');
  expect(keysymToChar(0x7e1)).toBe('α');
  expect(keysymToChar(0x1b1)).toBe('ą');
  expect(keysymToChar(0xffb7)).toBe('7');
});

test('keys that write nothing give null', () => {
  // Return, Tab, Escape, Left, Shift_L, dead_acute, NoSymbol.
  for (const keysym of [0xff0d, 0xff09, 0xff1b, 0xff51, 0xffe1, 0xfe51, 0]) expect(keysymToChar(keysym)).toBeNull();
});

test('the pure table equals libxkbcommon for every legacy keysym and for Unicode keysyms', () => {
  const theirs = xkbcommonChar();
  expect(theirs).not.toBeNull();
  const sample = [
    ...Array.from({ length: 0x2100 }, (_, keysym) => keysym),
    ...Array.from({ length: 0x1100 }, (_, index) => 0x01000000 + index * 0x101),
    ...Array.from({ length: 0x100 }, (_, index) => 0xff00 + index),
  ];
  const different = sample.filter((keysym) => keysymToChar(keysym) !== theirs?.(keysym));
  expect(different.map((keysym) => keysym.toString(16))).toEqual([]);
});

test('dead keys carry their mark and their forms alone', () => {
  expect(deadKey(0xfe57)).toEqual({ dead: '\u0308', alone: '\u00a8', space: '"' });
  expect(deadKey(0xfe5c)).toEqual({ dead: '\u0328', alone: '\u02db' });
  expect(deadKey(0x61)).toBeNull();
});

test('a dead mark and a letter compose to the letter that the key makes', () => {
  const made = (keysym: number, base: string): string => {
    const dead = deadKey(keysym);
    return dead !== null && typeof dead === 'object' ? (base + dead.dead).normalize('NFC') : '';
  };
  expect(made(0xfe51, 'e')).toBe('é');
  expect(made(0xfe52, 'a')).toBe('â');
  expect(made(0xfe5b, 'c')).toBe('ç');
  expect(made(0xfe5a, 's')).toBe('š');
  expect(made(0xfe58, 'a')).toBe('å');
});

test('controls and surrogates are no characters', () => {
  for (const codePoint of [0, 8, 13, 27, 127, 0x80, 0xd800, 0x110000]) expect(codePointChar(codePoint)).toBeNull();
  expect(codePointChar(0x1f600)).toBe('😀');
});

test('ß stays ß, as its capital would be two letters', () => {
  expect([upperChar('ß'), upperChar('é'), upperChar('1')]).toEqual(['ß', 'É', '1']);
});
