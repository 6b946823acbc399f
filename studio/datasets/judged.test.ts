import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { filterRows } from '../../core/curate/filter.ts';
import type { DatasetFilter } from '../../schemas/dataset.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import { servedWorkspace, type TestServer } from '../api/server-for-tests.ts';
import { type Team, teamOf } from '../documents/review/people-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { runExport } from './export/exports.ts';
import { addRecording } from './workspace-for-tests.ts';

/** Judgements of trajectories choose recordings, and go out with them. */

let server: TestServer;
let folder: string;
let ws: string;
let team: Team;
let workspace: Workspace;
let ada: string;
let ben: string;
servedWorkspace((made) => {
  ({ server, ws, folder } = made);
});
beforeAll(async () => {
  team = teamOf(server, ws);
  const open = await server.studio.workspaces.get(ws);
  ({ workspace } = open);
  await addRecording(workspace, { id: 'good', task: 'GIMP_1' });
  await addRecording(workspace, { id: 'fair', task: 'GIMP_2', screens: [40, 200, 90] });
  await addRecording(workspace, { id: 'none', task: 'GIMP_3' });
  await open.refresh({ now: true });
  ada = (await server.client.people.add({ ws, name: 'Ada', email: null })).id;
  ben = (await server.client.people.add({ ws, name: 'Ben', email: null })).id;
  await judge(ada, 'good', 0, { grounded: true });
  await judge(ada, 'good', 1, { grounded: true, redundant: false });
  await judge(ada, 'fair', 0, { grounded: true, redundant: true });
  await judge(ada, 'fair', 1, { grounded: false, error: { kind: 'planning', execution: null, recoverable: false } });
});

async function judge(
  person: string,
  recording: string,
  at: number,
  said: Partial<Extract<ReviewAct, { type: 'judge' }>>,
): Promise<void> {
  const action = (await team.steps(recording))[at]!.id;
  await team.send(person, recording, { type: 'judge', action, grounded: null, error: null, comment: '', ...said });
}

const rowsOf = async () => (await server.client.dataset.rows({ ws })).rows;
const found = async (filter: DatasetFilter) =>
  filterRows(await rowsOf(), filter)
    .map(({ recording }) => recording)
    .sort();

test('rows say what judges said, and filters choose by it', async () => {
  expect((await rowsOf()).find(({ recording }) => recording === 'fair')?.judged).toEqual({
    steps: 2,
    grounded: 1,
    ungrounded: 1,
    errors: { planning: 1 },
    wrong: 1,
    unrecoverable: 1,
    redundant: 1,
  });
  expect(await found({ judged: { min: 1 } })).toEqual(['good']);
  expect(await found({ judged: { max: 0 } })).toEqual(['none']);
  expect(await found({ grounded: { min: 0.6 } })).toEqual(['good']);
  expect(await found({ errors: ['planning', 'structural'] })).toEqual(['fair']);
  expect(await found({ errors: ['none'] })).toEqual(['good']);
  expect(await found({ unrecoverable: { max: 0 } })).toEqual(['good']);
  expect(await found({ redundant: { min: 1 } })).toEqual(['fair']);
});

test('a version takes them as a condition, keeps them, and exports write them; judges who changed their mind count anew', async () => {
  const { dataset } = server.client;
  const { jobs } = await server.studio.workspaces.get(ws);
  const freeze = async (name: string) =>
    jobs.finished((await dataset.freeze({ ws, name, changelog: '', filter: { errors: ['planning'] } })).id);
  expect(await freeze('v1')).toMatchObject({ state: 'done' });
  expect((await dataset.version({ ws, name: 'v1' })).rows.map(({ recording }) => recording)).toEqual(['fair']);

  const columns = async (source: 'v1' | 'now', out: string) => {
    const wanted = source === 'now' ? { kind: 'filter' as const, filter: { recordings: ['fair'] } } : null;
    const wishes = {
      formats: [{ name: 'agentnet' }, { name: 'videogui', parts: ['jsonl', 'parquet'] }, { name: 'opencua' }],
      source: wanted ?? { kind: 'version' as const, name: source },
      all: true,
    };
    const results = await runExport(workspace, wishes, join(folder, out), { toolVersion: '1' });
    const [line] = lines(join(folder, out, 'agentnet', 'agentnet.jsonl'));
    const actions = lines(join(folder, out, 'videogui', 'videogui-jsonl', 'action.jsonl'));
    return {
      agentnet: line.traj.map(({ value }: { value: Record<string, unknown> }) => [
        value.last_step_correct,
        value.last_step_redundant,
      ]),
      jsonl: actions.map(({ errors, grounded }) => [errors, grounded]),
      leftOut: results.flatMap(({ leftOut }) => leftOut.map(({ from }) => from)),
    };
  };
  const first = await columns('v1', 'out-1');
  expect(first.agentnet).toEqual([
    [true, true],
    [false, null],
    [null, null],
    [null, null],
  ]);
  expect(first.jsonl).toEqual([
    [[], true],
    [[{ kind: 'planning', recoverable: false }], false],
    [undefined, undefined],
  ]);
  expect(first.leftOut).toEqual(
    expect.arrayContaining(['agentnet/error', 'opencua/judgement', 'VideoGUI-Action/judgement']),
  );

  // Ben disagrees: whether it is an error is no longer settled. The version stays as it was frozen.
  await judge(ben, 'fair', 1, { grounded: true });
  expect(await found({ errors: ['planning'] })).toEqual([]);
  expect((await columns('now', 'out-2')).agentnet[1]).toEqual([null, null]);
  expect((await columns('v1', 'out-3')).agentnet[1]).toEqual([false, null]);
});

// Lines of our own exports, whose shape the expectations say.
// biome-ignore lint/suspicious/noExplicitAny: read back for comparing alone.
const lines = (file: string): any[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
