import { expect, test } from 'vitest';
import type { FullWindowInput } from '../../../../native/platform/stage.ts';
import type { RawEvent } from '../../../../schemas/events.ts';
import { compareHands } from './own-hands.ts';

const press = (x: number, y: number): FullWindowInput[] => [
  { type: 'down', button: 'left', x, y },
  { type: 'up', button: 'left', x, y },
];
const key = (code: string): FullWindowInput[] => [
  { type: 'keydown', code },
  { type: 'keyup', code },
];
/** As they stand in a recording. */
const lines = (events: readonly object[]): RawEvent[] =>
  events.map((event, i) => ({ t: i * 1000, ...event }) as RawEvent); // whole lines but for their times

test('what the window was told of and the recording has is exact, in order', () => {
  const told = [...press(300.4, 200), ...key('KeyA'), { type: 'wheel', way: 'y+' } as const];
  const recorded = lines([
    { type: 'move', x: 300, y: 200 },
    { type: 'down', button: 'left', x: 300, y: 200 },
    { type: 'up', button: 'left', x: 300, y: 200 },
    { type: 'keydown', code: 'KeyA' },
    { type: 'keyup', code: 'KeyA' },
    { type: 'wheel', x: 1, y: 1, dx: 0, dy: 2, unit: 'notch' },
  ]);
  expect(compareHands(told, recorded)).toEqual({ exact: 5, of: 5, wrong: [] });
});

test('a key that is held repeats in the recording, and a wheel turns in parts: neither is one more', () => {
  const wheel = { type: 'wheel', way: 'y-' } as const;
  const told = [...key('KeyA'), wheel, wheel, wheel];
  const recorded = lines([
    ...['keydown', 'keydown', 'keydown', 'keyup'].map((type) => ({ type, code: 'KeyA' })),
    { type: 'wheel', x: 1, y: 1, dx: 0, dy: -3, unit: 'notch' },
  ]);
  expect(compareHands(told, recorded)).toEqual({ exact: 3, of: 3, wrong: [] });
});

test('what is missing or elsewhere is wrong, and which key it was is not said', () => {
  const told = [...press(10, 10), ...key('KeyP')];
  const recorded = lines([
    { type: 'down', button: 'left', x: 13, y: 10 },
    { type: 'up', button: 'left', x: 10, y: 10 },
    { type: 'keydown', code: 'KeyP' },
  ]);
  const { exact, of, wrong } = compareHands(told, recorded);
  expect([exact, of]).toEqual([2, 4]);
  expect(wrong).toEqual([
    'input 1, left down at 10.0,10.0, came back as left down at 13.0,10.0',
    'input 4, a key that was let go, came back as nothing',
  ]);
});

test('keys that the desktop keeps for itself are in the recording alone: that is no error', () => {
  const recorded = lines([
    { type: 'keydown', code: 'MetaLeft' },
    { type: 'keyup', code: 'MetaLeft' },
    { type: 'down', button: 'left', x: 5, y: 5 },
    { type: 'up', button: 'left', x: 5, y: 5 },
  ]);
  expect(compareHands(press(5, 5), recorded)).toEqual({ exact: 2, of: 2, wrong: [] });
});
