import { join } from 'node:path';
import { Readable } from 'node:stream';
import { tagSchema } from '../../schemas/dataset.ts';
import { errorBody, isPassing, whyNot } from '../../schemas/errors.ts';
import { type ArrivalFile, arrivalFileSchema } from '../../schemas/history.ts';
import { isRecordingState } from '../../schemas/task-terms.ts';
import { tagRecordings } from '../datasets/tags.ts';
import { arriveInState } from '../documents/review/arrival.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { hasFile, readIn } from '../files/inside.ts';
import { attach, hasAttachment } from '../store/attachments.ts';
import { fillAnswer } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { contentId } from './content-id.ts';
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
  { state = null, tags = [], transcript, answer }: Partial<Omit<ArrivalFile, 'recording' | 'told'>> = {},
): void {
  const owed = { state, tags, ...(transcript && { transcript }), ...(answer && { answer }) };
  write(folder, { schema: 'trajectory-studio/arrival', version: 1, recording, ...owed, told: false });
}

const write = (folder: string, note: ArrivalFile): void =>
  writeFileAtomic(join(folder, ARRIVAL_FILE), `${JSON.stringify(note, null, 1)}\n`);

/** Null when there is none. Throws BAD_FILE. */
export function readArrival(folder: string): ArrivalFile | null {
  return hasFile(folder, ARRIVAL_FILE) ? readBoundedJson(join(folder, ARRIVAL_FILE), arrivalFileSchema, LIMITS) : null;
}

/**
 * How far the work on it is, its tags, and what its task is owed. Noted as taken, so that it is not said again after
 * somebody worked here. Gives what did not fit, in words.
 */
export async function takeArrival(
  workspace: Workspace,
  recording: string,
  folder: string,
  note: ArrivalFile,
): Promise<string[]> {
  if (note.told) return [];
  if (isRecordingState(note.state)) await arriveInState(workspace, recording, note.state);
  // Another program may allow other tags; what is none here is left out.
  const add = note.tags.filter((tag) => tagSchema.safeParse(tag).success);
  if (add.length > 0) await tagRecordings(workspace, { recordings: [recording], add, remove: [] });
  if (note.answer) await fillAnswer(workspace.store, (await workspace.getRecording(recording)).task, note.answer);
  const warnings = note.transcript ? await takeTranscript(workspace, recording, folder, note.transcript) : [];
  write(folder, { ...note, told: true });
  return warnings;
}

/** The file has an id that follows from the recording: given again after a kill, it is as given once. */
async function takeTranscript(
  workspace: Workspace,
  recording: string,
  folder: string,
  { file, name }: NonNullable<ArrivalFile['transcript']>,
): Promise<string[]> {
  const id = contentId(`${recording}\n${file}`);
  try {
    if (await hasAttachment(workspace, id)) return [];
    const { task } = await workspace.getRecording(recording);
    await attach(workspace, { id, task, role: 'transcript', name, body: Readable.from([readIn(folder, file)]) });
    return [];
  } catch (error) {
    const { code } = errorBody(error);
    if (isPassing(code) || code === 'INTERNAL') throw error;
    // It is in the recording's own folder all the same.
    return [`the transcript was not kept with the task: ${whyNot(error)}`];
  }
}
