import { expect, test } from 'vitest';
import type { ReviewAct } from '../../schemas/review.ts';
import { outcomesSaid, peopleSaid } from './outcome.ts';

const at = '2026-11-29T10:00:00.000Z';
const by = (person: string, ...acts: ReviewAct[]) => acts.map((act) => ({ person, at, act }));
const verdict = (
  says: 'approve' | 'reject',
  comment = '',
  reasons: ('missing-step' | 'wrong-box')[] = [],
): ReviewAct => ({
  type: 'verdict',
  verdict: says,
  version: 1,
  reasons,
  comment,
});
const judge = (action: string, recoverable: boolean | null, comment = ''): ReviewAct => ({
  type: 'judge',
  action,
  grounded: true,
  error: recoverable === null ? null : { kind: 'planning', execution: null, recoverable },
  comment,
});

test('of a person the last verdict counts, and what is only wrong with the annotation says nothing of the outcome', () => {
  const said = peopleSaid([
    ...by('a', verdict('reject', '', ['missing-step']), verdict('approve', 'Good')),
    ...by('b', verdict('reject', 'The box', ['wrong-box'])),
    ...by('c', verdict('reject')),
  ]);
  expect(said.map(({ person, good, comment }) => [person, good, comment])).toEqual([
    ['a', true, 'Good'],
    ['b', null, 'The box'],
    ['c', false, ''],
  ]);
});

test('a step that is wrong beyond repair is an outcome; beside an approval by the same person it is none', () => {
  const said = peopleSaid([
    ...by('a', judge('s1', false), judge('s2', null)),
    ...by('b', judge('s1', true)),
    ...by('c', verdict('approve'), judge('s1', false)),
  ]);
  expect(said.map(({ good }) => good)).toEqual([false, null, null]);
  expect(said[0]?.steps.map(({ right }) => right)).toEqual([false, true]);
});

test('a comment alone is no judgement; one that is taken back is gone; reopening takes verdicts back', () => {
  const nothing: ReviewAct = { type: 'judge', action: 's1', grounded: null, error: null, comment: 'Look' };
  const said = peopleSaid([
    ...by('a', nothing),
    ...by('b', judge('s1', null), { ...nothing, comment: '' }),
    ...by('c', verdict('approve')),
    ...by('d', { type: 'reopen', comment: 'Again' }),
  ]);
  expect(said).toEqual([
    { person: 'a', good: null, comment: '', steps: [{ action: 's1', judged: false, right: null, comment: 'Look' }] },
  ]);
});

test('reviews that contradict each other say both', () => {
  const wrong = { judges: 1, grounded: true, wrong: true, error: null, recoverable: false, redundant: null };
  expect(outcomesSaid({ approved: true, rejected: true, steps: [wrong] })).toEqual([true, false]);
  expect(outcomesSaid({ approved: false, rejected: false, steps: [{ ...wrong, recoverable: true }] })).toEqual([]);
});
