import { expect, it } from 'vitest';
import { growthProblem } from '../../test/support/growth.ts';
import { filterEntries, NO_FILTER, toEntries } from './filter.ts';
import { row, software } from './rows-for-tests.ts';

it('filters 40,000 tasks at the cost of each: no more than three times that of one of 5,000', async () => {
  const entries = (length: number) =>
    toEntries(
      Array.from({ length }, (_, i) => row(`PPT_${i}`, 'ppt', `Insert picture ${i} and crop it to a circle`)),
      software,
    );
  const finding = (length: number) => {
    const from = entries(length);
    return () => filterEntries(from, { ...NO_FILTER, text: 'circle 4999' });
  };
  expect(finding(5000)()).toHaveLength(1);
  expect(await growthProblem(finding, { parts: 5000, step: 8, most: 24 })).toBeNull();
});
