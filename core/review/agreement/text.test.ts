import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editSimilarity, normaliseText, tokenF1 } from './text.ts';

test('case, width, composition and spaces do not make another name (R10)', () => {
  expect(normaliseText('  Insert\n  TAB ')).toBe('insert tab');
  expect(normaliseText('Café AU lait')).toBe('café au lait');
  expect(normaliseText('ｆｕｌｌ')).toBe('full');
  expect(normaliseText('Cafe\u0301')).toBe(normaliseText('CAFÉ'));
  for (const street of ['straße', 'STRAẞE']) expect(normaliseText(street)).toBe('strasse');
  expect(normaliseText('ΟΔΟΣ')).toBe(normaliseText('οδοσ'));
});

test('kitten and sitting are 3 of 7 apart (R10)', () => {
  expect(editSimilarity('kitten', 'sitting')).toBeCloseTo(4 / 7, 10);
  expect(editSimilarity('', 'abc')).toBe(0);
  expect(editSimilarity('', '')).toBe(1);
  // A sign beyond the first plane is one sign.
  expect(editSimilarity('a😀', 'a😁')).toBe(0.5);
});

test('words count as often as they stand in both, whatever their order and case (R11)', () => {
  expect(tokenF1('Click on the Insert tab', 'Click the insert TAB')).toBeCloseTo((2 * 4) / 9, 10);
  expect(tokenF1('tab tab', 'tab')).toBeCloseTo(2 / 3, 10);
  expect(tokenF1('Insert, tab!', 'tab: insert')).toBe(1);
  expect(tokenF1('', '')).toBe(1);
  expect(tokenF1('', 'tab')).toBe(0);
});

test('scripts without spaces are compared sign by sign, and a name without letters as a whole (R11)', () => {
  expect(tokenF1('插入图片', '插入表格')).toBe(0.5);
  expect(tokenF1('Excel表', 'Excel表')).toBe(1);
  expect(tokenF1('Excel表', 'Word表')).toBe(0.5);
  expect(tokenF1('+', '+')).toBe(1);
  expect(tokenF1('+', '×')).toBe(0);
});

/** Levenshtein's definition, word for word. */
function byDefinition(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return byDefinition(restA, restB);
  return 1 + Math.min(byDefinition(restA, b), byDefinition(a, restB), byDefinition(restA, restB));
}

const short = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), maxLength: 6 });

test('the edit similarity is what its definition says (R10)', () => {
  fc.assert(
    fc.property(short, short, (a, b) => {
      const [from, to] = [[...a], [...b]];
      const longer = Math.max(from.length, to.length);
      expect(editSimilarity(a, b)).toBeCloseTo(longer === 0 ? 1 : 1 - byDefinition(from, to) / longer, 10);
    }),
  );
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.array(fc.constantFrom('Insert', 'tab', 'the', '图', '+', ' '), { maxLength: 8 }).map((words) => words.join(' ')),
);

test('likeness of texts is symmetric, 1 with itself, and between 0 and 1 (R10, R11)', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      for (const like of [editSimilarity, tokenF1]) {
        expect(like(a, b)).toBe(like(b, a));
        expect(like(a, a)).toBe(1);
        expect(like(a, b)).toBeGreaterThanOrEqual(0);
        expect(like(a, b)).toBeLessThanOrEqual(1);
      }
      expect(normaliseText(normaliseText(a))).toBe(normaliseText(a));
    }),
  );
});
