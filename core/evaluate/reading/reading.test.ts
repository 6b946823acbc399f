import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { KEY_FORMS, keysInText } from '../keys/forms.ts';
import { readKeys } from '../keys/score.ts';
import { chosenLetter, chosenMarks, LETTER_FORMS, MARK_FORMS, stepList } from './choices.ts';
import { PLACE_FORMS } from './forms.ts';
import { clickPlace, dragPlaces } from './places.ts';
import { type CoordinateScale, guessScale, type RawPlace, scaledPlace } from './scale.ts';

const SIZE = { width: 1280, height: 720 };
/** The form's own numbers replaced by others; 79, 115, 300 and 200 stand nowhere else in the examples. */
const withNumbers = (example: string, numbers: readonly number[]): string =>
  example.replace(/\b(?:79|115|300|200)\b/g, (one) => String(numbers[['79', '115', '300', '200'].indexOf(one)]));
/** The middle of a box, or the place itself. */
const middle = (place: RawPlace | null): number[] | null => {
  if (!place) return null;
  const [a, b, c, d] = place.numbers;
  return c === undefined || d === undefined ? [a!, b!] : [(a! + c) / 2, (b! + d) / 2];
};

const clicks = PLACE_FORMS.flatMap(({ name, click, scale }) =>
  click === null ? [] : [{ name, example: click, scale }],
);
const drags = PLACE_FORMS.flatMap(({ name, drag, scale }) => (drag === null ? [] : [{ name, example: drag, scale }]));
const whole = fc.integer({ min: 0, max: 4000 });
const share = fc.integer({ min: 1, max: 999 }).map((n) => n / 1000);

describe('positions in every form of the table (M7)', () => {
  test.each(clicks)('a click: $name', ({ example, scale }) => {
    expect(middle(clickPlace(example, SIZE))).toEqual([79, 115]);
    expect(clickPlace(example, SIZE)?.scale).toBe(scale ?? null);
    fc.assert(
      fc.property(fc.oneof(fc.tuple(whole, whole), fc.tuple(share, share)), (at) => {
        expect(middle(clickPlace(withNumbers(example, at), null))).toEqual(at);
      }),
    );
  });

  test.each(drags)('a drag: $name', ({ example }) => {
    const read = (text: string) => dragPlaces(text, SIZE)?.map(middle) ?? null;
    expect(read(example)).toEqual([
      [79, 115],
      [300, 200],
    ]);
    fc.assert(
      fc.property(fc.tuple(whole, whole), fc.tuple(whole, whole), (start, end) => {
        // A drag to where it began is a click in code, and the resolution is no answer.
        fc.pre(start.join() !== end.join());
        const places = dragPlaces(withNumbers(example, [...start, ...end]), null);
        expect(places?.map(middle)).toEqual([start, end]);
      }),
    );
  });

  test('thoughts are passed over, and the last answer counts', () => {
    const read = (text: string) => clickPlace(text, SIZE)?.numbers ?? null;
    for (const text of [
      '<think>maybe [500, 500]</think>[79, 115]',
      'maybe [500, 500]</think>[79, 115]',
      '<thinking>[1, 1] <think>[2, 2]</think> [3, 3]</thinking>\n[79, 115]',
      '◁think▷[500, 500]◁/think▷ [79, 115]',
      '<|channel|>analysis<|message|>[500, 500]<|end|><|start|>assistant<|channel|>final<|message|>[79, 115]',
      'First [500, 500]. No: [79, 115]',
      'Thought: [500, 500]\nAction: click(start_box="[79, 115]")',
      '<answer>[79, 115]</answer> and not [500, 500]',
      'Answer: [79, 115] (not [500, 500])',
      'The answer is [79, 115].',
      'The screen is [1280, 720]: [79, 115]',
      '[79, 115] of [1280, 720]',
      '[79, 115] (step 2, 3)',
      'Final answer: 79, 115',
    ]) {
      expect([text, read(text)]).toEqual([text, [79, 115]]);
    }
    for (const text of [
      '<think>[500, 500]',
      '[1280, 720]',
      '(1280, 720)',
      'I cannot find it',
      'Answer: none',
      '<think>[1, 1]</think>',
    ]) {
      expect([text, read(text)]).toEqual([text, null]);
    }
  });

  test('records and lists that are no text', () => {
    expect(clickPlace([79, 115], SIZE)?.numbers).toEqual([79, 115]);
    expect(clickPlace({ action: 'left_click', coordinate: [79, 115] }, SIZE)?.numbers).toEqual([79, 115]);
    expect(clickPlace([{ type: 'computer_call', action: { type: 'click', x: 79, y: 115 } }], SIZE)?.numbers).toEqual([
      79, 115,
    ]);
    expect(dragPlaces([79, 115, 300, 200], SIZE)?.map(middle)).toEqual([
      [79, 115],
      [300, 200],
    ]);
    expect(clickPlace({ constructor: { x: 1, y: 2 }, __proto__: [1, 2] }, SIZE)).toBeNull();
  });
});

describe('the scale of positions (M29)', () => {
  const scales: CoordinateScale[] = ['pixels', '0-1', '0-100', '0-1000'];
  test.each(scales)('%s, as numbers and back', (scale) => {
    const whole = { pixels: null, '0-1': 1, '0-100': 100, '0-1000': 1000 }[scale];
    fc.assert(
      fc.property(fc.nat(1279), fc.nat(719), (x, y) => {
        const numbers = whole === null ? [x, y] : [(x / 1280) * whole, (y / 720) * whole];
        const [a, b] = scaledPlace({ numbers, scale: null }, scale, SIZE);
        expect(a).toBeCloseTo(x, 6);
        expect(b).toBeCloseTo(y, 6);
      }),
    );
  });

  /** Answers all over the picture, as a model with this scale writes them. */
  const answers = (n: number, scale: CoordinateScale, width: number, height: number) =>
    Array.from({ length: n }, (_, i) => {
      const [x, y] = [((i * 7919) % 997) / 997, ((i * 104_729) % 991) / 991];
      const numbers = scale === '0-1' ? [x, y] : scale === '0-1000' ? [x * 1000, y * 1000] : [x * width, y * height];
      return { numbers: numbers.map((one) => (scale === '0-1' ? one : Math.round(one))), width, height };
    });

  test.each([
    ['pixels', 1280, 720],
    ['pixels', 1920, 1080],
    ['pixels', 3840, 2160],
    ['pixels', 800, 600],
    ['0-1', 1920, 1080],
    ['0-1000', 1280, 720],
    ['0-1000', 1920, 1080],
    ['0-1000', 800, 600],
  ] as const)('%s in pictures of %d x %d is seen from the numbers alone', (scale, width, height) => {
    expect(guessScale(answers(60, scale, width, height))).toMatchObject({ scale, answers: 60 });
  });

  test('a single wild answer changes nothing, and few answers are said to be few', () => {
    const [wild, ...rest] = answers(60, 'pixels', 800, 600);
    expect(guessScale([{ ...wild!, numbers: [900, 650] }, ...rest]).scale).toBe('pixels');
    // Of a few answers a wild one, or none beyond 1000, tells nothing: the unit that the prompts ask for, said to be unknown.
    const few = answers(19, '0-1000', 800, 600);
    expect(guessScale(few)).toMatchObject({ scale: 'pixels', sure: false, why: expect.stringContaining('too few') });
    expect(guessScale([...few, ...answers(1, '0-1000', 800, 600)])).toMatchObject({ scale: '0-1000' });
    const menu = answers(5, 'pixels', 200, 40).map((one) => ({ ...one, width: 1920, height: 1080 }));
    expect(guessScale(menu)).toMatchObject({ scale: 'pixels', sure: false });
    expect(guessScale([])).toMatchObject({ scale: 'pixels', sure: true });
  });
});

describe('options, marks, keys and plans (M8, M10, M13, M26)', () => {
  test.each(LETTER_FORMS)('%s is the option %s', (text, letter) => {
    expect(chosenLetter(text)).toBe(letter);
  });

  test('two options, or none, are no answer', () => {
    for (const text of [
      '[A] or [B]',
      '',
      'Because of this',
      '<think>[A]</think>',
      'A scroll is needed',
      '[A] [B] [C]',
    ]) {
      expect([text, chosenLetter(text)]).toEqual([text, null]);
    }
  });

  test.each(MARK_FORMS)('%s names the marks %j', (text, marks) => {
    expect(chosenMarks(text)).toEqual(marks);
  });

  test.each(KEY_FORMS)('%s presses %j', (text, keys) => {
    expect(readKeys(text, DEFAULT_OPTIONS)).toMatchObject({ kind: 'keys', keys });
  });

  test('what is no key is no combination', () => {
    for (const text of ['I would press it', 'Hello', 'ctrl+nothing', '{"text": 7}', '+', 'do-it']) {
      expect([text, keysInText(text)]).toEqual([text, text === '+' ? ['+'] : null]);
    }
  });

  test('a plan as a list of texts', () => {
    expect(stepList('["Open it", "Save it"]')).toEqual(['Open it', 'Save it']);
    expect(stepList('```json\n{"steps": [{"step": "Open it"}, {"step": "Save it"}]}\n```')).toEqual([
      'Open it',
      'Save it',
    ]);
    expect(stepList('1. Open it')).toBeNull();
  });
});
