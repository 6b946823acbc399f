import { expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import type { ExportTask } from '../export/model.ts';
import { referencesOf, scoreBest } from './plan.ts';
import { ask, exported, still, task } from './question-for-tests.ts';
import { scoreCase } from './score-case.ts';

/** A task with several recordings has several ways: a plan counts against the one that fits best (M31). */

const subtask = (id: number, query: string, steps: string[]): ExportTask['subtasks'][number] => ({
  id,
  query,
  startImage: still('/s.png'),
  endImage: still('/e.png'),
  actions: steps.map((step, at) => exported(at + 1, {}, 'x', step)),
});
const first = task([], {
  subtasks: [subtask(1, 'Crop the picture', ['Open Image', 'Choose Crop']), subtask(2, 'Save it', ['Press Ctrl+S'])],
});
const second = task([], {
  id: 'PPT_1-2',
  another: 'PPT_1',
  subtasks: [
    subtask(1, 'Use the crop tool', ['Press Shift+C', 'Drag']),
    subtask(2, 'save it', ['Open File', 'Choose Save']),
  ],
});

test('M31: a high-level plan has the other recordings’ subtasks as alternatives, and is asked once', () => {
  const { questions } = ask('high', first, second);
  expect(questions.map(({ question }) => question.id)).toEqual(['PPT_1/vision', 'PPT_1/text', 'PPT_1/vision+text']);
  expect(questions[0]!.question.truth).toEqual({
    kind: 'high',
    steps: ['Crop the picture', 'Save it'],
    alternatives: [['Use the crop tool', 'save it']],
  });
});

test('a subtask of the same title is another way to it; one of another title is a question of its own', () => {
  const { questions } = ask('mid', first, second);
  const texts = questions.filter(({ question }) => question.query === 'text').map(({ question }) => question);
  expect(texts.map(({ id, truth }) => [id, 'alternatives' in truth ? truth.alternatives : null])).toEqual([
    ['PPT_1/1/text', null],
    ['PPT_1/2/text', [['Open File', 'Choose Save']]],
    ['PPT_1-2/1/text', null],
  ]);
});

test('with one recording nothing changes, and the same way twice is one', () => {
  const alone = ask('high', first).questions.map(({ question }) => question.truth);
  expect(alone[0]).toEqual({ kind: 'high', steps: ['Crop the picture', 'Save it'] });
  const same = { ...first, id: 'PPT_1-2', another: 'PPT_1' };
  expect(ask('high', first, same).questions.map(({ question }) => question.truth)).toEqual(alone);
});

test('the reference that fits best counts; the case says which', () => {
  const truth = { kind: 'mid' as const, steps: ['Press Ctrl+S'], alternatives: [['Open File', 'Choose Save']] };
  const [question] = ask('mid', first).questions;
  const of = { ...question!.question, truth };
  const scored = scoreCase(of, ['Open File', 'Choose Save'], DEFAULT_OPTIONS);
  expect([scored.scores.stepF1, scored.reading]).toMatchObject([1, { reference: 1 }]);
  expect(scored.why).toContain('the best fitting of 2 references, number 2');
  expect(
    scoreCase({ ...of, truth: { kind: 'mid', steps: truth.steps } }, ['Open File', 'Choose Save'], DEFAULT_OPTIONS)
      .scores.stepF1,
  ).toBe(0);
  expect(scoreBest(referencesOf(truth), []).reference).toBe(0);
});
