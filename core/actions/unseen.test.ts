import { expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { narrate } from '../annotate/narration.ts';
import { reduce } from './reduce.ts';
import { isUnseen } from './unseen.ts';

const actions = (events: RawEvent[]) => reduce(events, { recording: 'r' }).actions;

test('A16: a step line is a wait from its beginning to its end, named by its own line', () => {
  const events: RawEvent[] = [
    { type: 'mark', t: 0, kind: 'subtask' },
    { type: 'step', t: 1_000_000, until: 3_000_000 },
    { type: 'step', t: 3_000_000, until: 2_000_000 },
  ];
  const made = actions(events);
  expect(made.map(({ id, kind, start, end }) => [id, kind, start.t, end.t])).toEqual([
    ['r:1s', 'wait', 1_000_000, 3_000_000],
    // One that ends before it begins lasts no time.
    ['r:2s', 'wait', 3_000_000, 3_000_000],
  ]);
  expect(made.every(isUnseen)).toBe(true);
  expect(made.flatMap(({ events: runs, travel }) => [...runs, ...travel])).toEqual([]);
});

test('A16: beside input both stand, in the order of time, and a click is none of them', () => {
  const click: RawEvent[] = [
    { type: 'down', t: 2_000_000, x: 5, y: 5, button: 'left' },
    { type: 'up', t: 2_100_000, x: 5, y: 5, button: 'left' },
  ];
  const made = actions([{ type: 'step', t: 1_000_000, until: 4_000_000 }, ...click]);
  expect(made.map((action) => [action.kind, isUnseen(action)])).toEqual([
    ['wait', true],
    ['click', false],
  ]);
});

test('A16: a wait that the reducer makes of a silence is none', () => {
  const move = (t: number): RawEvent => ({ type: 'move', t, x: 1, y: 1 });
  const { actions: made } = reduce([move(0), move(9_000_000)], { recording: 'r' }, { waitMs: 1000 });
  expect(made.map((action) => [action.kind, isUnseen(action)])).toEqual([['wait', false]]);
});

test('A16: it is not narrated as a wait', () => {
  const [step] = actions([{ type: 'step', t: 0, until: 5_000_000 }]);
  expect(narrate(step!)).toBe('Not recorded');
});
