import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SCALES } from '../../schemas/scales.ts';
import { knownSquares, placeSaid, scaleOf } from './measured-scale.ts';

/** The unit of a model's places, measured by squares whose places are known. */

const sizes = fc.record({ width: fc.integer({ min: 640, max: 3840 }), height: fc.integer({ min: 480, max: 2160 }) });
const PARTS = { '0-1': 1, '0-100': 100, '0-1000': 1000 } as const;
const SIZE = { width: 1000, height: 700 };

test('a model that sees the squares is measured right on every screen, in whichever unit, also with one answer missing', () => {
  fc.assert(
    fc.property(sizes, fc.constantFrom(...SCALES), fc.integer({ min: 0, max: 6 }), (size, scale, missing) => {
      // There pixels and thousandths are one.
      fc.pre(size.width !== 1000 || size.height !== 1000);
      const squares = knownSquares(size);
      const said = squares.map(({ x, y }, n) => {
        if (n === missing) return null;
        const numbers =
          scale === 'pixels' ? [x, y] : [(x / size.width) * PARTS[scale], (y / size.height) * PARTS[scale]];
        return { numbers, own: null };
      });
      expect(scaleOf(said, squares, size).scale).toBe(scale);
    }),
  );
});

test('pixels and thousandths of a picture of about a thousand pixels are told apart', () => {
  const size = { width: 928, height: 931 };
  const squares = knownSquares(size);
  // A little beside each square, as models are.
  const beside = (n: number): number => (n % 2 ? 4 : -4);
  const pixels = squares.map(({ x, y }, n) => ({ numbers: [x + beside(n), y - beside(n)], own: null }));
  expect(scaleOf(pixels, squares, size).scale).toBe('pixels');
  const parts = squares.map(({ x, y }, n) => ({
    numbers: [Math.round((x / size.width) * 1000) + beside(n), Math.round((y / size.height) * 1000)],
    own: null,
  }));
  expect(scaleOf(parts, squares, size).scale).toBe('0-1000');
  // Beside by more than the units differ: either may be meant.
  const wild = squares.map(({ x, y }, n) => ({ numbers: [x + 4 * beside(n) + 18, y + 30], own: null }));
  expect(scaleOf(wild, squares, size)).toMatchObject({ scale: null, why: expect.stringContaining('two units fit') });
});

test('squares lie in the picture, and none on another', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const squares = knownSquares(size);
      for (const [n, { x, y, side }] of squares.entries()) {
        expect(
          x - side / 2 >= 0 && y - side / 2 >= 0 && x + side / 2 <= size.width && y + side / 2 <= size.height,
        ).toBe(true);
        for (const other of squares.slice(n + 1))
          expect(Math.max(Math.abs(other.x - x), Math.abs(other.y - y))).toBeGreaterThan(side);
      }
    }),
  );
});

test('a model that guesses, answers nothing, or says its unit itself is not given one', () => {
  const squares = knownSquares(SIZE);
  const all = (numbers: number[]) => squares.map(() => ({ numbers, own: null }));
  expect(scaleOf(all([500, 500]), squares, SIZE)).toMatchObject({
    scale: null,
    isSaid: false,
    why: expect.stringContaining('no unit fits'),
  });
  expect(
    scaleOf(
      squares.map(() => null),
      squares,
      SIZE,
    ).scale,
  ).toBeNull();
  const said = squares.map(({ x, y }) => ({ numbers: [x, y], own: 'pixels' as const }));
  expect(scaleOf(said, squares, SIZE)).toMatchObject({ scale: null, isSaid: true });
});

test.each([
  ['```python\npyautogui.click(120, 850)\n```', { numbers: [120, 850], own: null }],
  ['pyautogui.click(0.12, 0.85)', { numbers: [0.12, 0.85], own: null }],
  ["Action: click(point='<point>79 115</point>')", { numbers: [79, 115], own: null }],
  [
    '{"type": "computer_call", "actions": [{"type": "click", "button": "left", "x": 7, "y": 9}]}',
    { numbers: [7, 9], own: 'pixels' },
  ],
  ['I see no square.', null],
  ['pyautogui.click(', null],
  ['', null],
])('the place of %j', (text, said) => {
  expect(placeSaid({ text, calls: [], raw: text })).toEqual(said);
});
