import { expect, test } from 'vitest';
import { usLayout } from '../../schemas/us-layout.ts';
import { keysOfText } from './written.ts';

const step = { start: { t: 1000 }, end: { t: 2000 } };

test('PL39: a text that a person gave is typed by the keys of the layout, within its step', () => {
  const { events, missing } = keysOfText('aB 1\n', step, usLayout());
  expect(missing).toEqual([]);
  expect(events.map((event) => ('code' in event ? `${event.type} ${event.code}` : ''))).toEqual([
    ...['keydown KeyA', 'keyup KeyA', 'keydown ShiftLeft', 'keydown KeyB', 'keyup KeyB', 'keyup ShiftLeft'],
    ...['keydown Space', 'keyup Space', 'keydown Digit1', 'keyup Digit1', 'keydown Enter', 'keyup Enter'],
  ]);
  expect(events.every(({ t }) => t >= 1000 && t <= 2000)).toBe(true);
});

test('what the layout has no key for is told', () => {
  expect(keysOfText('a語', step, usLayout()).missing).toEqual(['語']);
});
