import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace, type Workspace } from '../store/workspace.ts';
import { restoreRecording, trashRecording } from './recordings.ts';

const folders = temporaryFolders();
afterAll(() => folders.clean());

test('what another program’s lock refuses was not done: a recording stays where it is, here or in the trash', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  const { id } = sampleRecording();
  const folder = writeSample(workspace.recordingsDir, sampleRecording());
  await workspace.syncIndex();
  const locked: Workspace = {
    ...workspace,
    syncIndex: () => Promise.reject(new StudioError('WORKSPACE_BUSY', 'It is locked.')),
  };
  await expect(trashRecording(locked, id)).rejects.toMatchObject({ code: 'WORKSPACE_BUSY' });
  expect(existsSync(folder)).toBe(true);
  const { trash } = await trashRecording(workspace, id);
  await expect(restoreRecording(locked, id)).rejects.toMatchObject({ code: 'WORKSPACE_BUSY' });
  expect([existsSync(trash), readdirSync(workspace.recordingsDir)]).toEqual([true, []]);
  await restoreRecording(workspace, id);
  expect(readdirSync(workspace.recordingsDir)).toEqual([id]);
  expect(readdirSync(join(workspace.dir, 'trash'))).toEqual([]);
  workspace.close();
});
