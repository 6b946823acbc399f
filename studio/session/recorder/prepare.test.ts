import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeKilled } from '../../capture/killed-for-tests.ts';
import { recoverRecording } from '../../capture/recover.ts';
import { describeHolder, type Holder } from '../../files/process-id.ts';
import { finishWhole } from '../../recordings/finish.ts';
import { wantPlaybackCopy } from '../../recordings/playback.ts';
import { readRecording } from '../../store/recording-folder.ts';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { type OpenWorkspace, openSession } from '../open-workspace.ts';
import { makeLeftCopy, prepare, repairWorkspace } from './prepare.ts';

const folders = temporaryFolders();
let open: OpenWorkspace;
let folder = '';
beforeEach(async () => {
  open = await openSession(join(folders.make(), 'w'), { create: true });
  folder = join(open.workspace.recordingsDir, 'r1');
  await writeKilled(folder, { id: 'r1' });
  await recoverRecording(folder);
});
afterEach(async () => {
  await open.close();
  folders.clean();
});

const jobsAfterRepair = async () => {
  await repairWorkspace(open);
  const jobs = await open.jobs.list();
  return Promise.all(jobs.map(({ id }) => open.jobs.finished(id)));
};
const hasKeyframes = () => existsSync(join(folder, 'keyframes', 'index.json'));

/** The marker as a process leaves it that ends while it prepares the recording. */
async function leaveMarker(changes: Partial<Holder> = {}): Promise<void> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const holder = describeHolder('t', child.pid ?? 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  writeFileSync(join(folder, '.preparing'), JSON.stringify({ ...holder, ...changes }));
}

test('what a crash left undone is done at the next opening', async () => {
  expect(await jobsAfterRepair()).toMatchObject([{ kind: 'prepare', subject: 'r1', state: 'done' }]);
  expect(hasKeyframes()).toBe(true);
  expect(existsSync(join(folder, '.preparing'))).toBe(false);
});

test('a recording at which preparing ended the program is left alone until somebody asks for it', async () => {
  await leaveMarker();
  const [job] = await jobsAfterRepair();
  expect(job).toMatchObject({ kind: 'prepare', subject: 'r1', state: 'failed' });
  expect(job?.error?.message).toContain('The program ended while it made the pictures of r1');
  expect(hasKeyframes()).toBe(false);
  const again = await prepare(open, 'r1', folder);
  expect((await open.jobs.finished(again.id)).state).toBe('done');
  expect(hasKeyframes()).toBe(true);
  expect(existsSync(join(folder, '.preparing'))).toBe(false);
});

test('a machine that was switched off meanwhile is no reason to leave it alone', async () => {
  await leaveMarker({ machine: 'an earlier start' });
  expect(await jobsAfterRepair()).toMatchObject([{ kind: 'prepare', state: 'done' }]);
});

test('asked for many times at once it is one job, and another when that is over', async () => {
  const jobs = await Promise.all(Array.from({ length: 20 }, () => prepare(open, 'r1', folder)));
  const ids = new Set(jobs.map(({ id }) => id));
  expect(ids.size).toBe(1);
  expect((await open.jobs.list()).map(({ id }) => id)).toEqual([...ids]);
  expect((await open.jobs.finished(jobs[0]!.id)).state).toBe('done');
  const again = await prepare(open, 'r1', folder);
  expect(ids.has(again.id)).toBe(false);
  await open.jobs.finished(again.id);
});

test('a playback copy that is still wanted is made, once', async () => {
  const first = await prepare(open, 'r1', folder);
  await open.jobs.finished(first.id);
  expect(await jobsAfterRepair()).toHaveLength(1);
  const recording = readRecording(folder);
  expect(recording.playback).toBe('screen.mp4');
  wantPlaybackCopy(folder);
  expect((await jobsAfterRepair())[0]).toMatchObject({ kind: 'playback', state: 'done' });
  expect(existsSync(join(folder, '.playback-wanted'))).toBe(false);
});

test('a copy whose maker ended is made when somebody looks at the recording, once; one that is under way is left alone', async () => {
  await finishWhole(open.workspace, folder, {
    signal: new AbortController().signal,
    report: () => undefined,
  });
  const copies = async () => (await open.jobs.list()).filter(({ kind }) => kind === 'playback');
  rmSync(join(folder, 'screen.mp4'));
  wantPlaybackCopy(folder);
  await makeLeftCopy(open, 'r1');
  expect(await copies()).toEqual([]);
  utimesSync(join(folder, '.playback-wanted'), 1, 1);
  await Promise.all([makeLeftCopy(open, 'r1'), makeLeftCopy(open, 'r1'), makeLeftCopy(open, 'none-such')]);
  const [job, ...others] = await copies();
  expect(others).toEqual([]);
  expect(await open.jobs.finished(job!.id)).toMatchObject({ subject: 'r1', state: 'done' });
  expect(existsSync(join(folder, 'screen.mp4'))).toBe(true);
});
