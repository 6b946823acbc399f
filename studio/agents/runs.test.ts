import { beforeEach, expect, test } from 'vitest';
import { addRun } from '../datasets/run-for-tests.ts';
import { addRecording } from '../datasets/workspace-for-tests.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { readRecording, writeRecording } from '../store/recording-folder.ts';
import type { Workspace } from '../store/workspace.ts';
import { agentRuns, groupsOf, runRow, runsForTables } from './runs.ts';

let workspace: Workspace;
freshWorkspaces((made) => {
  workspace = made;
});

beforeEach(async () => {
  await addRun(workspace, { id: 'good', passed: true });
  await addRun(workspace, { id: 'bad', passed: false, how: 'lost' });
  await addRun(workspace, { id: 'none', passed: false, task: 'GIMP_2' });
  await workspace.syncIndex();
});

const rows = async () => new Map((await agentRuns(workspace)).map((run) => [run.recording, runRow(run)]));

test('without a demonstration nothing is known of the way, but that what passed is complete', async () => {
  const found = await rows();
  expect(found.get('good')).toMatchObject({ completion: 1, accuracy: null, level: 'full', demonstrated: null });
  expect(found.get('bad')).toMatchObject({ completion: null, accuracy: null });
  // Nobody said how freely it was to answer.
  expect(found.get('bad')?.temperature).toBeNull();
});

test('beside a demonstration: the share of its steps that were done, and of what was done that is one', async () => {
  await addRecording(workspace, { id: 'shown', task: 'GIMP_1', screens: [40, 200, 90] });
  await workspace.syncIndex();
  const found = await rows();
  // The run clicked where the first two of three steps are.
  expect(found.get('bad')).toMatchObject({ completion: 2 / 3, accuracy: 1 });
  expect(found.get('good')).toMatchObject({ completion: 1, accuracy: 1 });
  expect(found.get('none')).toMatchObject({ demonstrated: null, completion: null });
});

test('a demonstration on a screen of another size says nothing of the way', async () => {
  const folder = await addRecording(workspace, { id: 'shown', task: 'GIMP_1' });
  await workspace.syncIndex();
  const recording = readRecording(folder);
  const segments = recording.segments.map((segment) => ({ ...segment, width: segment.width / 2 }));
  writeRecording(folder, { ...recording, segments });
  expect((await rows()).get('bad')).toMatchObject({ completion: null, accuracy: null });
  writeRecording(folder, recording);
  expect((await rows()).get('bad')).toMatchObject({ completion: 1 });
});

test('sums by agent, software, level and task', async () => {
  const groups = groupsOf(await agentRuns(workspace));
  expect(groups.map(({ by, name, runs }) => [by, name, runs])).toEqual([
    ['agent', 'direct m-1', 3],
    ['software', 'editor', 3],
    ['level', 'full', 3],
    ['task', 'GIMP_1', 2],
    ['task', 'GIMP_2', 1],
  ]);
  expect(groups[0]).toMatchObject({ succeeded: 1, passAt4: 0.5, completion: 1, accuracy: null });
  expect(runsForTables(await agentRuns(workspace)).map(({ silentWrong }) => silentWrong)).toContain(true);
});
