import { expect, test } from 'vitest';
import { idTable } from './id-table.ts';

test('a table of ids finds all of a hundred thousand, none that it lacks, and no id twice', () => {
  const table = idTable();
  for (let i = 0; i < 100_000; i++) {
    expect(table.add(`PPT_${i % 90}/1/${i}`, { file: i % 3, offset: i * 1000, length: i, kind: i % 6 })).toBe(true);
  }
  let found = 0;
  for (let i = 0; i < 100_000; i++) if (table.find(`PPT_${i % 90}/1/${i}`) === i) found++;
  expect(found).toBe(100_000);
  expect(table.at(70_001)).toEqual({ file: 70_001 % 3, offset: 70_001_000, length: 70_001, kind: 70_001 % 6 });
  expect(table.find('PPT_1/2/1')).toBe(-1);
  expect(table.add('PPT_0/1/0', { file: 0, offset: 0, length: 0, kind: 0 })).toBe(false);
});
