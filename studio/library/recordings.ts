import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { StudioError } from '../../schemas/errors.ts';
import { isLive } from '../record/recover.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';

/** A line of the index as the API hands it out. */
export function toRecordingRow({ folder: _folder, app, ...entry }: RecordingEntry): RecordingRow {
  return { ...entry, software: app };
}

/** Moves a recording's folder to trash/ of the workspace. Throws UNKNOWN_RECORDING, WORKSPACE_BUSY while it is recorded. */
export async function trashRecording(workspace: Workspace, id: string): Promise<{ trash: string }> {
  const { folder } = await workspace.getRecording(id);
  if (isLive(folder)) {
    throw new StudioError('WORKSPACE_BUSY', `${id} is being recorded. Stop the recording first.`, { recording: id });
  }
  const dir = join(workspace.dir, 'trash');
  mkdirSync(dir, { recursive: true });
  let trash = join(dir, basename(folder));
  for (let n = 2; existsSync(trash); n++) trash = join(dir, `${basename(folder)}-${n}`);
  renameSync(folder, trash);
  await workspace.syncIndex();
  return { trash };
}
