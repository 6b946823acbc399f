import { expect, it } from 'vitest';
import type { RecordingRow } from '../../schemas/api/models.ts';
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
