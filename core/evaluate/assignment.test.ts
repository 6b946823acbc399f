import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign } from './assignment.ts';
import { leastCost } from './assignment-for-tests.ts';

const matrix = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })).chain(([rows, columns]) =>
  fc.array(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: columns, maxLength: columns }), {
    minLength: rows,
    maxLength: rows,
  }),
);

test('the assignment costs as little as any, and gives nobody two (M14)', () => {
  fc.assert(
    fc.property(matrix, (cost) => {
      const columns = assign(cost);
      const given = columns.filter((column) => column >= 0);
      expect(new Set(given).size).toBe(given.length);
      expect(given.length).toBe(Math.min(cost.length, cost[0]!.length));
      const total = columns.reduce((sum, column, row) => sum + (column < 0 ? 0 : cost[row]![column]!), 0);
      expect(total).toBe(leastCost(cost));
    }),
    { numRuns: 300 },
  );
});

test('nothing to assign is nothing assigned', () => {
  expect(assign([])).toEqual([]);
  expect(assign([[], []])).toEqual([-1, -1]);
});
