import { expect, test } from 'vitest';
import type { HookEvent } from '../input/hook.ts';
import { type KeyRepeats, trackPointer } from './pointer-track.ts';

const AREA = { x: 0, y: 0, width: 1280, height: 720 };
const MS = 1000;
function track(repeats: KeyRepeats | null = null) {
  const events: HookEvent[] = [];
  const atOnce: HookEvent[] = [];
  const pointer = trackPointer({
    emit: (event) => events.push(event),
    onKeyAtOnce: (event) => atOnce.push(event),
    area: () => AREA,
    repeats,
  });
  return { events, atOnce, pointer };
}
const button = (us: number, down = true) => ({ us, kind: 'button', down, button: 'left' }) as const;
const key = (us: number, code: string, down = true, repeat = false) =>
  ({ us, kind: 'key', down, repeat, code, number: 1 }) as const;
const placesOf = (events: readonly HookEvent[]) =>
  events.flatMap((e) => (e.type === 'keydown' || e.type === 'keyup' ? [] : [[e.type, e.x, e.y]]));

test('a click after a move is where the move led, although the compositor tells of it later', () => {
  const { events, pointer } = track();
  pointer.see({ us: 0, x: 10, y: 10 });
  pointer.add({ us: 100 * MS, kind: 'moved', by: 50 });
  pointer.add(button(101 * MS));
  pointer.release(120 * MS);
  expect(events).toEqual([]);
  pointer.see({ us: 116 * MS, x: 300, y: 200 });
  pointer.release(300 * MS);
  expect(placesOf(events)).toEqual([
    ['move', 300, 200],
    ['down', 300, 200],
  ]);
});

test('a press in the middle of a move is as far along as the mouse was', () => {
  const { events, pointer } = track();
  pointer.see({ us: 0, x: 0, y: 100 });
  for (const us of [20, 30, 40, 50]) pointer.add({ us: us * MS, kind: 'moved', by: 10 });
  pointer.add(button(40 * MS + 1));
  pointer.see({ us: 60 * MS, x: 400, y: 100 });
  pointer.release(1000 * MS);
  expect(placesOf(events)).toEqual([
    ['move', 100, 100],
    ['move', 200, 100],
    ['move', 300, 100],
    ['down', 300, 100],
    ['move', 400, 100],
  ]);
});

test('a place that is told just after a move may be from before it: the next one counts', () => {
  const { events, pointer } = track();
  pointer.add({ us: 100 * MS, kind: 'moved', by: 10 });
  pointer.add(button(101 * MS));
  pointer.see({ us: 102 * MS, x: 1, y: 1 });
  pointer.see({ us: 118 * MS, x: 50, y: 60 });
  pointer.release(300 * MS);
  expect(placesOf(events)[1]).toEqual(['down', 50, 60]);
});

test('a place of a later move that is told with a time from before it is not where the pointer rested', () => {
  const { events, pointer } = track();
  pointer.see({ us: 0, x: 10, y: 10 });
  pointer.add({ us: 100 * MS, kind: 'moved', by: 50 });
  pointer.see({ us: 116 * MS, x: 300, y: 200 });
  pointer.add(button(250 * MS));
  pointer.add(button(280 * MS, false));
  pointer.add({ us: 440 * MS, kind: 'moved', by: 50 });
  // Handed over after that move, with an older time.
  pointer.see({ us: 300 * MS, x: 600, y: 400 });
  pointer.see({ us: 460 * MS, x: 600, y: 400 });
  pointer.release(2000 * MS);
  expect(placesOf(events)).toEqual([
    ['move', 300, 200],
    ['down', 300, 200],
    ['up', 300, 200],
    ['move', 600, 400],
  ]);
});

test('a place that is as it was before the move may be told late: the next one counts', () => {
  const { events, pointer } = track();
  pointer.see({ us: 0, x: 10, y: 10 });
  pointer.add({ us: 100 * MS, kind: 'moved', by: 50 });
  pointer.see({ us: 120 * MS, x: 10, y: 10 });
  pointer.add(button(200 * MS));
  pointer.see({ us: 260 * MS, x: 300, y: 200 });
  pointer.release(1000 * MS);
  expect(placesOf(events)[1]).toEqual(['down', 300, 200]);
});

test('a word that is as it was before the move is none of the move: the next one is waited for', () => {
  const { events, pointer } = track();
  pointer.see({ us: 0, x: 10, y: 10 });
  pointer.add({ us: 100 * MS, kind: 'moved', by: 50 });
  pointer.add(button(240 * MS));
  pointer.see({ us: 250 * MS, x: 10, y: 10 });
  pointer.release(500 * MS);
  expect(events).toEqual([]);
  pointer.see({ us: 510 * MS, x: 300, y: 200 });
  pointer.release(520 * MS);
  expect(placesOf(events).at(-1)).toEqual(['down', 300, 200]);
});

test('a place that a busy compositor tells late is waited for, a second and a half at most', () => {
  const { events, pointer } = track();
  pointer.see({ us: 0, x: 10, y: 10 });
  pointer.add({ us: 100 * MS, kind: 'moved', by: 50 });
  pointer.add(button(101 * MS));
  pointer.release(1400 * MS);
  expect(events).toEqual([]);
  pointer.see({ us: 1390 * MS, x: 300, y: 200 });
  pointer.release(1410 * MS);
  expect(placesOf(events)).toEqual([
    ['move', 300, 200],
    ['down', 300, 200],
  ]);
  pointer.add({ us: 1500 * MS, kind: 'moved', by: 50 });
  pointer.release(3001 * MS);
  expect(placesOf(events).at(-1)).toEqual(['move', 300, 200]);
});

test('without any word of the compositor an event is still told', () => {
  const { events, pointer } = track();
  pointer.add(button(1));
  pointer.release(Number.POSITIVE_INFINITY);
  expect(placesOf(events)).toEqual([['down', 640, 360]]);
});

test('absolute devices say where they are; a mouse takes over when it moves', () => {
  const { events, pointer } = track();
  pointer.add({ us: 1 * MS, kind: 'at', x: 1, y: 0.5 });
  pointer.add(button(2 * MS));
  pointer.add({ us: 50 * MS, kind: 'moved', by: 1 });
  pointer.see({ us: 60 * MS, x: 7, y: 8 });
  pointer.release(1000 * MS);
  expect(placesOf(events)).toEqual([
    ['move', 1279, 360],
    ['down', 1279, 360],
    ['move', 7, 8],
  ]);
});

test('a key is told of at once, and once more in its turn behind a click that waits for its place', () => {
  const { events, atOnce, pointer } = track();
  pointer.see({ us: 0, x: 10, y: 10 });
  pointer.add({ us: 100 * MS, kind: 'moved', by: 50 });
  pointer.add(button(101 * MS));
  pointer.add(key(110 * MS, 'F10'));
  pointer.add(key(400 * MS, 'F10', true, true));
  pointer.add(key(410 * MS, 'F10', false));
  expect(events).toEqual([]);
  expect(atOnce).toEqual([
    { type: 'keydown', time: 110 * MS, mods: 0, code: 'F10', hookCode: 1 },
    { type: 'keyup', time: 410 * MS, mods: 0, code: 'F10', hookCode: 1 },
  ]);
  pointer.release(2000 * MS);
  expect(events.map(({ type }) => type)).toEqual(['move', 'down', 'keydown', 'keydown', 'keyup']);
});

test('two devices are told in the order of time, with the modifiers of both', () => {
  const { events, pointer } = track();
  pointer.add(button(20 * MS));
  pointer.add(key(10 * MS, 'ControlLeft'));
  pointer.add(key(30 * MS, 'ControlLeft', false));
  pointer.release(1000 * MS);
  expect(events.map(({ type, mods }) => [type, mods])).toEqual([
    ['keydown', 2],
    ['down', 2],
    ['keyup', 0],
  ]);
});

test('a key that is held repeats by the compositor’s clock, not by the kernel’s', () => {
  const { events, pointer } = track({ delayUs: 500 * MS, everyUs: 30 * MS });
  pointer.add(key(0, 'KeyA'));
  pointer.add(key(250 * MS, 'KeyA', true, true));
  pointer.add(key(570 * MS, 'KeyA', false));
  pointer.release(2000 * MS);
  expect(events.map(({ type, time }) => [type, time / MS])).toEqual([
    ['keydown', 0],
    ['keydown', 500],
    ['keydown', 530],
    ['keydown', 560],
    ['keyup', 570],
  ]);
});

test('modifiers and lock keys never repeat, and a second key ends the first one’s repeating', () => {
  const { events, pointer } = track({ delayUs: 100 * MS, everyUs: 100 * MS });
  pointer.add(key(0, 'KeyA'));
  pointer.add(key(150 * MS, 'ShiftLeft'));
  pointer.add(key(900 * MS, 'ShiftLeft', false));
  pointer.release(3000 * MS);
  expect(events.map(({ type, time }) => [type, time / MS])).toEqual([
    ['keydown', 0],
    ['keydown', 100],
    ['keydown', 150],
    ['keyup', 900],
  ]);
});

test('is idle only while nothing waits and no key repeats', () => {
  const { events, pointer } = track({ delayUs: 500 * MS, everyUs: 30 * MS });
  expect(pointer.isIdle()).toBe(true);
  pointer.add(key(0, 'KeyA'));
  expect(pointer.isIdle()).toBe(false);
  pointer.release(400 * MS);
  // Handed on, but it will repeat.
  expect([events.length, pointer.isIdle()]).toEqual([1, false]);
  pointer.release(800 * MS);
  expect(events.length).toBeGreaterThan(1);
  pointer.add(key(900 * MS, 'KeyA', false));
  pointer.release(2000 * MS);
  const told = events.length;
  expect(pointer.isIdle()).toBe(true);
  pointer.release(9000 * MS);
  expect(events.length).toBe(told);
});
