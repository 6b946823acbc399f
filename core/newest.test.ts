import { expect, test } from 'vitest';
import { putNewest } from './newest.ts';

test('the one that was used longest ago goes, and using one again keeps it', () => {
  const map = new Map<string, number>();
  for (const [n, key] of ['a', 'b', 'c', 'a', 'd'].entries()) putNewest(map, key, n, 3);
  expect([...map]).toEqual([
    ['c', 2],
    ['a', 3],
    ['d', 4],
  ]);
});
