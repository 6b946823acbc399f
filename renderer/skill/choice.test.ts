import { expect, test } from 'vitest';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { chosenIds, firstChoice, shownFirst, teachable, toggled } from './choice.ts';

type Row = Pick<RecordingRow, 'id' | 'task' | 'phase' | 'steps' | 'state'>;
const row = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  task: 'GIMP_1',
  phase: 'closed',
  steps: 3,
  state: 'annotated',
  ...more,
});

const rows = [row('c'), row('b', { state: 'approved' }), row('a')];

test('a skill can be made of closed recordings with steps of its task, also while they are not counted yet', () => {
  const odd = [row('d', { task: 'GIMP_2' }), row('e', { phase: 'recording' }), row('f', { steps: 0 })];
  const uncounted = row('g', { steps: null });
  expect(teachable([...rows, ...odd, uncounted], 'GIMP_1')).toEqual([...rows, uncounted]);
});

test('all are taken; first is shown what was asked for, else an approved one, else the newest', () => {
  expect(chosenIds(rows, firstChoice(rows, 'a'))).toEqual(['a', 'c', 'b']);
  expect(chosenIds(rows, firstChoice(rows, null))).toEqual(['b', 'c', 'a']);
  expect(chosenIds(rows, firstChoice(rows, 'gone'))).toEqual(['b', 'c', 'a']);
  expect(firstChoice([], null).shown).toBeNull();
  // Another example that was taught while the page was open.
  expect(chosenIds([row('new'), ...rows], firstChoice(rows, 'a'))).toEqual(['a', 'new', 'c', 'b']);
});

test('one is left out and taken in again; the last one stays', () => {
  const all = firstChoice(rows, 'a');
  const two = toggled(rows, all, 'b');
  expect(chosenIds(rows, two)).toEqual(['a', 'c']);
  expect(chosenIds(rows, toggled(rows, two, 'b'))).toEqual(['a', 'c', 'b']);
  const one = toggled(rows, two, 'a');
  expect(chosenIds(rows, one)).toEqual(['c']);
  expect(chosenIds(rows, toggled(rows, one, 'c'))).toEqual(['c']);
  expect(chosenIds(rows, shownFirst(all, 'b'))).toEqual(['b', 'c', 'a']);
});
