import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { sampleRecording, temporaryFolders, writeSample } from './recording-for-tests.ts';
import { listTaskRows } from './task-rows.ts';
import { openWorkspace } from './workspace.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

test('a play is no demonstration: it is listed apart, found by its id, and gives way where an id is shortened', async () => {
  const workspace = openWorkspace(join(folders.make(), 'studio'), { create: true });
  const demonstration = sampleRecording();
  const play = sampleRecording({ id: `${demonstration.id}-play`, played: { recording: demonstration.id } });
  const other = sampleRecording({ id: 'other-play', played: { recording: 'gone' } });
  for (const one of [demonstration, play, other]) writeSample(workspace.recordingsDir, one);
  const ids = async (entries: Promise<{ id: string }[]>) => (await entries).map(({ id }) => id).toSorted();
  expect(await ids(workspace.listRecordings())).toEqual([demonstration.id]);
  expect(await ids(workspace.listPlays())).toEqual([play.id, other.id].toSorted());
  expect(await ids(workspace.listPlays(demonstration.id))).toEqual([play.id]);
  expect(await ids(workspace.listAll())).toEqual([demonstration.id, play.id, other.id].toSorted());
  expect((await workspace.resolveRecording(demonstration.id.slice(0, 4))).id).toBe(demonstration.id);
  expect((await workspace.resolveRecording(play.id)).played).toBe(demonstration.id);
  expect((await workspace.resolveRecording('oth')).id).toBe('other-play');
  // The task has one recording, whatever was played.
  expect(await listTaskRows(workspace.store)).toMatchObject([{ id: demonstration.task.id, recordings: 1 }]);
  workspace.close();
});
