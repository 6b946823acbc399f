import { expect, test } from 'vitest';
import { growthProblem } from '../../test/support/growth.ts';
import { flip } from './hashes-for-tests.ts';
import { similarGroups } from './similar-screens.ts';

/** `each` screens in each of 30 clusters; a cluster's differ by up to six bits, and all have the same empty top. */
const clusters = (each: number): string[] => {
  const made = new Set<string>();
  for (let cluster = 0; cluster < 30; cluster++) {
    const base = flip(
      '0'.repeat(64),
      Array.from({ length: 40 }, (_, n) => 96 + ((cluster * 61 + n * n * 7) % 160)),
    );
    for (let n = 0; n < each; n++) made.add(flip(base, [n % 256, (n * 7 + 3) % 256, Math.floor(n / 256)]));
  }
  return [...made];
};

test('a cluster costs as much as it has screens, not as its square', async () => {
  const grouping = (each: number) => {
    const screens = clusters(each);
    return () => similarGroups(screens, 6);
  };
  expect(await growthProblem(grouping, { parts: 100, step: 4, most: 8 })).toBeNull();
});
