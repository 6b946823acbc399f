import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ExportWishes } from '../../schemas/api/datasets.ts';
import { freshWorkspaces } from '../store/fresh-for-tests.ts';
import { setStateForTests } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';
import { tasksToAsk } from './evaluate/tasks.ts';
import { previewOf, runExport } from './export/exports.ts';
import { validateExport } from './export/validate.ts';
import { freezeVersion } from './freeze.ts';
import { addRecording, everyFormat } from './workspace-for-tests.ts';

/** All approved recordings of a task can go out, not one alone. */

let workspace: Workspace;
const folders = freshWorkspaces((made) => {
  workspace = made;
});
beforeEach(async () => {
  await addRecording(workspace, { id: 'aaaa', task: 'GIMP_1', goal: 'Crop the picture', screens: [40, 200] });
  await addRecording(workspace, { id: 'bbbb', task: 'GIMP_1', goal: 'Crop the picture', screens: [60, 90, 120] });
  await addRecording(workspace, { id: 'cccc', task: 'GIMP_2', goal: 'Mute the sound', screens: [10] });
  await addRecording(workspace, { id: 'dddd', task: 'GIMP_1', goal: 'Crop the picture', screens: [10] });
  for (const id of ['aaaa', 'bbbb', 'cccc']) await setStateForTests(workspace, id, 'approved');
});

async function exported(more: Partial<ExportWishes> = {}) {
  const out = join(folders.make(), 'out');
  return { out, results: await runExport(workspace, everyFormat(more), out, { toolVersion: '1' }) };
}
const sums = (out: string): string[] =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(out, name)).isFile())
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')}`,
    );
const lines = (file: string): { task_id: string }[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('by default one goes out, byte for byte as before there was a choice', async () => {
  const before = await exported();
  expect(sums((await exported({ recordings: 'one' })).out)).toEqual(sums(before.out));
  expect(lines(join(before.out, 'agentnet', 'agentnet.jsonl')).map(({ task_id }) => task_id)).toEqual([
    'GIMP_1',
    'GIMP_2',
  ]);
});

test('every approved recording goes out under an id of its own, in every format, and reads back', async () => {
  const { out, results } = await exported({ recordings: 'every' });
  for (const { format, out: folder } of results) {
    expect((await validateExport(format, folder)).problems, format).toEqual([]);
  }
  const agentnet = lines(join(out, 'agentnet', 'agentnet.jsonl'));
  expect(agentnet.map(({ task_id }) => task_id)).toEqual(['GIMP_1', 'GIMP_1-2', 'GIMP_2']);
  const manifest = JSON.parse(readFileSync(join(out, 'agentnet', 'manifest.json'), 'utf8'));
  // Two tasks still, by three recordings; the one that nobody approved stays behind with its reason.
  expect([manifest.counts.tasks, manifest.filters.recordings]).toEqual([2, 'every']);
  expect(manifest.leftOut).toContainEqual({
    item: 'GIMP_1',
    from: 'recording dddd',
    reason: 'in state "recorded"',
  });
  expect((await previewOf(workspace, everyFormat({ recordings: 'every' }))).tasks).toBe(2);
});

test('a version holds every recording or one of each task, and its exports have the same choice', async () => {
  const freeze = (name: string, recordings?: 'one' | 'every') =>
    freezeVersion(
      workspace,
      { name, changelog: '', filter: { state: ['approved'] }, recordings },
      { toolVersion: '1' },
    );
  expect((await freeze('all')).counts).toMatchObject({ tasks: 2, recordings: 3 });
  expect((await freeze('single', 'one')).counts).toMatchObject({ tasks: 2, recordings: 2 });
  const of = async (version: string) => {
    const { out } = await exported({ source: { kind: 'version', name: version }, recordings: 'every' });
    return lines(join(out, 'agentnet', 'agentnet.jsonl')).length;
  };
  expect([await of('all'), await of('single')]).toEqual([3, 2]);
});

test('questions are of one recording, or of every one', async () => {
  const ids = async (recordings?: 'one' | 'every') =>
    (await tasksToAsk(workspace, { all: false, recordings })).tasks.map(({ id, another }) => [id, another ?? null]);
  expect(await ids()).toEqual([
    ['GIMP_1', null],
    ['GIMP_2', null],
  ]);
  expect(await ids('every')).toEqual([
    ['GIMP_1', null],
    ['GIMP_1-2', 'GIMP_1'],
    ['GIMP_2', null],
  ]);
});
