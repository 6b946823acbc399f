import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecording } from '../store/recording-folder.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import { sqlOf } from '../store/store.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { calm, write } from './archive/bench-for-tests.ts';
import { importArchive } from './archive/import-archive.ts';
import { importBench } from './bench-for-tests.ts';

const bench = importBench();

/** A recording folder outside of the workspace. */
function foreign(id: string, goal: string, task = 'GIMP_1'): string {
  const folder = writeSample(bench.elsewhere, sampleRecording({ id, task: { id: task, goal } }));
  writeFileSync(join(folder, 'screen.mkv'), id);
  return folder;
}
const tasks = async (workspace: Workspace = bench.workspace) =>
  (await workspace.listTasks()).map(({ id, goal, recordings }) => [id, goal, recordings]);

describe('a recording that brings its task', () => {
  test('comes to the task of its id and goal, and never to another one: that is said', async () => {
    await bench.take(foreign('one', 'Crop the picture'));
    expect((await bench.take(foreign('two', 'Crop the picture'))).warnings).toEqual([]);
    const other = await bench.take(foreign('three', 'Draw a line'));
    expect(other.entry.task).toBe('GIMP_2');
    expect(other.warnings).toEqual([
      'GIMP_1 stands for another task here ("Crop the picture"): what came under it belongs to GIMP_2, which is new',
    ]);
    expect(readRecording(other.entry.folder).task).toEqual({ id: 'GIMP_2', goal: 'Draw a line' });
    expect((await bench.take(foreign('four', 'Draw a line'))).entry.task).toBe('GIMP_2');
    expect(await tasks()).toEqual([
      ['GIMP_1', 'Crop the picture', 2],
      ['GIMP_2', 'Draw a line', 2],
    ]);
  });

  test('a goal that was worded anew here is no other task', async () => {
    await bench.take(foreign('one', 'Crop the picture'));
    await sqlOf(bench.workspace.store).updateTable('tasks').set({ goal: 'Crop it' }).execute();
    expect((await bench.take(foreign('two', 'Crop the picture'))).entry.task).toBe('GIMP_1');
  });

  test('has the task, goal, software and person that were asked for; what it came from stays as it is', async () => {
    const folder = foreign('one', 'Crop the picture');
    const { entry } = await bench.take(folder, { task: 'GIMP_7', goal: 'Crop it', person: 'Ada' });
    expect(entry).toMatchObject({ task: 'GIMP_7', goal: 'Crop it', person: 'Ada' });
    expect(readRecording(folder).task).toEqual({ id: 'GIMP_1', goal: 'Crop the picture' });
    const { entry: moved } = await bench.take(foreign('two', 'Crop the picture'), { app: 'Inkscape' });
    expect(readRecording(moved.folder).app.name).toBe('Inkscape');
    expect(moved.task).toMatch(/^[A-Z]+_1$/);
    expect(moved.task).not.toBe('GIMP_1');
    const { warnings } = await bench.take(foreign('three', 'Draw'), { task: 'GIMP_7' });
    expect(warnings).toEqual(['task GIMP_7 has the goal "Crop it" here, which stays']);
  });

  test('is refused with a task of another software, and leaves nothing', async () => {
    const { workspace } = bench;
    const software = await workspace.addSoftware({ name: 'Slides of ours', prefix: 'SOO' });
    await workspace.ensureTask({ id: 'SOO_1', software, goal: 'Make a slide' });
    const refused = bench.take(foreign('one', 'Crop the picture'), { task: 'SOO_1' });
    await expect(refused).rejects.toMatchObject({ code: 'USAGE' });
    expect(await tasks()).toEqual([['SOO_1', 'Make a slide', 0]]);
    expect(readdirSync(workspace.recordingsDir)).toEqual([]);
  });
});

test('tasks of an archive whose ids stand for others here come under ids of their own, once', async () => {
  const home = openWorkspace(join(bench.elsewhere, 'home'), { create: true });
  writeSample(home.recordingsDir, sampleRecording({ id: 'theirs', task: { id: 'GIMP_1', goal: 'Draw a line' } }));
  await home.syncIndex();
  await sqlOf(home.store).updateTable('tasks').set({ notes: 'with care' }).execute();
  const archive = join(bench.elsewhere, 'w.tar');
  await write({ workspace: home }, archive);
  home.close();
  await bench.take(foreign('one', 'Crop the picture'));
  const { workspace, documents } = bench;
  const { warnings } = await importArchive(workspace, archive, { ...calm, documents });
  expect(warnings.join()).toContain('GIMP_1 stands for another task here');
  expect(await workspace.getRecording('theirs')).toMatchObject({ task: 'GIMP_2', goal: 'Draw a line' });
  const { notes } = await sqlOf(workspace.store)
    .selectFrom('tasks')
    .select('notes')
    .where('id', '=', 'GIMP_2')
    .executeTakeFirstOrThrow();
  expect(notes).toBe('with care');
  expect((await importArchive(workspace, archive, { ...calm, documents })).known).toEqual(['theirs']);
  expect(await tasks()).toEqual([
    ['GIMP_1', 'Crop the picture', 1],
    ['GIMP_2', 'Draw a line', 1],
  ]);
});
