import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { writeKilled } from '../capture/killed-for-tests.ts';
import { recoverRecording } from '../capture/recover.ts';
import { readRecording } from '../store/recording-folder.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openWorkspace } from '../store/workspace.ts';
import { cutKeyframes } from './cut.ts';
import { finishRecording } from './finish.ts';
import { makeCopyBehind, makePlaybackCopy, wantPlaybackCopy, wantsPlaybackCopy } from './playback.ts';
import { isWholePng } from './whole-png.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
let folder = '';
beforeEach(async () => {
  folder = join(folders.make(), 'recording');
  await writeKilled(folder);
  await recoverRecording(folder);
});

/** A process that prepares the recording as the command line and the studio do. */
const WORKER = () => `
  const { cutKeyframes } = await import(${JSON.stringify(join(import.meta.dirname, 'cut.ts'))});
  const { makePlaybackCopy } = await import(${JSON.stringify(join(import.meta.dirname, 'playback.ts'))});
  const { findFfmpeg } = await import(${JSON.stringify(join(import.meta.dirname, '../../native/ffmpeg/find.ts'))});
  const ffmpeg = await findFfmpeg();
  await cutKeyframes(${JSON.stringify(folder)}, ffmpeg);
  await makePlaybackCopy(${JSON.stringify(folder)}, ffmpeg, (text) => console.log(text));`;

async function prepareElsewhere(): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', WORKER()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const [status] = await once(child, 'close');
  expect(status).toBe(0);
  return said;
}

async function plays(): Promise<boolean> {
  const { path } = await findFfmpeg();
  const child = spawn(path, ['-v', 'error', '-xerror', '-i', join(folder, 'screen.mp4'), '-f', 'null', '-']);
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const [status] = await once(child, 'close');
  return status === 0 && said === '';
}

describe('several processes that prepare one recording', () => {
  test('make its stills and its playback copy once, and both are whole', async () => {
    const said = await Promise.all([prepareElsewhere(), prepareElsewhere(), prepareElsewhere()]);
    expect(said.join()).not.toContain('warning');
    // One of them made it, the others found it.
    expect(said.filter((text) => text.includes('making'))).toHaveLength(1);
    expect(await plays()).toBe(true);
    expect(readRecording(folder).playback).toBe('screen.mp4');
    const stills = readdirSync(join(folder, 'keyframes')).filter((name) => name !== 'index.json');
    expect(stills.length).toBeGreaterThan(0);
    for (const name of stills) expect(isWholePng(join(folder, 'keyframes', name)), name).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('a copy that is named but gone is made again', async () => {
    const ffmpeg = await findFfmpeg();
    await makePlaybackCopy(folder, ffmpeg, () => undefined);
    rmSync(join(folder, 'screen.mp4'));
    await makePlaybackCopy(folder, ffmpeg, () => undefined);
    expect(await plays()).toBe(true);
  });
});

describe('stills that a power cut left', () => {
  test('empty or torn are cut again', async () => {
    const ffmpeg = await findFfmpeg();
    const { keyframes } = (await cutKeyframes(folder, ffmpeg)).keyframes;
    const file = join(folder, 'keyframes', keyframes[0]!.file);
    const whole = readFileSync(file);
    mkdirSync(join(folder, 'keyframes'), { recursive: true });
    for (const torn of [Buffer.alloc(0), whole.subarray(0, whole.length - 5), Buffer.alloc(whole.length)]) {
      writeFileSync(file, torn);
      await cutKeyframes(folder, ffmpeg);
      expect(readFileSync(file).equals(whole)).toBe(true);
    }
  });
});

describe('a copy that nobody waits for', () => {
  test('is noted until it is there, and made by a process of its own', async () => {
    wantPlaybackCopy(folder);
    expect(wantsPlaybackCopy(folder)).toBe(true);
    expect(makeCopyBehind(folder)).toBeGreaterThan(0);
    await expect.poll(() => existsSync(join(folder, '.playback-wanted')), { timeout: 60_000 }).toBe(false);
    expect(readRecording(folder).playback).toBe('screen.mp4');
    expect(await plays()).toBe(true);
    expect(wantsPlaybackCopy(folder)).toBe(false);
  });

  test('is only noted when the steps and their stills are there: whoever recorded goes on', async () => {
    const workspace = openWorkspace(folders.make(), { create: true });
    const inside = join(workspace.recordingsDir, 'r1');
    renameSync(folder, inside);
    const finished = await finishRecording(workspace, inside, {
      ffmpeg: await findFfmpeg(),
      playback: 'behind',
      progress: () => undefined,
    });
    workspace.close();
    expect(finished).toMatchObject({ copyBehind: true, warnings: [], waits: null, actions: expect.any(Number) });
    expect(readdirSync(inside)).toEqual(expect.arrayContaining(['keyframes', '.playback-wanted']));
    expect(readdirSync(inside)).not.toContain('screen.mp4');
    expect(readRecording(inside).playback).toBeNull();
  });

  test('stays wanted when it was stopped', async () => {
    wantPlaybackCopy(folder);
    const stop = AbortSignal.abort(new Error('stopped'));
    await expect(makePlaybackCopy(folder, await findFfmpeg(), () => undefined, stop)).rejects.toThrow();
    expect(wantsPlaybackCopy(folder)).toBe(true);
  });
});
