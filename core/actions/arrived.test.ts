import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RawEvent } from '../../schemas/events.ts';
import { reduce } from './reduce.ts';

const MS = 1000;
const actions = (events: RawEvent[]) =>
  reduce(
    events.toSorted((a, b) => a.t - b.t),
    { recording: 'r' },
  ).actions;
const key = (code: string, t: number): RawEvent[] => [
  { type: 'keydown', t: t * MS, code },
  { type: 'keyup', t: (t + 40) * MS, code },
];
/** Keys a tenth of a second apart, from `t` on, ms. */
const keys = (word: string, t: number): RawEvent[] =>
  [...word].flatMap((letter, n) =>
    key(letter === ' ' ? 'Space' : /\d/.test(letter) ? `Digit${letter}` : `Key${letter.toUpperCase()}`, t + n * 100),
  );
const text = (t: number, at: number, inserted: string, removed = 0, field = 0): RawEvent => ({
  type: 'text',
  t: t * MS,
  field,
  at,
  removed,
  inserted,
});
const told = (events: RawEvent[]) =>
  actions(events).map(({ kind, text, keys, textFrom }) => [kind, text ?? keys?.join('+'), textFrom]);

test('A18: an input method: the text is what arrived, the keys stay beside it', () => {
  const [typed, ...rest] = actions([...keys('nihao1', 0), text(540, 7, '你好')]);
  expect(rest).toEqual([]);
  expect(typed).toMatchObject({ kind: 'type', text: '你好', textFrom: 'field' });
  expect(typed?.keystrokes).toEqual([...'nihao1']);
});

test('A18: text that Enter accepts belongs to what was typed before it; the line that Enter begins does not', () => {
  const japanese = [...keys('nihongo ', 0), ...key('ArrowDown', 900), ...key('Enter', 1200), text(1230, 0, '日本語')];
  expect(told(japanese)).toEqual([
    ['type', '日本語', 'field'],
    ['press', 'ArrowDown', undefined],
    ['press', 'Enter', undefined],
  ]);
  expect(told([...keys('hi', 0), ...key('Enter', 500), text(530, 2, '\n')])).toEqual([
    ['type', 'hi', undefined],
    ['press', 'Enter', undefined],
  ]);
});

test('A18: letters that are composed in the field itself are replaced by what they become', () => {
  const composed = [
    ...keys('ka ', 0),
    text(20, 3, 'k'),
    text(120, 3, '', 1),
    text(121, 3, 'か'),
    text(220, 3, '', 1),
    text(221, 3, '蚊'),
  ];
  expect(told(composed)).toEqual([['type', '蚊', 'field']]);
});

test('A18: a word that the program completes', () => {
  expect(
    told([...keys('mon', 0), text(10, 0, 'm'), text(110, 1, 'o'), text(210, 2, 'n'), text(215, 3, 'day')]),
  ).toEqual([['type', 'monday', 'field']]);
});

test('A18: where the field tells the same, less, nothing or too much, the keys are believed', () => {
  const letters = [text(10, 5, 'm'), text(110, 6, 'o'), text(210, 7, 'n')];
  for (const texts of [
    letters,
    letters.slice(0, 2),
    [],
    [text(10, 0, 'm\uFFFCx')],
    [text(10, 0, 'm'), text(20, 9, 'x')],
  ]) {
    expect(told([...keys('mon', 0), ...texts])).toEqual([['type', 'mon', undefined]]);
  }
  // Another field changed too: nobody knows which of them was meant.
  expect(told([...keys('mon', 0), text(10, 0, 'x'), text(20, 0, 'y', 0, 1)])).toEqual([['type', 'mon', undefined]]);
});

test('A18: what was there before is no part of it, wherever it is taken away', () => {
  // A selection that is typed over, and letters before and after it that go.
  const events = [
    ...keys('ab', 0),
    text(10, 4, '', 3),
    text(11, 4, 'ä'),
    text(20, 2, '', 2),
    text(110, 3, 'b'),
    text(111, 4, '', 2),
  ];
  expect(told(events)).toEqual([['type', 'äb', 'field']]);
});

test('A18: a cell of a sheet opens with the first letter in it, and corrects what follows', () => {
  // As LibreOffice Calc tells it: "teh " in an empty cell.
  const corrected = [...keys('teh cat', 0), text(110, 1, 'e'), text(210, 2, 'h'), text(310, 1, '', 2)];
  corrected.push(text(311, 1, 'he '), text(410, 4, 'c'), text(510, 5, 'a'), text(610, 6, 't'));
  expect(told(corrected)).toEqual([['type', 'the cat', 'field']]);
  // Where nothing stood before it, no letter can be missing there; what an input method makes is no key's letter.
  expect(told([...keys('xab', 0), text(110, 0, 'a'), text(111, 1, 'bc')])).toEqual([['type', 'abc', 'field']]);
  expect(told([...keys('nihao ', 0), text(540, 5, '你好')])).toEqual([['type', '你好', 'field']]);
});

test('A18: what was pasted before and is told late is no part of what is typed after it', () => {
  const late = [...keys(' two', 0), text(20, 4, 'hello'), text(30, 9, ' '), text(130, 10, 't'), text(240, 11, 'wo')];
  expect(told(late)).toEqual([['type', ' two', undefined]]);
});

test('A18: in a pause nothing arrives, and text without typing changes nothing', () => {
  const paused: RawEvent[] = [
    ...keys('a', 0),
    { type: 'pause', t: 300 * MS, reason: 'user' },
    text(320, 0, 'secret'),
    { type: 'resume', t: 400 * MS, reason: 'user' },
  ];
  expect(told(paused)).toEqual([['type', 'a', undefined]]);
  expect(told([...key('F5', 0), text(10, 0, 'page')])).toEqual([['press', 'F5', undefined]]);
});

test('A18: whatever a program tells, every other fact of the actions stays (A1, old recordings)', () => {
  const change = fc.record({
    t: fc.integer({ min: 0, max: 3000 }),
    at: fc.nat(12),
    removed: fc.nat(4),
    inserted: fc.constantFrom('', 'a', '你好', '\n', '\uFFFC', '🙂x'),
    field: fc.nat(1),
  });
  const typed = [...keys('hello', 0), ...key('Enter', 900), ...keys('you 2', 1400), ...key('Tab', 2600)];
  const plain = actions(typed);
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const made = actions([
        ...typed,
        ...changes.map((one) => text(one.t, one.at, one.inserted, one.removed, one.field)),
      ]);
      const essence = ({ text, textFrom, events, travel, id, ...rest }: (typeof made)[number]) => rest;
      expect(made.map(essence)).toEqual(plain.map(essence));
      for (const action of made) {
        if (action.textFrom === undefined)
          expect(action.text).toBe(plain.find(({ start }) => start.t === action.start.t)?.text);
        else expect(action.text?.includes('\uFFFC')).toBe(false);
      }
    }),
  );
});

test('A18: what the changes leave is what an editor would hold', () => {
  // The field is simulated: text before and after the caret, and typing that inserts and deletes inside what was typed.
  const edits = fc.array(
    fc.oneof(
      fc.constantFrom('a', 'é', '漢字', '🙂').map((insert) => ({ insert })),
      fc.constant({ back: true }),
    ),
    {
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(edits, fc.nat(5), (steps, before) => {
      let made: string[] = [];
      const texts: RawEvent[] = [];
      for (const [n, step] of steps.entries()) {
        if ('insert' in step) {
          texts.push(text(10 + n, before + made.length, step.insert));
          made = [...made, ...step.insert];
        } else if (made.length > 0) {
          texts.push(text(10 + n, before + made.length - 1, '', 1));
          made.pop();
        }
      }
      const [typed] = actions([...keys('zz', 0), ...texts]);
      const end = made.join('');
      expect(typed?.text).toBe(end === '' ? 'zz' : end);
    }),
  );
});
