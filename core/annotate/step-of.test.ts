import { expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { reduce } from '../actions/reduce.ts';
import { stepOfAction } from './step-of.ts';

const key = (code: string, t: number): RawEvent[] => [
  { type: 'keydown', t, code },
  { type: 'keyup', t: t + 40, code },
];
const stepOf = (events: RawEvent[]) => {
  const [action] = reduce(events, { recording: 'r' }).actions;
  return stepOfAction(action!, { before: 0, after: 1 });
};

test('a step shows the keys beside a text that arrived in the field, and nothing twice', () => {
  const keys = [...key('KeyM', 0), ...key('KeyA', 1000)];
  const arrived: RawEvent = { type: 'text', t: 2000, field: 0, at: 0, removed: 0, inserted: '吗' };
  expect(stepOf([...keys, arrived])).toMatchObject({ text: '吗', typedAs: 'ma' });
  expect(stepOf(keys)).toMatchObject({ text: 'ma' });
  expect(stepOf(keys)).not.toHaveProperty('typedAs');
});
