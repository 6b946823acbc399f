import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Verdict } from '../../schemas/recording.ts';
import { type Recorder, startRecorder, studioMust } from './cli.ts';
import type { VirtualDisplay } from './display.ts';
import { descendants, processInfo, processTree, watchWaiting } from './process.ts';
import { problemsOf, readRecording } from './recordings.ts';
import { missingFrom, startHands } from './steady-hands.ts';
import { monotonicUs, seeded, sleep, until } from './until.ts';

/** Kills of the processes of a recording in its middle, and what must be true of it afterwards (D1, V4). */

const SCROLLER = path.join(import.meta.dirname, 'scroller.ts');
/** The time whose data may be in the air at a kill: two flushes of D1. */
export const GRACE_US = 100_000;
/** As keyboard-follow.test.ts holds it, µs. */
const JUDGED_WITHIN = 1_155_000;
/** Where programs are asked for their fields, a key waits until it is known that it went into none for passwords (I6). */
export const JUDGED_GRACE_US = JUDGED_WITHIN + GRACE_US;

/** How long before a kill it is counted what the machine keeps from a process. */
export const LOOKED_MS = 1000;

export type Victim = 'studio' | 'capture' | 'ffmpeg';

export function victimPid(recorder: Recorder, victim: Victim): number {
  const root = recorder.started.pid;
  if (victim === 'studio') return root;
  const capture = descendants(root, 'capture-main')[0];
  if (!capture) throw new Error(`no capture process below ${root}: ${list(root)}`);
  if (victim === 'capture') return capture.pid;
  const ffmpeg = processTree(capture.pid).find((info) => /^\S*ffmpeg /.test(info.command));
  if (!ffmpeg) throw new Error(`no ffmpeg below ${capture.pid}: ${list(root)}`);
  return ffmpeg.pid;
}

const list = (pid: number) =>
  processTree(pid)
    .map((info) => `${info.pid} ${info.command}`)
    .join('\n');

/** Runs `recover` and checks everything that must be true of any recovered recording. Gives its verdict. */
export async function recovered(workspace: string, folder: string): Promise<Verdict> {
  await studioMust(['recover', '--workspace', workspace, '--json']);
  expect(await problemsOf(folder)).toEqual([]);
  const { verdict, id } = readRecording(folder);
  if (!verdict) throw new Error('recover left no verdict');
  if (verdict.kind === 'complete') expect(verdict.missing).toEqual([]);
  else expect(verdict.missing.length, 'says what is missing').toBeGreaterThan(0);
  // It works like any other recording, and recovering again changes nothing.
  await studioMust(['actions', id, '--workspace', workspace, '--json']);
  const file = path.join(folder, 'recording.json');
  const once = fs.readFileSync(file, 'utf8');
  await studioMust(['recover', '--workspace', workspace, '--json']);
  expect(fs.readFileSync(file, 'utf8')).toBe(once);
  return verdict;
}

export const KILL_SEED = Number(process.env.KILL_SEED ?? 20_260_101);
const random = seeded(KILL_SEED);
export const KILLS = Array.from({ length: 20 }, (_, i) => ({
  n: i + 1,
  victim: (['studio', 'capture', 'ffmpeg'] as const)[i % 3] as Victim,
  afterMs: Math.round(50 + random() * 2500),
}));

/** `elements`: as recorded by default; without, keys wait for nothing. */
type Kill = { victim: Victim; afterMs: number; syncCheck: boolean; elements: boolean };

/** Records a scrolling screen and steady input, kills one process, recovers, and expects everything that was there. */
export async function killAndRecover(
  display: VirtualDisplay,
  workspace: string,
  { victim, afterMs, syncCheck, elements }: Kill,
): Promise<void> {
  const scroller = await display.launch(process.execPath, [SCROLLER, '60', '3']);
  const args = ['--region', '0,0,640,480', ...(elements ? [] : ['--no-elements'])];
  const recorder = await startRecorder(display, { workspace, args, syncCheck });
  const family = processTree(recorder.started.pid).map((info) => info.pid);
  const hands = await startHands(display, 200, 60);
  // As much is there to be found as where keys wait for nothing.
  const beforeMs = afterMs + (elements ? JUDGED_WITHIN / 1000 : 0);
  const looked = Math.min(beforeMs, LOOKED_MS);
  await sleep(beforeMs - looked);
  const pid = victimPid(recorder, victim);
  const waited = watchWaiting(victimPid(recorder, 'capture'));
  await sleep(looked);
  const graceUs = (elements ? JUDGED_GRACE_US : GRACE_US) + (await waited());
  const killed = monotonicUs();
  process.kill(pid, 'SIGKILL');
  if (victim === 'ffmpeg') {
    // The recorder may end or go on with a new encoder; when it goes on, it is stopped as usual.
    await sleep(1000);
    if (!recorder.started.exit()) recorder.started.child.kill('SIGINT');
  }
  await until('every process to end by itself', () => family.every((member) => processInfo(member) === null), {
    timeoutMs: 60_000,
    seen: () => family.map((member) => processInfo(member)?.command ?? '').join('\n'),
  });
  await hands.stop();
  await scroller.stop();

  const verdict = await recovered(workspace, recorder.folder);
  expect(missingFrom(recorder.folder, hands.sent(), killed - graceUs)).toEqual([]);
  if (victim === 'capture') expect(verdict).toMatchObject({ kind: 'recovered', endedBy: 'killed' });
  if (victim === 'studio') expect(verdict).toMatchObject({ kind: 'complete', endedBy: 'studio-gone' });
  if (victim === 'ffmpeg') expect(await framesReach(recorder.folder, killed)).toBe(true);
}

/** Frames are there up to a second before the kill: the crash lost the last moment, not the file (V4). */
async function framesReach(folder: string, monotonic: number): Promise<boolean> {
  const recording = readRecording(folder);
  const text = fs.readFileSync(path.join(folder, 'frames.jsonl'), 'utf8').trim().split('\n');
  const at = monotonic - Number(BigInt(recording.clock.startNs) / 1000n);
  return text.some((line) => (JSON.parse(line) as { t: number }).t > at - 1_000_000);
}
