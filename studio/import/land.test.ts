import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { importRecording } from './import-recording.ts';

const folders = temporaryFolders();
afterAll(() => folders.clean());

test('of several that import one recording at once one brings it, the others are told that it is here', async () => {
  const workspaces = [openWorkspace(folders.make(), { create: true })];
  const [{ dir, recordingsDir }] = workspaces as [(typeof workspaces)[number]];
  while (workspaces.length < 4) workspaces.push(openWorkspace(dir, { create: false }));
  const source = writeSample(folders.make(), sampleRecording());
  const options = { signal: new AbortController().signal, report: () => undefined };
  const ends = await Promise.allSettled(workspaces.map((one) => importRecording(one, source, options)));
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const codes = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
  expect(codes).toEqual(['TARGET_EXISTS', 'TARGET_EXISTS', 'TARGET_EXISTS']);
  expect(readdirSync(recordingsDir)).toEqual([sampleRecording().id]);
  for (const one of workspaces) one.close();
});
