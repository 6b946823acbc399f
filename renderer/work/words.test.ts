import { expect, it } from 'vitest';
import type { WorkItem } from '../../schemas/api/review-models.ts';
import { nextPlace, placeOfWork } from '../client/next-work.ts';
import { whyGiven } from './words.ts';

const item = (more: Partial<WorkItem> = {}): WorkItem => ({
  kind: 'annotate',
  recording: 'r1',
  document: null,
  task: 'GIMP_1',
  software: 'gimp',
  goal: 'Crop',
  state: 'recorded',
  steps: 10,
  done: 4,
  open: 0,
  asked: 0,
  mine: false,
  since: '2026-11-01T10:00:00.000Z',
  ...more,
});

it('says why a piece of work is given, with how much is left of it', () => {
  expect(whyGiven(item({ mine: true }))).toBe('You have started it; 6 steps are left.');
  expect(whyGiven(item({ mine: true, done: 10 }))).toBe('Every step is done. Submit it.');
  expect(whyGiven(item({ kind: 'answer', asked: 1 }))).toBe('A comment mentions you and waits for an answer.');
  expect(whyGiven(item({ kind: 'answer', asked: 2 }))).toBe('2 comments mention you and wait for an answer.');
  expect(whyGiven(item({ kind: 'repair', open: 1 }))).toContain('1 open comment ');
});

it('says who a piece of work is assigned to, and that others may take it', () => {
  expect(whyGiven(item({ assigned: { due: null } }))).toBe('Assigned to you, waiting to be annotated.');
  expect(whyGiven(item({ others: ['b'] }), () => 'Ben')).toBe('Assigned to Ben; you may still take it.');
  // Who has begun goes on with it, whoever it is assigned to since.
  expect(whyGiven(item({ others: ['b'], mine: true }))).toBe('You have started it; 6 steps are left.');
});

it('opens each piece of work on the page where it is done', () => {
  expect(placeOfWork('w', item())).toBe('/w/w/recordings/r1');
  expect(placeOfWork('w', item({ document: 'r1~ana' }))).toBe('/w/w/recordings/r1?document=r1~ana');
  expect(placeOfWork('w', item({ kind: 'review', document: 'r1' }))).toBe('/w/w/recordings/r1/review');
  expect(placeOfWork('w', item({ kind: 'adjudicate' }))).toBe('/w/w/recordings/r1/compare');
});

it('goes on to what is next, not to what one is on already, and to the queue when nothing is left', () => {
  const items = [item({ kind: 'review', recording: 'r1' }), item({ recording: 'r2' })];
  expect(nextPlace('w', items, '/w/w')).toBe('/w/w/recordings/r1/review');
  expect(nextPlace('w', items, '/w/w/recordings/r1/review')).toBe('/w/w/recordings/r2');
  expect(nextPlace('w', [], '/w/w')).toBe('/w/w/work');
});
