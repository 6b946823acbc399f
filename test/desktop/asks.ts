import fs from 'node:fs';
import path from 'node:path';
import type { RecorderState } from '../../schemas/api/models.ts';
import { until } from '../support/until.ts';
import type { Driver } from './driver.ts';

/** What the desktop app's tests ask of its studio, through the page. */

/** A workspace with a task. */
export type Made = { ws: string; dir: string; task: string };

export async function openWorkspace(driver: Driver, name = 'workspace'): Promise<{ ws: string; dir: string }> {
  const dir = driver.home.dir(name);
  const { id } = (await driver.ask('/api/workspaces/open', { dir, create: true })) as { id: string };
  return { ws: id, dir };
}

export async function withTask(driver: Driver, goal = 'Write a note'): Promise<Made> {
  const { ws, dir } = await openWorkspace(driver);
  const { id } = (await driver.ask(`/api/workspaces/${ws}/tasks`, { software: 'gimp', goal })) as { id: string };
  return { ws, dir, task: id };
}

/** The whole display unless said otherwise. */
export async function startRecording(
  driver: Driver,
  { ws, task }: Made,
  more: { target?: object; fps?: number; countdown?: number; partialInput?: boolean } = {},
): Promise<void> {
  const target = { kind: 'display', display: null };
  await driver.ask(`/api/workspaces/${ws}/recorder/start`, { task, target, fps: 20, countdown: 0, ...more });
}

export async function stopRecording(driver: Driver): Promise<void> {
  await driver.ask('/api/recorder/command', { type: 'stop' });
  await recorderIs(driver, 'done');
}

/** Of the recording that is made, or was made last; null when there was none. */
export const recorderState = async (driver: Driver): Promise<RecorderState | null> =>
  (await driver.ask('/api/recorder')) as RecorderState | null;

/** Waits until it is; an end that was not wanted is told at once, with what the host wrote. */
export async function recorderIs(driver: Driver, wanted: string): Promise<void> {
  let last: RecorderState | null = null;
  const seen = (): string => `${JSON.stringify(last)}\n${hostLog(driver)}`;
  const isThere = async (): Promise<boolean> => {
    last = await recorderState(driver);
    const isOver = last?.phase === 'failed' || last?.phase === 'done';
    if (isOver && last?.phase !== wanted) throw new Error(`it is ${seen()}`);
    return last?.phase === wanted;
  };
  await until(`the recorder to be ${wanted}`, isThere, { timeoutMs: 60_000, seen });
}

export function hostLog(driver: Driver): string {
  const file = path.join(driver.home.dir('app'), 'logs', 'host.log');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
}
