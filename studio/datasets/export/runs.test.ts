import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { RunFilter } from '../../../schemas/agents.ts';
import type { ExportWishes } from '../../../schemas/api/datasets.ts';
import { freshWorkspaces } from '../../store/fresh-for-tests.ts';
import type { Workspace } from '../../store/workspace.ts';
import { addRun } from '../run-for-tests.ts';
import { addRecording, everyFormat } from '../workspace-for-tests.ts';
import { previewOf, runExport } from './exports.ts';
import { validateExport } from './validate.ts';

/** Exports of runs of models: whose each step is, and which runs and steps are wanted. */

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});

/** Formats whose steps say whose they are. */
const SAYS_IT: readonly string[] = ['atif', 'osworld', 'cua-verifier-bench'];

beforeEach(async () => {
  await addRecording(workspace, { id: 'shown', task: 'GIMP_1' });
  await addRun(workspace, { id: 'alone', passed: true });
  await addRun(workspace, { id: 'help', passed: true, helped: true });
  await addRun(workspace, { id: 'wrong', passed: false, model: 'm-2' });
  await addRun(workspace, { id: 'cut', passed: false, how: 'stopped' });
  await addRun(workspace, { id: 'later', passed: true, resumes: 'cut' });
  await workspace.syncIndex();
});

async function exported(filter: RunFilter, more: Partial<ExportWishes> = {}) {
  const out = join(folders.make(), 'out');
  const wishes = everyFormat({ source: { kind: 'runs', filter }, ...more });
  return { out, wishes, results: await runExport(workspace, wishes, out, { toolVersion: '1' }) };
}
const jsonOf = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

test('every format names runs, their checks’ word and the steps of a person; nothing of it is in an export of demonstrations', async () => {
  const { results } = await exported({ help: 'helped' });
  const run = { agent: 'direct', model: 'm-1', how: 'done', success: true, score: 1, helped: 1 };
  for (const { format, out, leftOut } of results) {
    const manifest = jsonOf(out, 'manifest.json');
    expect(manifest.runs, format).toEqual([
      { task: 'GIMP_1', recording: 'help', ...run, agentSteps: 1, personSteps: ['GIMP_1/1/2'] },
    ]);
    expect(manifest.filters.runs, format).toEqual({ help: 'helped' });
    expect(readFileSync(join(out, 'README.md'), 'utf8'), format).toContain(
      'They are runs of models, no demonstrations',
    );
    // Where the rows themselves cannot say it, that is told.
    const isTold = leftOut.some(({ reason }) => reason.includes('whose its steps are (1 of 2 a person'));
    expect(isTold, format).toBe(!SAYS_IT.includes(format));
    expect((await validateExport(format, out)).problems, format).toEqual([]);
  }
  const shown = await exported({}, { source: { kind: 'filter', filter: {} }, all: true });
  for (const { out, format } of shown.results) {
    const manifest = readFileSync(join(out, 'manifest.json'), 'utf8');
    expect(manifest, format).not.toMatch(/"runs": \[|whose its steps/);
  }
});

test('in ATIF and OSWorld each step says whose it is; an agent’s has its model and its own words', async () => {
  const { out } = await exported({ help: 'helped' }, { formats: [{ name: 'atif' }] });
  const { agent, steps, extra } = jsonOf(out, 'trajectories', 'GIMP_1.json');
  expect(agent).toMatchObject({ name: 'direct', model_name: 'm-1' });
  expect(extra.trajectory_studio.run).toMatchObject({ success: true, helped: 1 });
  expect(steps[1]).toMatchObject({ model_name: 'm-1', reasoning_content: 'The field first.' });
  expect(steps[1].extra.trajectory_studio.by).toBe('agent');
  expect(steps[2]).toMatchObject({ llm_call_count: 0, extra: { trajectory_studio: { by: 'person' } } });
  expect(steps[2].model_name).toBeUndefined();
  const osworld = await exported({ help: 'helped' }, { formats: [{ name: 'osworld' }] });
  const names = readdirSync(osworld.out, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('traj.jsonl'),
  );
  expect(names).toHaveLength(1);
  const whose = readFileSync(join(osworld.out, names[0]!), 'utf8').match(/"by":"(?:agent|person)"/g);
  expect(whose).toEqual(['"by":"agent"', '"by":"person"']);
});

test('AgentNet’s task_completed is what the checks say, whoever approved what', async () => {
  const { out } = await exported({}, { formats: [{ name: 'agentnet' }] });
  const lines = readFileSync(join(out, 'agentnet.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).task_completed).sort()).toEqual([false, true, true, true]);
});

test('runs are chosen by help, outcome, model; one that a later run goes on with never goes out beside it', async () => {
  const recordings = async (filter: RunFilter): Promise<string[]> => {
    const { out } = await exported(filter, { formats: [{ name: 'agentnet' }] });
    return jsonOf(out, 'manifest.json')
      .runs.map(({ recording }: { recording: string }) => recording)
      .sort();
  };
  expect(await recordings({})).toEqual(['alone', 'help', 'later', 'wrong']);
  expect(await recordings({ help: 'alone', outcome: 'succeeded' })).toEqual(['alone', 'later']);
  expect(await recordings({ outcome: 'silent-wrong' })).toEqual(['wrong']);
  expect(await recordings({ models: ['m-2'] })).toEqual(['wrong']);
  await expect(exported({ agents: ['minimal'] })).rejects.toMatchObject({
    code: 'NOTHING_TO_EXPORT',
    message: expect.stringContaining('no such task or run'),
  });
});

test('only a person’s steps: those of the agent are left out and told, and a run without any is', async () => {
  const { out, results, wishes } = await exported(
    { models: ['m-1'] },
    { steps: 'person', formats: [{ name: 'atif' }] },
  );
  const [run] = jsonOf(out, 'manifest.json').runs;
  expect(run).toMatchObject({ recording: 'help', agentSteps: 0, personSteps: [expect.stringMatching(/\/1\/2$/)] });
  const reasons = results[0]!.leftOut.map(({ reason }) => reason);
  expect(reasons).toContain("the agent's step, and only a person's are wanted");
  expect(reasons).toContain('it has no step of a person');
  expect(jsonOf(out, 'manifest.json').filters.steps).toBe('person');
  expect(await previewOf(workspace, wishes)).toMatchObject({ tasks: 1, actions: 1 });
  const agents = await exported({ help: 'helped' }, { steps: 'agent', formats: [{ name: 'atif' }] });
  expect(jsonOf(agents.out, 'manifest.json').runs[0]).toMatchObject({ agentSteps: 1, personSteps: [] });
});
