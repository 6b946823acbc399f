import { expect, it } from 'vitest';
import { sharesTable } from './shares.ts';

it('a plan is a table: a row a software, columns in the rule’s order, what was there before at the end', () => {
  const share = (software: string, split: string, tasks: number) => ({ software, split, tasks, recordings: tasks });
  const table = sharesTable(
    [share('ppt', 'test', 1), share('ppt', 'train', 8), share('gimp', 'train', 3), share('gimp', 'old', 2)],
    ['train', 'validation', 'test'],
  );
  expect(table).toEqual({
    splits: ['train', 'test', 'old'],
    rows: [
      { software: 'gimp', tasks: [3, 0, 2], total: 5 },
      { software: 'ppt', tasks: [8, 1, 0], total: 9 },
    ],
    totals: [11, 1, 2],
    total: 14,
  });
});
