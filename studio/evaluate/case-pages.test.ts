import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openCasePages } from './case-pages.ts';
import { clickAt, head, predict, question, writeLines } from './files-for-tests.ts';
import { idTable } from './id-table.ts';
import { evaluateRun } from './run.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('cases come in pages, all or those that a filter lets through', async () => {
  const folder = folders.make();
  const ids = Array.from({ length: 25 }, (_, i) => `GIMP_1/1/${i}`);
  const cases = join(folder, 'cases.jsonl');
  await evaluateRun({
    level: 'click',
    truth: [writeLines(folder, 'Q.jsonl', [head(), ...ids.map((id) => question(id, clickAt(100, 100)))])],
    predictions: [
      writeLines(
        folder,
        'P.jsonl',
        ids.map((id, i) => predict(id, i % 5 === 0 ? 'é?' : '[100, 100]')),
      ),
    ],
    ...{ options: DEFAULT_OPTIONS, critic: null, cases },
  });
  const all = openCasePages(cases);
  expect(all.count).toBe(25);
  expect(all.page(20, 10).map(({ id }) => id)).toEqual(ids.slice(20));
  expect(all.page(0, 2).map(({ prediction }) => prediction)).toEqual(['é?', '[100, 100]']);
  all.close();
  const missed = openCasePages(cases, ({ scores }) => scores.recall === 0);
  expect(missed.page(0, 99).map(({ id }) => id)).toEqual(ids.filter((_, i) => i % 5 === 0));
  missed.close();
  expect(() => openCasePages(writeLines(folder, 'other.jsonl', [{ id: 'x' }]))).toThrow('line 1 is no case');
});

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
