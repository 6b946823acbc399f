import { expect, it } from 'vitest';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { isOverdue } from '../lists/assigned.ts';
import { EVERYTHING, filterRecordings, isDoubtful } from './filter.ts';

const row = (id: string, rest: Partial<RecordingRow> = {}): RecordingRow => ({
  id,
  task: 'PPT_1',
  software: 'ppt',
  goal: 'Insert the picture',
  state: 'recorded',
  phase: 'closed',
  verdict: 'complete',
  sync: 'ok',
  startedAt: '2026-11-01T10:00:00.000Z',
  durationUs: 1,
  frames: 1,
  dropped: 0,
  events: 1,
  person: null,
  steps: 1,
  done: 0,
  ...rest,
});

it('lists recordings newest first and finds words in any order', () => {
  const rows = [row('old', { startedAt: '2026-10-01T10:00:00.000Z' }), row('new'), row('other', { goal: 'Crop' })];
  expect(filterRecordings(rows, EVERYTHING).map((one) => one.id)).toEqual(['new', 'other', 'old']);
  expect(filterRecordings(rows, { ...EVERYTHING, text: 'picture ppt_1 new' }).map((one) => one.id)).toEqual(['new']);
});

it('shows one state, or only what is doubtful', () => {
  const rows = [row('a', { state: 'annotated' }), row('b', { verdict: 'damaged' }), row('c', { sync: 'warn' })];
  expect(filterRecordings(rows, { ...EVERYTHING, state: 'annotated' }).map((one) => one.id)).toEqual(['a']);
  expect(filterRecordings(rows, { ...EVERYTHING, doubtful: true }).map((one) => one.id)).toEqual(['b', 'c']);
});

it('does not doubt a recording that is not judged yet or whose check was skipped', () => {
  expect(isDoubtful(row('a', { verdict: null, sync: null }))).toBe(false);
  expect(isDoubtful(row('a', { sync: 'skipped' }))).toBe(false);
});

it('keeps recordings that any of their work is assigned to a person for, or to nobody', () => {
  const to = (person: string) => ({ people: [person], due: '2026-11-05', by: 'mia', at: '2026-11-01T10:00:00.000Z' });
  const rows = [
    row('free'),
    row('annotate', { assigned: { annotate: to('ada'), review: to('ben') } }),
    row('approved', { state: 'approved', assigned: { annotate: to('ada'), review: null } }),
  ];
  const ids = (assigned: string | null) => filterRecordings(rows, { ...EVERYTHING, assigned }).map(({ id }) => id);
  expect(ids(null)).toHaveLength(3);
  expect(ids('ben')).toEqual(['annotate']);
  expect(ids('ada')).toEqual(['annotate', 'approved']);
  expect(ids('nobody')).toEqual(['free']);
  const now = new Date('2026-11-06T10:00:00');
  expect(rows.map((one) => isOverdue(one, 'annotate', now))).toEqual([false, true, false]);
  expect(isOverdue({ ...rows[1]!, state: 'annotated' }, 'annotate', now)).toBe(false);
  expect(isOverdue({ ...rows[1]!, state: 'annotated' }, 'review', now)).toBe(true);
});
