import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { aidedName, isReachable, shownElements, textList } from './aids.ts';
import { readMark, readMarks } from './answers.ts';
import { caseOf } from './case-for-tests.ts';
import { at, exported, prompts, task } from './question-for-tests.ts';
import { makeQuestions, type QuestionAid } from './questions.ts';
import { type Case, scoreCase } from './score-case.ts';

const CLICK = exported(1, { kind: 'click', start: at(12, 34), end: at(12, 34) });
const DRAG = exported(2, { kind: 'drag', start: at(10, 20), end: at(300, 400) }, 'clip', 'Drag the clip to the end');
const KEYS = exported(3, { kind: 'press', keys: ['ctrl', 'c'] });
const box = (x: number, y: number, width = 20, height = 10): [number, number, number, number] => [x, y, width, height];

function ask(aid: QuestionAid) {
  return makeQuestions([task([CLICK, DRAG, KEYS])], 'action', { prompts, scrollOrder: 'table27', seed: 1, aid });
}

describe('questions with an aid', () => {
  const elements = [
    { box: box(290, 395), text: 'End' },
    { box: box(5, 30), text: 'Insert; tab' },
    { box: box(400, 10), text: '' },
  ];

  test('marks stand in reading order, and only clicks and drags have them', () => {
    const { questions } = ask({ kind: 'som', elements: () => elements });
    expect(questions.map(({ question: { kind, marks } }) => [kind, marks])).toEqual([
      ['click', [box(400, 10), box(5, 30), box(290, 395)]],
      ['drag', [box(400, 10), box(5, 30), box(290, 395)]],
      ['keys', undefined],
    ]);
    expect(questions[0]!.question.prompt).toMatch(/^click-som: Insert tab/);
  });

  test('texts are listed with the corners of their boxes; one without a text is not (M27)', () => {
    const { questions } = makeQuestions([task([CLICK])], 'action', {
      prompts: { ...prompts, 'click-ocr': '{element} in {count}: {texts}' },
      scrollOrder: 'table27',
      seed: 1,
      aid: { kind: 'ocr', elements: () => elements },
    });
    expect(questions[0]!.question.prompt).toBe(
      'Insert tab in 2: Insert tab: [[5, 30], [25, 40]]; End: [[290, 395], [310, 405]]',
    );
    expect(questions[0]!.question.marks).toBeUndefined();
  });

  test('one element alone would be the answer, so it is not asked (M28)', () => {
    const { questions, leftOut } = ask({
      kind: 'som',
      elements: (id) => (id.endsWith('/1') ? [elements[1]!] : elements),
    });
    expect(questions.map(({ question }) => question.kind)).toEqual(['drag', 'keys']);
    expect(leftOut).toEqual([
      {
        item: 'PPT_1/1/1',
        from: 'questions',
        reason: '1 elements were found on its picture; one alone would be the answer',
      },
    ]);
  });

  test('the order of the elements that were given decides nothing (law)', () => {
    const element = fc.record({
      box: fc.tuple(fc.nat(900), fc.nat(900), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 })),
      text: fc.string(),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(element, { selector: ({ box: b }) => b.join() }),
        fc.constantFrom('som', 'ocr'),
        (list, aid) => {
          const shown = shownElements(aid, list);
          expect(shownElements(aid, list.toReversed())).toEqual(shown);
          // As many entries as semicolons part: no text can add one.
          if (shown.length > 0) expect(textList(shown).split('; ')).toHaveLength(shown.length);
        },
      ),
    );
  });
});

describe('answers that name marks', () => {
  test.each([
    ['[7]', 7],
    ['The button has the mark [ 12 ].', 12],
    ['[3] is File. The answer is [7].', null],
    ['I mean [7]: yes, [7]', 7],
    ['7', null],
    ['[12, 30]', null],
    ['(7)', null],
  ])('%s', (text, mark) => {
    expect(readMark(text)).toBe(mark);
  });

  test('as numbers', () => {
    expect(readMark([7])).toBe(7);
    expect(readMark([7, 8])).toBeNull();
    expect(readMark([1.5])).toBeNull();
    expect(readMarks([3, 9])).toEqual([3, 9]);
    expect(readMarks([[3], [9]])).toEqual([3, 9]);
    expect(readMarks([3, 9, 1])).toBeNull();
  });

  test.each([
    ['[3]->[9]', [3, 9]],
    ['From [3] → [9], past [4]', [3, 9]],
    ['[1] [3] to [9]', [3, 9]],
    ['[3] [9]', null],
    ['[3]', null],
  ])('a drag: %s', (text, marks) => {
    expect(readMarks(text)).toEqual(marks);
  });
});

describe('scores of marks', () => {
  const of = (marks: Case['marks']) =>
    caseOf({ kind: 'click', point: [500, 500], width: 1000, height: 1000 }, { id: 'q', marks });

  test('a mark is its middle (A.3), or by choice its box', () => {
    const wide = of([box(0, 0), box(450, 450, 100, 100)]);
    const middle = scoreCase(wide, 'It is [2].', DEFAULT_OPTIONS);
    expect(middle).toMatchObject({ reading: [500, 500], scores: { dist: 0, recall: 1 }, notes: [] });
    expect(middle.why).toMatch(/^Mark 2\. 0\.0 px off, a hit/);
    const whole = scoreCase(wide, 'It is [2].', { ...DEFAULT_OPTIONS, markPlace: 'box' });
    expect(whole.reading).toEqual([450, 450, 550, 550]);
    expect(whole.scores.dist).toBeCloseTo(Math.hypot(50, 50) / Math.hypot(500, 500), 9);
  });

  test('a mark that the picture lacks, and a position instead of a mark, are unreadable', () => {
    const absent = scoreCase(of([box(0, 0), box(9, 9)]), '[3]', DEFAULT_OPTIONS);
    expect(absent).toMatchObject({ reading: null, scores: { dist: null, recall: 0 }, notes: ['unreadable'] });
    expect(absent.why).toBe('There is no mark 3; the picture has 2.');
    expect(scoreCase(of([box(0, 0)]), '[0]', DEFAULT_OPTIONS).why).toBe('There is no mark 0; the picture has 1.');
    expect(scoreCase(of([box(0, 0)]), '[500, 500]', DEFAULT_OPTIONS).notes).toEqual(['unreadable']);
  });

  test('both ends of a drag', () => {
    const drag = caseOf(
      { kind: 'drag', start: [100, 100], end: [400, 400], width: 1000, height: 1000 },
      { id: 'q', marks: [box(0, 0), box(90, 95), box(390, 395)] },
    );
    expect(scoreCase(drag, '[2] -> [3]', DEFAULT_OPTIONS).scores).toMatchObject({ dist: 0, recall: 1 });
    expect(scoreCase(drag, '[3] -> [2]', DEFAULT_OPTIONS).scores).toMatchObject({ recall: 0 });
    expect(scoreCase(drag, '[2] -> [8]', DEFAULT_OPTIONS).why).toBe('There is no mark 8; the picture has 3.');
  });

  test('what an answer can reach at all', () => {
    expect(isReachable([5, 5], [box(0, 0)])).toBe(true);
    expect(isReachable([25, 5], [box(0, 0)])).toBe(false);
  });
});

test('a row is named by its model and its aid, once', () => {
  expect(aidedName('GPT-4o', 'som')).toBe('GPT-4o + SoM');
  expect(aidedName('GPT-4o + SoM', 'som')).toBe('GPT-4o + SoM');
  expect(aidedName('GPT-4o', 'ocr')).toBe('GPT-4o + OCR');
  expect(aidedName('GPT-4o', null)).toBe('GPT-4o');
});
