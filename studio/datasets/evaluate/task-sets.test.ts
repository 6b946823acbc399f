import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { QuestionSet } from '../../../schemas/api/evaluate.ts';
import { DEFAULT_OPTIONS } from '../../../schemas/evaluate.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../../store/workspace.ts';
import { findCases } from './case-index.ts';
import { clickAt, head, predict, question, writeLines } from './files-for-tests.ts';
import { listQuestionSets } from './question-sets.ts';
import { listRuns, runFile, scoreRun } from './runs.ts';
import { takeQuestionSet } from './take-questions.ts';

/** Whole tasks on the page: their truth as a set, their runs scored like predictions; and sets with several aids. */

const folders = temporaryFolders();
afterAll(folders.clean);
let outside: string;
let workspace: Workspace;
beforeEach(() => {
  outside = folders.make();
  workspace = openWorkspace(join(folders.make(), 'workspace'), { create: true });
  workspace.close();
});

const TASKS = [
  { id: 'a', software: 'Mail', difficulty: '1', nodes: 2, applications: 1 },
  { id: 'b', software: 'Mail', difficulty: '2', nodes: 4, applications: 3 },
];
const score = (set: QuestionSet, path: string, tools = {}) =>
  scoreRun(
    workspace,
    {
      name: '',
      set: set.id,
      files: set.files.map(({ file }) => file),
      predictions: { from: 'path', path },
      options: DEFAULT_OPTIONS,
    },
    tools,
  );

test('trajectories are taken, scored, grouped and looked at', async () => {
  const truth = writeLines(outside, 'tasks.jsonl', TASKS);
  const set = await takeQuestionSet(workspace, { paths: [truth], tasks: 'trajectories' });
  expect(set).toMatchObject({ tasks: 'trajectories', files: [{ file: 'tasks.jsonl', counts: { tasks: 2 } }] });
  expect(listQuestionSets(workspace)).toEqual([set]);
  const file = writeLines(outside, 'agent.jsonl', [{ id: 'a', prediction: { atomic: [1, 1], steps: 4 } }]);
  const run = await score(set, file);
  expect(run).toMatchObject({
    name: 'agent.jsonl',
    evaluation: { level: 'trajectories', counts: { cases: 2, missing: 1 } },
  });
  expect(run.evaluation.rows.map(({ group, name }) => `${group} ${name}`)).toEqual([
    'overall ',
    'software Mail',
    'difficulty 1',
    'difficulty 2',
  ]);
  const filter = {
    only: 'missing' as const,
    kind: null,
    software: null,
    least: 0,
    most: 1,
    text: '',
    order: 'file' as const,
  };
  const page = findCases(runFile(workspace, run.id, 'cases.jsonl'), filter, 0, 10);
  expect(page.cases.map(({ id, why }) => [id, why])).toEqual([['b', 'There is no prediction.']]);
});

test('a scenario, and lines that are no tasks or no outcomes, by number', async () => {
  const truth = writeLines(outside, 's.jsonl', [{ id: 'x', scenario: 'A', software: 'Mail', difficulty: 'L1' }]);
  const set = await takeQuestionSet(workspace, { paths: [truth], tasks: 'scenario', name: 'Scenario A' });
  const run = await score(
    set,
    writeLines(outside, 'p.jsonl', [predict('x', { score: 1, steps: 3, clarifications: 2 })]),
  );
  expect(run.evaluation.rows[0]!.metrics.find(({ metric }) => metric === 'cas')?.value).toBe(50);

  const bad = writeLines(outside, 'bad.jsonl', [TASKS[0], { id: 'b' }, TASKS[0], '{"id": ']);
  await expect(takeQuestionSet(workspace, { paths: [bad], tasks: 'trajectories' })).rejects.toThrow(
    /bad\.jsonl:2: nodes[\s\S]*bad\.jsonl:3: the id "a" stands there twice[\s\S]*bad\.jsonl:4: /,
  );
  const outcomes = writeLines(outside, 'o.jsonl', [predict('x', { score: 3 }), predict('y', null)]);
  await expect(score(set, outcomes)).rejects.toThrow('o.jsonl:2: the id "y" is not in the truth');
  writeFileSync(outcomes, `${JSON.stringify(predict('x', { score: 3 }))}\n`);
  await expect(score(set, outcomes)).rejects.toThrow('o.jsonl:1: no outcome of scenario: score');
  expect(listRuns(workspace)).toEqual([run]);
  expect(readdirSync(join(workspace.dir, 'evaluations', 'questions'))).toEqual([set.id]);
});

test('scoring of whole tasks can be stopped between its rows', async () => {
  const truth = writeLines(outside, 'tasks.jsonl', TASKS);
  const set = await takeQuestionSet(workspace, { paths: [truth], tasks: 'trajectories' });
  const file = writeLines(outside, 'agent.jsonl', [{ id: 'a', prediction: { atomic: [1, 1] } }]);
  const control = new AbortController();
  const work = score(set, file, {
    signal: control.signal,
    report: () => control.abort(new Error('stopped by hand')),
  });
  await expect(work).rejects.toThrow('stopped by hand');
  expect(listRuns(workspace)).toEqual([]);
});

test('the same clicks may be in a set once for each aid; a run is named by its aid', async () => {
  const aid = { kind: 'som' as const, source: 'edges', hash: 'e'.repeat(64) };
  const marks: [number, number, number, number][] = [
    [0, 0, 10, 10],
    [95, 95, 10, 10],
  ];
  const plain = writeLines(outside, 'action.jsonl', [head(), question('a', clickAt(100, 100))]);
  const aided = writeLines(outside, 'action-som.jsonl', [
    head({ version: 2, aid }),
    question('a', clickAt(100, 100), { marks }),
  ]);
  const set = await takeQuestionSet(workspace, { paths: [plain, aided] });
  expect(set.files.map(({ aid: one }) => one?.kind ?? null)).toEqual([null, 'som']);
  const file = writeLines(outside, 'm.jsonl', [predict('a', '[2]')]);
  const common = {
    name: '',
    set: set.id,
    predictions: { from: 'path' as const, path: file },
    options: DEFAULT_OPTIONS,
  };
  const run = await scoreRun(workspace, { ...common, files: ['action-som.jsonl'] });
  expect(run.name).toBe('m.jsonl + SoM');
  expect(run.evaluation.aid).toEqual(aid);
  expect(run.evaluation.rows[0]!.metrics.find(({ metric }) => metric === 'click.recall')?.value).toBe(100);
  // Both at once would score one answer twice.
  await expect(scoreRun(workspace, { ...common, files: ['action.jsonl', 'action-som.jsonl'] })).rejects.toThrow(
    'stands there twice',
  );
  const twice = writeLines(outside, 'again.jsonl', [head(), question('a', clickAt(100, 100))]);
  await expect(takeQuestionSet(workspace, { paths: [plain, aided, twice] })).rejects.toThrow('stands there twice');
});

test('sets and runs from before aids, tasks and critics open as they were', () => {
  const id = '2026-01-02-0a1b2c3d';
  const folder = (name: string): string => {
    const made = join(workspace.dir, 'evaluations', name, id);
    mkdirSync(made, { recursive: true });
    return made;
  };
  const dataset = { name: 'test', hash: 'a'.repeat(64) };
  const set = {
    id,
    name: 'Old',
    madeAt: '2026-01-02T00:00:00.000Z',
    source: 'workspace',
    dataset,
    files: [{ file: 'action.jsonl', level: 'action', counts: { click: 1 } }],
    leftOut: [],
    leftOutCount: 0,
  };
  writeFileSync(join(folder('questions'), 'set.json'), JSON.stringify(set));
  const { markPlace, ...options } = DEFAULT_OPTIONS;
  const critic = { model: 'c', asked: 1, cached: 0, again: 0, unreadable: 0, tokens: { input: 1, output: 1 }, cost: 0 };
  const evaluation = {
    schema: 'trajectory-studio/evaluation',
    version: 1,
    level: 'all',
    model: 'm',
    dataset,
    critic,
    options,
    prompts: { questions: null, critic: null },
    rows: [],
    reports: [],
    caseFile: 'cases.jsonl',
    counts: { cases: 1, answered: 1, missing: 0, unreadable: 0, refused: 0, otherLevel: 0 },
  };
  const run = { ...set, name: 'm', set: id, files: ['action.jsonl'], predictions: 'p.jsonl', evaluation };
  writeFileSync(join(folder('runs'), 'run.json'), JSON.stringify(run));
  expect(listQuestionSets(workspace)).toEqual([
    { ...set, tasks: null, files: [{ ...set.files[0], aid: null, reach: null }] },
  ]);
  const [found] = listRuns(workspace);
  expect(found!.evaluation).toEqual({
    ...evaluation,
    aid: null,
    critic: { ...critic, loaded: 0 },
    options: { ...options, markPlace },
  });
  expect(markPlace).toBe('centre');
});
