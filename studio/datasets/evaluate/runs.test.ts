import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { type CaseFilter, caseFilterSchema, type QuestionSet } from '../../../schemas/api/evaluate.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { findCase, findCases } from './case-index.ts';
import { clickAt, head, predict, predictionsHead, question, writeLines } from './files-for-tests.ts';
import { listQuestionSets, makeQuestionSet, removeQuestionSet } from './question-sets.ts';
import { receivePredictions } from './receive.ts';
import { listRuns, removeRun, removeRunsOf, renamed, runFile, scoreRun } from './runs.ts';
import { takeQuestionSet } from './take-questions.ts';

/** Question sets and runs as the page makes them, on disk. */

const folders = temporaryFolders();
afterAll(folders.clean);

let outside: string;
let workspace: Workspace;
let truth: string;
beforeEach(() => {
  outside = folders.make();
  workspace = openWorkspace(join(folders.make(), 'workspace'), { create: true });
  workspace.close();
  mkdirSync(join(outside, 'Q.images'));
  writeFileSync(join(outside, 'Q.images', 'a.png'), 'a picture');
  truth = writeLines(outside, 'Q.jsonl', [
    head(),
    question('a', clickAt(100, 100), { images: ['Q.images/a.png'] }),
    question('b', clickAt(900, 500), { software: 'Word' }),
    question('c', { kind: 'scroll', answer: 'up', order: ['none', 'down', 'up'] }),
  ]);
});

const score = (set: QuestionSet, path: string, name = '') =>
  scoreRun(workspace, {
    name,
    set: set.id,
    files: set.files.map(({ file }) => file),
    predictions: { from: 'path', path },
    options: DEFAULT_OPTIONS,
  });
const refusal = async (work: Promise<unknown>): Promise<StudioError> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof StudioError) return error;
  throw new Error('it was not refused');
};
const folderOf = (name: string): string[] => {
  const folder = join(workspace.dir, 'evaluations', name);
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('questions are made of the sample, with a copy; a copy that cannot be written leaves nothing', {
  timeout: 60_000,
}, async () => {
  const sample = openWorkspace(join(folders.make(), 'sample'), { create: true });
  try {
    cpSync(join(import.meta.dirname, '..', '..', '..', 'assets', 'sample', 'recordings'), sample.recordingsDir, {
      recursive: true,
    });
    const wanted = { levels: ['action', 'mid'] as const, aids: [], everyState: true };
    const out = join(outside, 'copy');
    const set = await makeQuestionSet(sample, { ...wanted, out });
    expect(set.files.map(({ file }) => file)).toEqual(expect.arrayContaining(['mid.jsonl']));
    expect(readdirSync(out)).toEqual(readdirSync(join(sample.dir, 'evaluations', 'questions', set.id)));
    expect((await refusal(makeQuestionSet(sample, { ...wanted, out }))).code).toBe('TARGET_EXISTS');
    const under = join(truth, 'no folder');
    expect((await refusal(makeQuestionSet(sample, { ...wanted, out: under }))).code).toBe('USAGE');
    expect(listQuestionSets(sample)).toEqual([set]);
    const nothing = makeQuestionSet(sample, { ...wanted, everyState: false, out: null });
    expect((await refusal(nothing)).code).toBe('NOTHING_TO_EXPORT');
  } finally {
    sample.close();
  }
});

describe('questions from files', () => {
  test('are copied with their pictures and counted by kind', async () => {
    const set = await takeQuestionSet(workspace, { paths: [truth] });
    expect(set.files).toEqual([
      { file: 'Q.jsonl', level: 'action', aid: null, counts: { click: 2, scroll: 1 }, reach: null },
    ]);
    expect(existsSync(join(workspace.dir, 'evaluations', 'questions', set.id, 'Q.images', 'a.png'))).toBe(true);
    expect(listQuestionSets(workspace)).toEqual([set]);
    await removeQuestionSet(workspace, set.id);
    expect(listQuestionSets(workspace)).toEqual([]);
  });

  test.each(['../secret.png', '/etc/secret.png', 'Q.images/../../secret.png', 'Q.images/a.html', 'a/b/c.png'])(
    'that name the picture %s are refused, and nothing is left',
    async (picture) => {
      const file = writeLines(outside, 'bad.jsonl', [head(), question('a', clickAt(1, 1), { images: [picture] })]);
      expect((await refusal(takeQuestionSet(workspace, { paths: [file] }))).code).toBe('BAD_FILE');
      expect(folderOf('questions')).toEqual([]);
    },
  );

  test('whose ids stand in two files are refused', async () => {
    const other = writeLines(outside, 'other.jsonl', [head(), question('a', clickAt(1, 1))]);
    expect((await refusal(takeQuestionSet(workspace, { paths: [truth, other] }))).message).toContain('twice');
    expect(folderOf('questions')).toEqual([]);
  });
});

describe('a run', () => {
  test('is kept with its cases, under the name that the predictions say', async () => {
    const set = await takeQuestionSet(workspace, { paths: [truth] });
    const file = writeLines(outside, 'P.jsonl', [predictionsHead({ model: 'good' }), predict('a', '[100, 100]')]);
    const first = await score(set, file);
    const second = await score(set, file);
    expect([first.name, second.name]).toEqual(['good', 'good (2)']);
    expect(first.evaluation.counts).toMatchObject({ cases: 3, answered: 1, missing: 2 });
    expect(
      listRuns(workspace)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([first.id, second.id].sort());
    await removeRun(workspace, first.id);
    expect(listRuns(workspace)).toEqual([second]);
    await removeRunsOf(workspace, set.id);
    expect(folderOf('runs')).toEqual([]);
  });

  test('of a torn file is told by the line and the name that the person knows, and nothing is left', async () => {
    const set = await takeQuestionSet(workspace, { paths: [truth] });
    const torn = join(outside, 'torn.jsonl');
    writeFileSync(
      torn,
      `${JSON.stringify(predict('a', '[1, 1]'))}\n${JSON.stringify(predict('x', '[1, 1]'))}\n{"id": "b", "pre`,
    );
    const error = await refusal(score(set, torn));
    expect(error.code).toBe('BAD_FILE');
    expect(error.details.problems).toEqual([
      { file: 'torn.jsonl', line: 2, message: 'the id "x" is not in the truth' },
      { file: 'torn.jsonl', line: 3, message: 'the file ends in the middle of a line' },
    ]);
    expect(error.message).toContain('torn.jsonl:3:');
    expect(error.message).not.toContain(workspace.dir);
    expect(folderOf('runs')).toEqual([]);
  });

  test('of a file that was sent is scored once, and what was sent does not stay', async () => {
    const set = await takeQuestionSet(workspace, { paths: [truth] });
    const body = new Blob([`${JSON.stringify(predict('a', [100, 150]))}\n`]).stream();
    const upload = await receivePredictions(workspace, body);
    const run = await scoreRun(workspace, {
      name: '',
      set: set.id,
      files: ['Q.jsonl'],
      options: DEFAULT_OPTIONS,
      predictions: { from: 'upload', upload, name: 'sent.jsonl' },
    });
    expect([run.name, run.predictions]).toEqual(['sent.jsonl', 'sent.jsonl']);
    expect(folderOf('incoming')).toEqual([]);
    expect((await refusal(receivePredictions(workspace, null))).code).toBe('BAD_FILE');
  });

  test.each(['../../x', 'a'.repeat(36), ''])('of something that was never sent (%s) is refused', async (upload) => {
    const set = await takeQuestionSet(workspace, { paths: [truth] });
    const asked = scoreRun(workspace, {
      name: '',
      set: set.id,
      files: ['Q.jsonl'],
      options: DEFAULT_OPTIONS,
      predictions: { from: 'upload', upload, name: 'x' },
    });
    expect((await refusal(asked)).code).toBe('UNKNOWN_FILE');
  });

  test('cannot be asked for by a path', () => {
    for (const id of ['..', '../questions', '2026-01-01-../../..', '']) {
      expect(() => runFile(workspace, id, 'cases.jsonl')).toThrow(StudioError);
    }
  });
});

test('cases are found by kind, software, score, id and whether they are right', async () => {
  const set = await takeQuestionSet(workspace, { paths: [truth] });
  const file = writeLines(outside, 'P.jsonl', [predict('b', '[900, 505]'), predict('a', '[900, 900]')]);
  const { id } = await score(set, file);
  const cases = runFile(workspace, id, 'cases.jsonl');
  const ids = (filter: Partial<CaseFilter>, from = 0, count = 50) =>
    findCases(cases, caseFilterSchema.parse(filter), from, count).cases.map((one) => one.id);
  expect(ids({})).toEqual(['b', 'a', 'c']);
  expect(ids({}, 1, 1)).toEqual(['a']);
  expect(ids({ order: 'worst' })).toEqual(['a', 'c', 'b']);
  expect(ids({ only: 'wrong' })).toEqual(['a']);
  expect(ids({ only: 'missing' })).toEqual(['c']);
  expect(ids({ only: 'right' })).toEqual(['b']);
  expect(ids({ only: 'noted' })).toEqual(['c']);
  expect(ids({ kind: 'scroll' })).toEqual(['c']);
  expect(ids({ software: 'Word' })).toEqual(['b']);
  expect(ids({ least: 0.5 })).toEqual(['b']);
  expect(ids({ text: ' B ' })).toEqual(['b']);
  expect(findCases(cases, caseFilterSchema.parse({ kind: 'click' }), 0, 1)).toMatchObject({
    total: 2,
    all: 3,
    kinds: ['click', 'scroll'],
    software: ['GIMP', 'Word'],
  });
  expect(findCase(cases, 'a')?.prediction).toBe('[900, 900]');
  expect(findCase(cases, 'nobody')).toBe(null);
});

test('a message names each file as the person knows it, whatever its name holds and however another begins', () => {
  const error = new StudioError('BAD_FILE', '/w/a/set.jsonl.gz, /w/a/set.jsonl: no', { at: ['/w/a/set.jsonl.gz'] });
  const said = renamed(error, [
    ['/w/a/set.jsonl', "mine at 5$& $'.jsonl"],
    ['/w/a/set.jsonl.gz', 'set.gz'],
  ]) as StudioError;
  expect([said.message, said.details]).toEqual(["set.gz, mine at 5$& $'.jsonl: no", { at: ['set.gz'] }]);
});
