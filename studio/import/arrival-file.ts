import { join } from 'node:path';
import { tagSchema } from '../../schemas/dataset.ts';
import { type ArrivalFile, arrivalFileSchema } from '../../schemas/history.ts';
import { isRecordingState } from '../../schemas/task-terms.ts';
import { tagRecordings } from '../datasets/tags.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { hasFile } from '../files/inside.ts';
import { arriveInState } from '../review/arrival.ts';
import type { Workspace } from '../store/workspace.ts';
import { LIMITS } from './limits.ts';
import { readBoundedJson } from './lines.ts';

/**
 * In a recording that an import has put in its place and not finished with. It is written before the folder gets its name
 * and removed last, so that whoever finds the folder after a kill knows what is still to be taken (H8).
 */
export const ARRIVAL_FILE = 'arrival.json';

/** Notes what an import owes a recording. `folder` has no name yet; a note that a stranger put into it is overwritten. */
export function noteArrival(
  folder: string,
  recording: string,
  { state, tags }: Pick<ArrivalFile, 'state' | 'tags'> = { state: null, tags: [] },
): void {
  write(folder, { schema: 'trajectory-studio/arrival', version: 1, recording, state, tags, told: false });
}

const write = (folder: string, note: ArrivalFile): void =>
  writeFileAtomic(join(folder, ARRIVAL_FILE), `${JSON.stringify(note, null, 1)}\n`);

/** Null when there is none. Throws BAD_FILE. */
export function readArrival(folder: string): ArrivalFile | null {
  return hasFile(folder, ARRIVAL_FILE) ? readBoundedJson(join(folder, ARRIVAL_FILE), arrivalFileSchema, LIMITS) : null;
}

/** How far the work on it is, and its tags. Noted as taken, so that it is not said again after somebody worked here. */
export async function takeArrival(
  workspace: Workspace,
  recording: string,
  folder: string,
  note: ArrivalFile,
): Promise<void> {
  if (note.told) return;
  if (isRecordingState(note.state)) await arriveInState(workspace, recording, note.state);
  // Another program may allow other tags; what is none here is left out.
  const add = note.tags.filter((tag) => tagSchema.safeParse(tag).success);
  if (add.length > 0) await tagRecordings(workspace, { recordings: [recording], add, remove: [] });
  write(folder, { ...note, told: true });
}
