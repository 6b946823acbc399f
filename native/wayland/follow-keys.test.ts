import koffi from 'koffi';
import { afterEach, expect, test } from 'vitest';
import type { Pointer } from '../memory/memory.ts';
import { followKeys, type KeyFollow } from './follow-keys.ts';

/** A keymap as a compositor makes it of these names. */
function keymapOf(layout: string, variant: string, options: string): Pointer {
  const x = koffi.load('libxkbcommon.so.0');
  const Names = koffi.struct({ rules: 'str', model: 'str', layout: 'str', variant: 'str', options: 'str' });
  const make = x.func('xkb_keymap_new_from_names', 'void *', ['void *', koffi.pointer(Names), 'int']);
  const context = x.func('void *xkb_context_new(int flags)')(0);
  return make(context, { rules: null, model: null, layout, variant, options }, 0);
}

let follow: KeyFollow;
function use(layout: string, variant = '', options = '', group = 0): void {
  follow = followKeys({ keymap: keymapOf(layout, variant, options), group }, { caps: false, num: true });
}
afterEach(() => follow.close());

/** What a key makes with others held. */
function tap(keycode: number, ...held: number[]) {
  for (const one of held) follow.press(one, false);
  const made = follow.press(keycode, false);
  follow.release(keycode);
  for (const one of held) follow.release(one);
  return made;
}
const [A, S, D, SHIFT, CAPS, LSGT, ALT_GR, E] = [38, 39, 40, 50, 66, 94, 108, 26];

test('Caps Lock as Ctrl, by its keysym and by its action alone', () => {
  for (const option of ['ctrl:nocaps', 'caps:ctrl_modifier']) {
    use('us', '', option);
    expect(follow.press(CAPS, false).key).toBe('Control');
    expect(follow.press(S, false)).toMatchObject({ key: 's', mods: ['ctrl', 'num'] });
    expect(follow.mods()).toBe(2);
    follow.release(S);
    follow.release(CAPS);
    expect(follow.press(A, false)).toEqual({ key: 'a', text: 'a', sym: 'a', mods: ['num'], locked: ['num'] });
  }
});

test('levels 3 and 5 of Neo', () => {
  use('de', 'neo');
  expect(tap(D, CAPS)).toMatchObject({ text: '{', mods: ['level3'] });
  expect(tap(S, LSGT)).toMatchObject({ key: 'ArrowLeft', plain: 'i' });
  expect(tap(CAPS).key).toBe('AltGraph');
});

test('CapsLock locks, a repeat of it does not lock again', () => {
  use('us');
  expect(follow.press(CAPS, false).key).toBe('CapsLock');
  follow.press(CAPS, true);
  follow.release(CAPS);
  expect(tap(A)).toMatchObject({ text: 'A', plain: 'a', locked: ['caps', 'num'] });
});

test('a second group, dead keys and Compose', () => {
  use('us,ru', '', '', 1);
  expect(tap(A)).toMatchObject({ text: 'ф', group: 1 });
  follow.close();
  use('us', 'intl', 'compose:caps');
  expect([tap(48).sequence, tap(E).text]).toEqual(['goes-on', 'é']);
  expect([tap(CAPS).key, tap(A).sequence, tap(E, SHIFT).sequence]).toEqual(['Compose', 'goes-on', 'ends']);
  tap(48);
  follow.pointed();
  expect([tap(E).text, tap(E, ALT_GR).text]).toEqual(['e', 'é']);
});
