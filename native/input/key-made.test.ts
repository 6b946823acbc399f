import { expect, test } from 'vitest';
import { openComposer } from './compose.ts';
import { eventMods, type KeymapAnswer, type KeymapReader, keyMade, modMasks, modNames } from './key-made.ts';
import { keysymToChar } from './keysyms.ts';

const [SHIFT, LOCK, CTRL, MOD1, MOD2, MOD4, MOD5] = [1, 2, 4, 8, 16, 64, 128];
const MASKS = { alt: MOD1, meta: MOD4, level3: MOD5, level5: 0, num: MOD2 };

/** A keymap in which key 1 gives these answers by its modifiers. */
const keymap = (answers: Readonly<Record<number, KeymapAnswer>>): KeymapReader => ({
  masks: MASKS,
  answer: (_key, mods) => answers[mods] ?? answers[0] ?? { keysym: 0, consumed: 0 },
  char: keysymToChar,
  name: (keysym) => keysym.toString(16),
});
const at = (mods: number, more: object = {}) => ({ mods, latched: null, locked: null, group: 0, ...more });
const A = keymap({ 0: { keysym: 0x61, consumed: SHIFT | LOCK }, [SHIFT]: { keysym: 0x41, consumed: SHIFT | LOCK } });

test('which of the five modifiers is Alt, Super or level 3 comes from the keymap, each has one meaning', () => {
  const maskOf = (keysym: number): number =>
    ({ 65513: MOD1, 65511: MOD1, 65515: MOD4, 65027: MOD5, 65407: MOD2 })[keysym] ?? 0;
  expect(modMasks(maskOf)).toEqual(MASKS);
  expect(modNames(SHIFT | LOCK | CTRL | MOD1 | MOD2 | MOD4 | MOD5, MASKS)).toEqual(
    'shift ctrl alt meta level3 caps num'.split(' '),
  );
  expect(eventMods(CTRL | MOD1 | MOD5 | LOCK, MASKS)).toBe(6);
});

test('a letter, its capital, and the same with Ctrl, which writes nothing', () => {
  expect(keyMade(A, 1, at(0), null)).toEqual({ key: 'a', text: 'a', sym: '61' });
  expect(keyMade(A, 1, at(SHIFT, { latched: SHIFT, locked: 0 }), null)).toEqual({
    key: 'A',
    plain: 'a',
    text: 'A',
    sym: '41',
    mods: ['shift'],
    latched: ['shift'],
  });
  expect(keyMade(A, 1, at(CTRL, { group: 2 }), null)).toEqual({ key: 'a', sym: '61', mods: ['ctrl'], group: 2 });
});

test('CapsLock that the key’s type does not take makes capitals by itself', () => {
  const eacute = keymap({ 0: { keysym: 0xe9, consumed: 0 } });
  expect(keyMade(eacute, 1, at(LOCK), null)).toMatchObject({ text: 'É' });
});

test('what a key does counts over its name; one that does nothing says so', () => {
  const caps = keymap({ 0: { keysym: 0xffe5, consumed: 0, action: { kind: 'set', mask: CTRL } } });
  expect(keyMade(caps, 1, at(0), null).key).toBe('Control');
  const lock = keymap({ 0: { keysym: 0xffe5, consumed: 0, action: { kind: 'lock', mask: LOCK } } });
  expect(keyMade(lock, 1, at(0), null).key).toBe('CapsLock');
  expect(keyMade(keymap({}), 1, at(0), null)).toEqual({ key: 'Unidentified' });
});

test('sequences of dead keys and Compose: the last key has the text', () => {
  const composer = openComposer({ LC_ALL: 'C.UTF-8' });
  if (!composer) throw new Error('libxkbcommon is missing: scripts/setup.mjs installs it');
  const press = (keysym: number) => keyMade(keymap({ 0: { keysym, consumed: 0 } }), 1, at(0), composer);
  const steps = (...keysyms: number[]) =>
    keysyms.map((keysym) => press(keysym)).map((made) => made.text ?? made.sequence);
  expect(steps(0xfe51, 0x61, 0x61)).toEqual(['goes-on', 'á', 'a']);
  expect(steps(0xff20, 0x27, 0x65)).toEqual(['goes-on', 'goes-on', 'é']);
  expect(steps(0xfe51, 0x78, 0x78)).toEqual(['goes-on', 'ends', 'x']);
  press(0xfe51);
  composer.reset();
  expect(steps(0x61)).toEqual(['a']);
});

test('a key of level 5 goes by a sequence, as in Xlib; one without a symbol ends it', () => {
  const composer = openComposer({ LC_ALL: 'C.UTF-8' });
  if (!composer) throw new Error('libxkbcommon is missing: scripts/setup.mjs installs it');
  const press = (keysym: number) => keyMade(keymap({ 0: { keysym, consumed: 0 } }), 1, at(0), composer);
  const [DEAD_ACUTE, LEVEL5, E] = [0xfe51, 0xfe11, 0x65];
  expect([DEAD_ACUTE, LEVEL5, E].map((keysym) => press(keysym)).map(({ text, sequence }) => text ?? sequence)).toEqual([
    'goes-on',
    undefined,
    'é',
  ]);
  press(DEAD_ACUTE);
  expect(press(0)).toEqual({ key: 'Unidentified', sequence: 'ends' });
  expect(press(E).text).toBe('e');
});
