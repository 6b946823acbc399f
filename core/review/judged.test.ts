import { expect, test } from 'vitest';
import type { StepError } from '../../schemas/review.ts';
import { isCorrect, judgedFigures, judgedSteps, type StepJudgement } from './judged.ts';

const planning: StepError = { kind: 'planning', execution: null, recoverable: false };
const missed: StepError = { kind: 'execution', execution: 'operational', recoverable: true };
const said = (of: Partial<StepJudgement>): StepJudgement => ({ action: 'a', grounded: null, error: null, ...of });
const judged = (...all: Partial<StepJudgement>[]) => judgedSteps(all.map(said)).get('a') ?? null;

test('one judge decides; who left a comment alone has no say', () => {
  expect(judged({ grounded: true, redundant: false })).toEqual({
    judges: 1,
    grounded: true,
    wrong: false,
    error: null,
    recoverable: null,
    redundant: false,
  });
  expect(judged({})).toBeNull();
});

test('each question is decided by most of those who answered it, and a tie settles nothing (J1)', () => {
  expect(judged({ grounded: true }, { grounded: true }, { error: planning })).toMatchObject({
    grounded: true,
    wrong: false,
    error: null,
  });
  expect(judged({ error: planning }, { grounded: true })).toMatchObject({ wrong: null, error: null, grounded: true });
  expect(judged({ error: planning }, { error: missed })).toMatchObject({ wrong: true, error: null, recoverable: null });
  expect(judged({ error: missed }, { error: missed }, { error: planning })).toMatchObject({
    error: 'operational',
    recoverable: true,
  });
});

test('a step is right when it is grounded and no error, wrong when it is one, else neither (J2)', () => {
  const right = (...all: Partial<StepJudgement>[]) => isCorrect(judged(...all)!);
  expect(right({ grounded: true })).toBe(true);
  expect(right({ grounded: true, error: missed })).toBe(false);
  expect(right({ grounded: false })).toBeNull();
  expect(right({ redundant: true })).toBeNull();
});

test('the figures of a recording count its kept steps alone', () => {
  const steps = judgedSteps([
    said({ action: 'a', grounded: true }),
    said({ action: 'b', grounded: false, error: planning }),
    said({ action: 'c', error: missed, redundant: true }),
    said({ action: 'gone', error: planning }),
  ]);
  expect(judgedFigures(steps, [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }])).toEqual({
    steps: 3,
    grounded: 1,
    ungrounded: 1,
    errors: { planning: 1, operational: 1 },
    wrong: 2,
    unrecoverable: 1,
    redundant: 1,
  });
  expect(judgedFigures(steps, [{ id: 'd' }])).toBeNull();
});
