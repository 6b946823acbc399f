import { expect, test } from 'vitest';
import { cropOf } from '../../core/annotate/proposals/crop.ts';
import { drawing } from '../../core/annotate/proposals/drawing-for-tests.ts';
import { growAt, propose } from './propose.ts';

const box = { x: 100, y: 50, width: 86, height: 30 };
const image = drawing(400, 200).fill(box, 0xffffff).frame(box, 0xb0b0b0).word(125, 60, 5);
// On its letters.
const picture = { image, point: { x: 127, y: 64 } };
const known = [{ ...cropOf(image, box)!, name: 'OK button', count: 3 }];
const vocabulary = [
  { name: 'Insert tab', count: 9 },
  { name: 'Cancel', count: 1 },
  { name: 'OK button', count: 3 },
];

test("what was seen comes first, then the software's names with its box, each once and with less confidence", () => {
  const found = propose({ picture, known, vocabulary, followers: [{ name: 'Cancel', count: 2 }], hasBox: false });
  expect(found.map(({ name, source }) => [name, source])).toEqual([
    ['OK button', 'seen'],
    [null, 'edges'],
    ['Cancel', 'vocabulary'],
    ['Insert tab', 'vocabulary'],
  ]);
  // The letters alone are offered as a box too; the seen one is not offered twice.
  expect(found.filter((proposal) => proposal.source === 'edges').every((p) => p.box!.width < box.width)).toBe(true);
  expect([found[0]!.box, found[2]!.box]).toEqual([box, box]);
  expect(found[0]!.confidence).toBeGreaterThan(found[2]!.confidence);
  expect(found[2]!.confidence).toBeGreaterThan(found[3]!.confidence);
});

test('what the program says comes first; without a name, behind what people named the same pixels', () => {
  const ask = (name: string | null, confidence: number) =>
    propose({
      picture,
      element: { name, box, source: 'accessibility', confidence },
      known,
      vocabulary: [],
      followers: [],
      hasBox: false,
    }).map((one) => [one.name, one.source]);
  expect(ask('Apply button', 0.9).slice(0, 2)).toEqual([
    ['Apply button', 'accessibility'],
    ['OK button', 'seen'],
  ]);
  expect(ask('OK button', 0.9)).toEqual([
    ['OK button', 'accessibility'],
    [null, 'edges'],
  ]);
  expect(ask(null, 0.7)[0]).toEqual(['OK button', 'seen']);
});

test('a text that was read comes before boxes without a name and behind every other name, with the box of what holds it', () => {
  const text = { text: 'OK', box: { x: 124, y: 59, width: 34, height: 11 }, confidence: 0.95 };
  const ask = (more: Partial<Parameters<typeof propose>[0]>) =>
    propose({ picture, text, known: [], vocabulary, followers: [], hasBox: false, ...more });
  const [first, ...others] = ask({});
  expect(first).toEqual({ name: 'OK', box, source: 'ocr', confidence: 0.76 });
  expect(
    others.filter(({ box: its }) => its?.width === box.width && its.x === box.x).map(({ source }) => source),
  ).toEqual(vocabulary.map(() => 'vocabulary'));
  // People's own name for the same pixels is better, and a program's leaves no question.
  expect(
    ask({ known })
      .map(({ source }) => source)
      .slice(0, 2),
  ).toEqual(['seen', 'ocr']);
  const unnamed = { name: null, box, source: 'accessibility' as const, confidence: 0.7 };
  expect(ask({ element: unnamed })[0]).toMatchObject({ name: 'OK', box, source: 'ocr' });
  const named = { ...unnamed, name: 'Apply button', confidence: 0.9 };
  expect(ask({ element: named }).map(({ source }) => source)).not.toContain('ocr');
});

test('beside a box that stands already names are offered alone', () => {
  const names = propose({ picture, known: [], vocabulary, followers: [], hasBox: true }).filter(({ name }) => name);
  expect(names.map(({ box }) => box)).toEqual([null, null, null]);
});

test('never more than the nine digits, and nothing at all where nothing is known', () => {
  const many = Array.from({ length: 50 }, (_, at) => ({ name: `Name ${at}`, count: 50 - at }));
  expect(propose({ picture, known, vocabulary: many, followers: [], hasBox: false })).toHaveLength(9);
  expect(propose({ picture: null, known: [], vocabulary: [], followers: [], hasBox: false })).toEqual([]);
});

test('growing from a point gives the name of a crop that had one, else the box alone', () => {
  expect(growAt(image, { x: 180, y: 70 }, known)).toMatchObject({ name: 'OK button', box, source: 'seen' });
  expect(growAt(image, { x: 180, y: 70 }, [])).toMatchObject({ name: null, box, source: 'edges' });
  expect(growAt(drawing(50, 50), { x: 5, y: 5 }, known)).toBeNull();
});
