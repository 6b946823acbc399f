import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CUA_VERIFIER_BENCH } from '../../../core/export/cua-verifier/log.ts';
import type { ExportWishes } from '../../../schemas/api/datasets.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import { reduceRecording } from '../../recordings/reduce.ts';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import { insertPerson } from '../../store/people.ts';
import { setStateForTests } from '../../store/recording-for-tests.ts';
import { sqlOf } from '../../store/store.ts';
import type { Workspace } from '../../store/workspace.ts';
import { freezeVersion } from '../freeze.ts';
import { addJudging } from '../judging-for-tests.ts';
import { addRun } from '../run-for-tests.ts';
import { addRecording } from '../workspace-for-tests.ts';
import { click, drag, makeTask, of, pressed, scroll, typed } from './example-for-tests.ts';
import { exportTasks } from './export-for-tests.ts';
import { previewOf, runExport } from './exports.ts';
import { requestOf } from './formats.ts';
import { parquetRows } from './parquet-for-tests.ts';
import { listTargetFiles } from './target.ts';
import { validateExport } from './validate.ts';

/** Trajectories with the words of judges and of people on them, in the form of CUAVerifierBench. */

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(async () => {
  for (const [id, name] of [
    ['p-1', 'Zoe Nameworthy'],
    ['p-2', 'Adam Nameless'],
  ] as const)
    await insertPerson(workspace.store, { id, name, email: null });
});

let n = 0;
const says = (recording: string, person: string, act: ReviewAct) =>
  sqlOf(workspace.store)
    .insertInto('review_events')
    .values({
      id: crypto.randomUUID(),
      n: ++n,
      recording_id: recording,
      person,
      at: '2026-11-27T10:00:00.000Z',
      type: act.type,
      act: JSON.stringify(act),
      facts: '{}',
    })
    .execute();
const approves = (comment = ''): ReviewAct => ({
  type: 'verdict',
  verdict: 'approve',
  version: 1,
  reasons: [],
  comment,
});
const rejects = (comment = '', ...reasons: ('missing-step' | 'wrong-box')[]): ReviewAct => ({
  type: 'verdict',
  verdict: 'reject',
  version: 1,
  reasons,
  comment,
});
const judges = (action: string, right: boolean, comment = ''): ReviewAct => ({
  type: 'judge',
  action,
  grounded: true,
  error: right ? null : { kind: 'planning', execution: null, recoverable: true },
  comment,
});
const stepsOf = async (id: string): Promise<string[]> =>
  reduceRecording((await workspace.getRecording(id)).folder).result.actions.map((action) => action.id);

const RUNS: ExportWishes['source'] = { kind: 'runs', filter: {} };
async function exported(source: ExportWishes['source'] = RUNS, options: Record<string, string> = {}) {
  const out = join(folders.make(), 'out');
  const wishes = { formats: [{ name: CUA_VERIFIER_BENCH, options }], source, all: true };
  const [result] = await runExport(workspace, wishes, out, { toolVersion: '1' });
  expect((await validateExport(CUA_VERIFIER_BENCH, out)).problems).toEqual([]);
  return { wishes, ...result!, ...(await read(out)) };
}
const FILE = 'train-00000-of-00001.parquet';
const read = async (out: string) => ({
  rows: await parquetRows(join(out, 'trajectories', FILE)),
  annotations: await parquetRows(join(out, 'annotations', FILE)),
  card: readFileSync(join(out, 'README.md'), 'utf8'),
});
const factsOf = (row: { trajectory_studio: string }) => JSON.parse(row.trajectory_studio);
const logOf = (row: { web_surfer_log: string }) =>
  row.web_surfer_log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('runs of models', () => {
  beforeEach(async () => {
    await addRun(workspace, { id: 'good', passed: true, answer: 'Forty-two' });
    await addRun(workspace, { id: 'cut', passed: false, how: 'rounds', task: 'GIMP_2' });
    await workspace.syncIndex();
  });

  test('have their answer, how they ended, a line an action and a picture before each, and nulls where nobody said anything', async () => {
    const { rows, annotations, card } = await exported();
    const [good, cut] = rows;
    expect(annotations).toEqual([]);
    expect(good).toMatchObject({ task_id: 'GIMP_1', final_answer: 'Forty-two', is_aborted: false, n_screenshots: 3 });
    expect(cut).toMatchObject({ task_id: 'GIMP_2', final_answer: '<no_answer>', is_aborted: true, n_screenshots: 3 });
    const [first, second, end] = logOf(good);
    expect(first).toEqual({
      timestamp: expect.stringMatching(/Z$/),
      source: 'WebSurfer',
      action: 'left_click',
      arguments: { action: 'left_click', coordinate: [10, 20], thoughts: 'The field first.' },
      url: '',
    });
    expect(second.arguments.thoughts).toBe('Then save.');
    expect(end.arguments).toEqual({ action: 'terminate', status: 'success', thoughts: '' });
    // It was ended: nobody says that it is over.
    expect(logOf(cut)).toHaveLength(2);
    for (const name of ['uv_rubric_score', 'uv_outcome_success', 'final_human_outcome_label', 'mm_is_success'])
      expect([name, good[name]]).toEqual([name, null]);
    expect(good.gpt_eval_json).toBe('');
    expect(factsOf(good)).toMatchObject({
      what: 'run',
      run: { agent: 'direct', model: 'm-1' },
      checks: { success: true, score: 1 },
      panel: null,
      steps: [{ item: 'GIMP_1/1/1', by: 'agent' }, { by: 'agent' }],
    });
    expect(card).toContain('not of Microsoft’s Universal');
    expect(card).not.toContain('Panel of');
  });

  test('have the verdict of the panel that this workspace asked last; what was judged elsewhere is only told', async () => {
    await addJudging(workspace, 'good', { verdict: 'failed', models: ['m-9'], at: '2026-11-20T10:00:00.000Z' });
    await addJudging(workspace, 'good', { verdict: 'succeeded', models: ['m-1', 'm-2'], met: [true, true, null] });
    await addJudging(workspace, 'good', { verdict: 'failed', own: false, at: '2026-11-29T10:00:00.000Z' });
    await addJudging(workspace, 'cut', { verdict: 'unsure', models: ['m-1', 'm-2'] });
    const { rows, card } = await exported();
    const [good, cut] = rows;
    expect(good.uv_outcome_success).toBe(1);
    expect(good.uv_rubric_score).toBeCloseTo(2 / 3, 6);
    expect([cut.uv_outcome_success, cut.uv_rubric_score]).toEqual([null, 0.5]);
    // The maker's own builder takes the verdict out of it so.
    const outer = JSON.parse(good.gpt_eval_json);
    const inner = JSON.parse(outer.gpt_response_text);
    expect([outer.score, inner.rubric_outcome_verification.output_success]).toEqual([1, true]);
    expect(inner.judges).toHaveLength(2);
    expect(inner.judges[0].opinion.criteria).toHaveLength(3);
    const facts = factsOf(good);
    expect(facts.panel).toMatchObject({
      models: ['m-1', 'm-2'],
      prompts: 1,
      endpoint: 'http://127.0.0.1:9',
      own: true,
    });
    expect(facts.other_panels).toMatchObject([
      { own: false, verdict: 'failed' },
      { own: true, models: ['m-9'] },
    ]);
    expect(card).toContain(
      '- Panel of m-1, m-2, 1 wording each, at http://127.0.0.1:9: nothing can be said of what it is worth: 0 recordings',
    );
    expect(card).not.toContain('m-9');
  });

  test('have people’s words under numbers, a row each, and what these conclude', async () => {
    const [one, two] = await stepsOf('good');
    await says('good', 'p-1', rejects('Ask @Adam Nameless', 'missing-step'));
    await says('good', 'p-1', judges(one!, true));
    await says('good', 'p-1', judges(two!, false, 'Not there'));
    await says('good', 'p-2', judges(one!, true));
    await says('good', 'p-2', judges(two!, true));
    await says('cut', 'p-2', rejects('', 'wrong-box'));
    await says('cut', 'p-2', judges((await stepsOf('cut'))[0]!, false));
    const { rows, annotations, out, counts, wishes } = await exported();
    const [good, cut] = rows;
    expect(good).toMatchObject({
      final_human_outcome_label: 0,
      // One of two people finds a step wrong, so it is settled neither way.
      final_human_process_label: null,
      majority_human_outcome_vote: 0,
      median_human_rubric_score_agnostic: 0.75,
    });
    // A box that is wrong says nothing of the outcome.
    expect(cut).toMatchObject({
      final_human_outcome_label: null,
      final_human_process_label: 0,
      majority_human_outcome_vote: null,
    });
    const by = (task: string, outcome: string) =>
      annotations.find((row) => row.task_id === task && row.human_judgement_outcome === outcome);
    expect(by('GIMP_1', 'Incorrect')).toMatchObject({
      human_judgement_process: 'Incorrect',
      human_process_score: 0.5,
      outcome_comment: 'Ask @somebody',
      process_comment: 'GIMP_1/1/2: Not there',
      informed_outcome_agreement: '',
    });
    expect(by('GIMP_1', '')).toMatchObject({ human_judgement_process: 'Correct', human_process_score: 1 });
    expect(annotations).toHaveLength(3);
    expect(new Set(annotations.map((row) => row.annotator))).toEqual(new Set(['Judge1', 'Judge2']));
    // One person, one number.
    expect(by('GIMP_2', '').annotator).toBe(by('GIMP_1', '').annotator);
    expect(counts).toMatchObject({ comments: 2, images: 6 });
    const everything = (await listTargetFiles(out)).map((name) => readFileSync(join(out, name), 'latin1')).join();
    for (const name of ['Zoe', 'Nameworthy', 'Adam', 'Nameless', '"p-1"']) expect(everything).not.toContain(name);
    expect((await previewOf(workspace, wishes)).formats[0]?.counts).toMatchObject({ comments: 2 });
    const quiet = await exported(RUNS, { comments: 'no' });
    expect(quiet.annotations.map((row) => row.outcome_comment + row.process_comment)).toEqual(['', '', '']);
    expect(quiet.leftOut).toContainEqual({
      item: 'GIMP_1',
      from: 'cua-verifier-bench/comments',
      reason: 'comments of people (2 of them): they were not wanted',
    });
  });
});

describe('demonstrations', () => {
  beforeEach(async () => {
    await addRecording(workspace, { id: 'shown', task: 'GIMP_1' });
    await setStateForTests(workspace, 'shown', 'approved');
    await workspace.syncIndex();
  });

  test('go out with what reviewers approve; who reopens takes all votes back', async () => {
    await says('shown', 'p-1', approves());
    await says('shown', 'p-2', rejects());
    const shown = await exported({ kind: 'filter', filter: {} });
    expect(shown.rows[0]).toMatchObject({ final_human_outcome_label: 1, majority_human_outcome_vote: null });
    expect(factsOf(shown.rows[0])).toMatchObject({ what: 'demonstration', checks: null });
    expect(shown.annotations.map((row) => row.human_judgement_outcome).sort()).toEqual(['Correct', 'Incorrect']);
    await says('shown', 'p-2', { type: 'reopen', comment: 'Look again' });
    await says('shown', 'p-2', approves('Now'));
    const again = await exported({ kind: 'filter', filter: {} });
    expect(again.annotations).toMatchObject([{ human_judgement_outcome: 'Correct', outcome_comment: 'Now' }]);
    expect(again.rows[0].majority_human_outcome_vote).toBe(1);
  });

  test('that are somebody’s hidden check look to them like any that nobody reviewed', async () => {
    await says('shown', 'p-1', approves('Fine'));
    await addJudging(workspace, 'shown', { verdict: 'succeeded' });
    await addRecording(workspace, { id: 'other', task: 'GIMP_2' });
    const formats = [{ name: CUA_VERIFIER_BENCH }];
    const wishes = { formats, source: { kind: 'filter' as const, filter: {} }, all: true };
    const mask = new Map([['shown', { state: 'recorded' as const, steps: 0, done: 0, assigned: undefined }]]);
    const [told] = (await previewOf(workspace, wishes, { mask })).formats;
    expect(told?.counts).toMatchObject({ 'annotations/train-*.parquet': 0, comments: 0 });
    expect(told?.leftOut.filter(({ from }) => from === `${CUA_VERIFIER_BENCH}/words`)).toEqual([]);
    const [open] = (await previewOf(workspace, wishes)).formats;
    expect(open?.counts).toMatchObject({ 'annotations/train-*.parquet': 1, comments: 1 });
  });

  test('of a frozen version have what was settled, and say that it holds no single words', async () => {
    await says('shown', 'p-1', approves('Fine'));
    const [one, two] = await stepsOf('shown');
    await says('shown', 'p-1', judges(one!, true));
    await says('shown', 'p-1', judges(two!, true));
    await addJudging(workspace, 'shown', { verdict: 'succeeded' });
    await freezeVersion(workspace, { name: 'v1', changelog: '', filter: {} }, { toolVersion: '0' });
    const frozen = await exported({ kind: 'version', name: 'v1' });
    expect(frozen.rows[0]).toMatchObject({
      final_human_outcome_label: 1,
      final_human_process_label: 1,
      uv_outcome_success: null,
    });
    expect(frozen.annotations).toEqual([]);
    expect(frozen.leftOut.map(({ from }) => from)).toContain('cua-verifier-bench/words');
    const live = await exported({ kind: 'filter', filter: {} });
    expect(live.rows[0].uv_outcome_success).toBe(1);
  });
});

describe('actions in the words of computer_use, places px of the screen before', () => {
  const made = async (...actions: Parameters<typeof makeTask>[2][number]['actions']) => {
    const task = await makeTask(folders.make(), 'DV_1', [{ query: 'q', actions }]);
    const out = join(folders.make(), 'out');
    const { leftOut } = await exportTasks([task], out, requestOf(CUA_VERIFIER_BENCH), {
      toolVersion: '0',
      filters: {},
    });
    expect((await validateExport(CUA_VERIFIER_BENCH, out)).problems).toEqual([]);
    const { rows } = await read(out);
    return { leftOut, log: logOf(rows[0]), row: rows[0] };
  };

  test('each is one line, whatever calls it takes', async () => {
    const { log, row } = await made(
      click(63, 39, { button: 'right' }),
      click(5, 6, { count: 5 }),
      drag([1, 2], [60, 30]),
      scroll(0, 3),
      scroll(1, 1),
      typed('Hi'),
      pressed('ctrl', 'c'),
      of('hover'),
    );
    expect(log.map((line) => ({ ...line.arguments, thoughts: undefined }))).toEqual([
      { action: 'right_click', coordinate: [63, 39] },
      { action: 'left_click', coordinate: [5, 6], times: 5 },
      { action: 'left_click_drag', coordinate: [60, 30], start_coordinate: [1, 2] },
      { action: 'scroll', pixels: -120, coordinate: [5, 6] },
      { action: 'scroll', pixels: -40, coordinate: [5, 6], followed_by: [{ action: 'hscroll', pixels: 40 }] },
      { action: 'type', text: 'Hi' },
      { action: 'key', keys: ['ctrl', 'c'] },
      { action: 'mouse_move', coordinate: [3, 4] },
      { action: 'terminate', status: 'success' },
    ]);
    expect(row.n_screenshots).toBe(9);
  });

  test('what they cannot say is said in ours, and told', async () => {
    const { log, leftOut } = await made(click(5, 6, { modifiers: ['ctrl'] }), click(5, 6));
    expect(log[0]).toMatchObject({
      action: 'other',
      arguments: { description: expect.stringContaining('Insert tab'), why: expect.stringContaining('held (ctrl)') },
    });
    expect(log).toHaveLength(3);
    expect(leftOut).toContainEqual(expect.objectContaining({ item: 'DV_1/1/1', from: 'cua-verifier-bench/action' }));
  });
});
