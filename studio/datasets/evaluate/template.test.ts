import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { predictionsHeadSchema, type Truth } from '../../../schemas/questions.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { clickAt, HASH, head, plan, question, writeLines } from './files-for-tests.ts';
import { evaluateRun } from './run.ts';
import { evaluateTasks } from './run-tasks.ts';
import { predictionTemplate } from './template.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

const TRUTHS: readonly Truth[] = [
  clickAt(10, 20),
  { kind: 'drag', start: [1, 2], end: [30, 40], width: 100, height: 100 },
  { kind: 'scroll', answer: 'up', order: ['none', 'down', 'up'] },
  { kind: 'keys', keys: ['ctrl', 's'] },
  plan('Open it', 'Save it'),
  { kind: 'high', steps: ['Make a file'] },
];
const SOM = { kind: 'som' as const, source: 'edges', hash: 'c'.repeat(64) };
const MARKS: [number, number, number, number][] = Array.from({ length: 14 }, (_, i) => [i * 5, 0, 5, 5]);

const parse = (lines: Iterable<string>) => [...lines].map((line) => JSON.parse(line));
/** Numbers and letters in place of the names of a form. */
const filled = (form: unknown): unknown =>
  typeof form !== 'string' ? form : form.replace(/\b[xyn](?:1|2)?\b/g, '1').replace(/\bm\b/g, '2');

test.each([
  ['without an aid', head(), undefined],
  ['with marks', head({ version: 2, aid: SOM }), MARKS],
])('%s: as it is every answer is missing; filled in as its form says every one is read', async (_, first, marks) => {
  const folder = folders.make();
  const lines = TRUTHS.map((truth, i) => question(`q${i}`, truth, marks && truth.kind !== 'keys' ? { marks } : {}));
  const truth = writeLines(folder, 'Q.jsonl', [first, ...lines]);
  const template = [...predictionTemplate([truth], null)];
  const [start, ...rest] = parse(template);
  expect(predictionsHeadSchema.parse(start)).toMatchObject({ model: null, dataset: { hash: HASH } });
  expect(rest.map(({ id }) => id)).toEqual(lines.map(({ id }) => id));

  const score = async (predictions: readonly unknown[], name: string) => {
    const file = writeLines(folder, `${name}.jsonl`, predictions);
    const request = { truth: [truth], predictions: [file], options: DEFAULT_OPTIONS, cases: null, critic: null };
    return (await evaluateRun({ level: 'all', ...request })).counts;
  };
  const all = lines.length;
  expect(await score(parse(template), 'as-it-is')).toMatchObject({ cases: all, missing: all, answered: 0 });
  const answered = rest.map((line) => ({ ...line, prediction: filled(line.form) }));
  const counts = await score([start, ...answered], 'filled');
  expect(counts).toMatchObject({ cases: all, answered: all, missing: 0, unreadable: 0, refused: 0 });
});

test.each(['trajectories', 'scenario'] as const)('of %s the form is an outcome that is scored', async (level) => {
  const folder = folders.make();
  const tasks = level === 'trajectories' ? { id: 'a', nodes: 2 } : { id: 'a', scenario: 'A' };
  const truth = writeLines(folder, 'tasks.jsonl', [tasks]);
  const [line] = parse(predictionTemplate([truth], level));
  const predictions = [writeLines(folder, 'runs.jsonl', [{ ...line, prediction: line.form }])];
  const { counts } = await evaluateTasks({ level, truth: [truth], predictions, options: DEFAULT_OPTIONS, cases: null });
  expect(counts).toMatchObject({ cases: 1, missing: 0, unreadable: 0 });
});

test('what is wrong in the questions is told by file and line', () => {
  const folder = folders.make();
  const torn = writeLines(folder, 'torn.jsonl', [question('a', clickAt(1, 2)), '{"id": "b"']);
  expect(() => [...predictionTemplate([torn], null)]).toThrow(/torn\.jsonl: line 2: it is no JSON/);
  const other = writeLines(folder, 'other.jsonl', [{ id: 'a', kind: 'song' }]);
  expect(() => [...predictionTemplate([other], null)]).toThrow(/other\.jsonl: line 1: kind/);
  expect(() => [...predictionTemplate([join(folder, 'none.jsonl')], null)]).toThrow(/none\.jsonl/);
});
