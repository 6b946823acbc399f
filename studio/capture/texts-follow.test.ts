import { expect, test } from 'vitest';
import type { ElementWindow, TextChange } from '../../native/elements/contract.ts';
import { followTexts } from './texts-follow.ts';

const WINDOW: ElementWindow = { id: '1', pid: 7, title: 'Note', app: 'mousepad', popup: false, bounds: null };
const change = (inserted: string, path = '/o/name', bus = ':1.5'): TextChange => ({
  bus,
  path,
  at: 0,
  removed: 0,
  inserted,
});

/** A program with the keyboard in one field, and what is told of it. */
function program({ mayBeAsked = true, path = '/o/name' as string | null, inFront = true } = {}) {
  let heard: TextChange[] | null = [];
  let now = 0;
  const told: { t: number; field: number; inserted: string }[] = [];
  const here = { path };
  const focus = { path: null as string | null, isMenu: false };
  const follow = followTexts({
    texts: {
      changes: () => {
        const taken = heard;
        heard = [];
        return taken;
      },
      fieldIn: () => (here.path === null ? null : { bus: ':1.5', path: here.path }),
      lastFocus: () => (focus.path === null ? null : { bus: ':1.5', path: focus.path }),
      isMenu: () => focus.isMenu,
    },
    focus: { window: () => (inFront ? WINDOW : null) },
    now: () => now,
    mayBeAsked: () => mayBeAsked,
    tell: ({ t, field, inserted }) => told.push({ t, field, inserted }),
  });
  return {
    told,
    here,
    focus,
    turn(ms: number, keys: number, changes: TextChange[] | null = [], paused = false) {
      now = ms * 1000;
      heard = changes;
      follow.turn(keys, paused);
    },
  };
}

test('what arrives after a key in the field that has the keyboard is told', () => {
  const { turn, told } = program();
  turn(0, 1);
  turn(10, 1, [change('a'), change('log', '/o/other'), change('b', '/o/name', ':1.9')]);
  turn(1500, 1, [change('你好')]);
  expect(told).toEqual([
    { t: 10_000, field: 0, inserted: 'a' },
    { t: 1_500_000, field: 0, inserted: '你好' },
  ]);
});

test('a letter that is there before its key was counted waits for it, and not for long', () => {
  const { turn, told } = program();
  turn(0, 0, [change('a')]);
  expect(told).toEqual([]);
  turn(20, 1);
  expect(told).toEqual([{ t: 0, field: 0, inserted: 'a' }]);
  turn(5000, 1, [change('by itself')]);
  turn(5600, 1);
  turn(5601, 2);
  expect(told).toHaveLength(1);
});

test('fields have numbers', () => {
  const { turn, told, here } = program();
  turn(0, 1, [change('a')]);
  here.path = '/o/second';
  turn(10, 2, [change('b', '/o/second')]);
  here.path = '/o/name';
  turn(20, 3, [change('c')]);
  expect(told.map(({ field }) => field)).toEqual([0, 1, 0]);
});

test('what a letter chose in a menu is not told, what is typed after it is; nor does another field count as a menu', () => {
  for (const [isMenu, inserted] of [
    [true, [' ']],
    [false, ['pasted', ' ']],
  ] as const) {
    const { turn, told, focus } = program();
    focus.isMenu = isMenu;
    focus.path = '/o/item';
    turn(0, 0);
    // The menu closes before the key that closed it is counted.
    focus.path = '/o/name';
    turn(200, 0, [change('pasted')]);
    turn(208, 1);
    turn(800, 2, [change(' ')]);
    expect(told.map((one) => one.inserted)).toEqual(inserted);
  }
});

test('nothing is told in a pause, of windows that are left out, of other fields than those one writes in, or of floods', () => {
  const away = [program({ mayBeAsked: false }), program({ path: null }), program({ inFront: false })];
  for (const { turn, told } of away) {
    turn(0, 1, [change('secret')]);
    turn(10, 2, []);
    expect(told).toEqual([]);
  }
  const { turn, told } = program();
  turn(0, 0, [change('before')]);
  turn(5, 1, [change('secret')], true);
  turn(10, 2);
  turn(20, 3, null);
  expect(told).toEqual([]);
  turn(30, 4, [change('x')]);
  expect(told).toHaveLength(1);
});
