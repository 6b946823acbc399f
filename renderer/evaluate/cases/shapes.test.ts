import { expect, test } from 'vitest';
import { answerText, reachOf, readingText, shapesOf, shapesText, truthLines } from './shapes.ts';

const CLICK = { kind: 'click', point: [10, 20], width: 100, height: 50, box: [5, 15, 10, 10] };

test('a click has its truth, its element’s box and what was understood', () => {
  const shapes = shapesOf({ kind: 'click', truth: CLICK, reading: [40, 30] });
  expect(shapes).toEqual({
    size: { width: 100, height: 50 },
    truth: [{ kind: 'point', at: { x: 10, y: 20 } }],
    box: { kind: 'box', from: { x: 5, y: 15 }, to: { x: 15, y: 25 } },
    prediction: [{ kind: 'point', at: { x: 40, y: 30 } }],
  });
  expect(shapesText(shapes)).toBe('Truth at 10, 20; prediction at 40, 30.');
  expect(reachOf(shapes)).toEqual({ middle: { x: 22.5, y: 22.5 }, width: 35, height: 15 });
});

test('a predicted box is drawn as a box, whichever corners it names', () => {
  const { prediction } = shapesOf({ kind: 'click', truth: CLICK, reading: [40, 30, 20, 10] });
  expect(prediction).toEqual([{ kind: 'box', from: { x: 20, y: 10 }, to: { x: 40, y: 30 } }]);
});

test('a drag has two places of each, and none when the answer could not be read', () => {
  const truth = { kind: 'drag', start: [1, 2], end: [3, 4], width: 100, height: 50 };
  const shapes = shapesOf({
    kind: 'drag',
    truth,
    reading: [
      [5, 6],
      [7, 8],
    ],
  });
  expect([shapes.truth.length, shapes.prediction.length]).toEqual([2, 2]);
  expect(shapesText(shapesOf({ kind: 'drag', truth, reading: null }))).toContain('no prediction to draw');
});

test.each([null, 'x', 5, [], { kind: 'click' }, { ...CLICK, width: 'wide' }])(
  'a truth that is %j draws nothing',
  (truth) => {
    expect(shapesOf({ kind: 'click', truth, reading: [1, 2] }).size).toBe(null);
  },
);

test('an answer is shown as it was given', () => {
  expect(answerText('  as\n it is ')).toBe('  as\n it is ');
  expect(answerText([1, 2])).toBe('[1,2]');
  expect(answerText(['one', 'two'])).toBe('one\ntwo');
  expect(answerText(null)).toBe(null);
});

test('truth and reading of each kind are written in words', () => {
  const scroll = { kind: 'scroll', answer: 'up', order: ['none', 'up', 'down'] };
  expect(truthLines({ truth: scroll })).toEqual(['[A] none', '[B] up  ← right', '[C] down']);
  expect(truthLines({ truth: { kind: 'mid', steps: ['Open', 'Save'] } })).toEqual(['1. Open', '2. Save']);
  expect(readingText({ kind: 'scroll', reading: { letter: 'B', answer: 'up' } })).toBe('B (up)');
  expect(readingText({ kind: 'keys', reading: { keys: ['ctrl', 'z'], ignored: [] } })).toBe('ctrl z');
  expect(readingText({ kind: 'click', reading: null })).toBe(null);
  expect(truthLines({ truth: { id: 't', nodes: 3, applications: 2 } })).toEqual(['Atomic tasks: 3', 'Applications: 2']);
  const run = {
    atomic: [1, 0],
    steps: 5,
    decisions: { correct: 1, total: 2 },
    errors: [{ kind: 'planning', type: null }],
  };
  expect(readingText({ kind: 'trajectory', reading: run })).toBe(
    'atomic tasks: ✓ ✗\n5 steps\n1 of 2 decisions right\nerrors: planning',
  );
  expect(readingText({ kind: 'scenario', reading: { score: 1, clarifications: 2 } })).toBe(
    'score 1\n2 questions to the user',
  );
});
