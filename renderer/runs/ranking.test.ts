import fc from 'fast-check';
import { expect, test } from 'vitest';
import { place, rankOf, takeLastBack } from './ranking.ts';

test('outcomes are placed one after the other or beside the last, moved, and taken back', () => {
  const two = place(place([], 'B', false), 'A', false);
  expect(two).toEqual([['B'], ['A']]);
  const tied = place(two, 'C', true);
  expect(tied).toEqual([['B'], ['A', 'C']]);
  expect([rankOf(tied, 'B'), rankOf(tied, 'A'), rankOf(tied, 'C'), rankOf(tied, 'D')]).toEqual([1, 2, 2, null]);
  expect(rankOf(place(tied, 'D', false), 'D')).toBe(4);
  expect(place(tied, 'B', false)).toEqual([['A', 'C'], ['B']]);
  expect(takeLastBack(tied)).toEqual(two);
  expect(takeLastBack(takeLastBack(two))).toEqual([]);
  expect(place([], 'A', true)).toEqual([['A']]);
});

test('whatever is pressed, each outcome stands once, and what was placed last is taken back first', () => {
  const presses = fc.array(fc.tuple(fc.constantFrom('A', 'B', 'C', 'D', 'E'), fc.boolean()));
  fc.assert(
    fc.property(presses, (all) => {
      const ranking = all.reduce<ReturnType<typeof place>>((made, [letter, tie]) => place(made, letter, tie), []);
      const letters = ranking.flat();
      expect(new Set(letters)).toEqual(new Set(all.map(([letter]) => letter)));
      expect(letters.length).toBe(new Set(letters).size);
      expect(letters.at(-1)).toBe(all.at(-1)?.[0]);
      expect(takeLastBack(ranking).flat()).toEqual(letters.slice(0, -1));
    }),
  );
});
