import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { StudioError } from '../../schemas/errors.ts';
import { writeKilled } from '../capture/killed-for-tests.ts';
import { recoverRecording } from '../capture/recover.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { finishRecording } from './finish.ts';
import { wantPlaybackCopy } from './playback.ts';

vi.mock('./playback.ts', { spy: true });

const folders = temporaryFolders();
afterAll(() => folders.clean());

test('another program’s lock on the database keeps nobody from the pictures, and is said', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  const folder = join(workspace.recordingsDir, 'rec');
  await writeKilled(folder);
  await recoverRecording(folder);
  const busy = new StudioError('WORKSPACE_BUSY', 'It is locked.');
  const locked = { ...workspace, indexRecording: () => Promise.reject(busy) };
  const options = { ffmpeg: await findFfmpeg(), playback: 'now' as const, progress: () => undefined };
  const { actions, warnings, waits } = await finishRecording(locked, folder, options);
  expect(actions).toBeGreaterThan(0);
  expect(waits?.code).toBe('WORKSPACE_BUSY');
  expect(warnings).toEqual(['the list of recordings: It is locked.', 'the list of recordings: It is locked.']);
  for (const name of ['keyframes/index.json', 'screen.mp4']) expect(existsSync(join(folder, name)), name).toBe(true);
  workspace.close();
});

test('a disk without room for the note that a copy is wanted keeps nobody from the pictures, and is said', async () => {
  const workspace = openWorkspace(folders.make(), { create: true });
  const folder = join(workspace.recordingsDir, 'rec');
  await writeKilled(folder);
  await recoverRecording(folder);
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', path: folder });
  vi.mocked(wantPlaybackCopy).mockImplementationOnce(() => {
    throw full;
  });
  const options = { ffmpeg: await findFfmpeg(), playback: 'behind' as const, progress: () => undefined };
  const { actions, warnings, waits } = await finishRecording(workspace, folder, options);
  expect(actions).toBeGreaterThan(0);
  expect(waits?.code).toBe('DISK_FULL');
  expect(warnings).toEqual([expect.stringMatching(/^the playback copy: The disk that holds .* is full/)]);
  workspace.close();
});
