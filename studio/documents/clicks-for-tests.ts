import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import type { Workspace } from '../store/workspace.ts';

/** A small recording for tests, without its video. */

export const ID = '3f2a9c1e';

export const click = (t: number, x: number): RawEvent[] => [
  { type: 'down', t, x, y: 50, button: 'left' },
  { type: 'up', t: t + 50_000, x, y: 50, button: 'left' },
];

/** Four clicks, a mark after the second, a frame before each. Gives its folder. */
export function addClicks(workspace: Workspace, id = ID): string {
  const events: RawEvent[] = [
    { type: 'view', t: 0, view: { x: 0, y: 0, width: 1280, height: 720 }, segment: 0 },
    ...click(1e6, 10),
    ...click(3e6, 300),
    { type: 'mark', t: 4e6, kind: 'subtask' },
    ...click(5e6, 500),
    ...click(7e6, 700),
  ];
  const folder = writeSample(workspace.recordingsDir, sampleRecording({ id }), events);
  const frames = [0, 2, 4, 6, 8].map((s, i) => ({ i, pts: s * 1000, t: s * 1e6, changed: 100_000 }));
  writeFileSync(join(folder, 'frames.jsonl'), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  return folder;
}

/** The error that work ends with. */
export async function errorOf(work: Promise<unknown>): Promise<StudioError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StudioError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
