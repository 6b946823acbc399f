import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { caseFilterSchema } from '../../../schemas/api/evaluate.ts';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { findCases } from './case-index.ts';
import { clickAt, head, predict, question, writeLines } from './files-for-tests.ts';
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
        // The last one is not answered at all.
        ids.slice(0, -1).map((id, i) => predict(id, i % 5 === 0 ? 'é?' : '[100, 100]')),
      ),
    ],
    options: DEFAULT_OPTIONS,
    critic: null,
    cases,
  });
  const every = caseFilterSchema.parse({});
  const last = findCases(cases, every, 20, 10);
  expect(last.total).toBe(25);
  expect(last.cases.map(({ id }) => id)).toEqual(ids.slice(20));
  // A letter of two bytes: the places of the lines are counted in bytes.
  expect(findCases(cases, every, 0, 2).cases.map(({ prediction }) => prediction)).toEqual(['é?', '[100, 100]']);
  const missed = findCases(cases, caseFilterSchema.parse({ only: 'wrong' }), 0, 99);
  expect(missed.cases.map(({ id }) => id)).toEqual(ids.filter((_, i) => i % 5 === 0));
  const open = findCases(cases, caseFilterSchema.parse({ only: 'missing' }), 0, 99);
  expect(open.cases.map(({ id }) => id)).toEqual(ids.slice(-1));
  expect(findCases(cases, caseFilterSchema.parse({ only: 'right' }), 0, 99).total).toBe(19);
  const other = writeLines(folder, 'other.jsonl', [{ id: 'x' }]);
  expect(() => findCases(other, every, 0, 1)).toThrow('line 1 is no case');
});
