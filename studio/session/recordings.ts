import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import { isLive } from '../capture/recover.ts';
import { folderIn } from '../files/inside.ts';
import { move } from '../files/move.ts';
import type { Workspace } from '../store/workspace.ts';

/** Moves a recording's folder to trash/ of the workspace. Throws UNKNOWN_RECORDING, WORKSPACE_BUSY while it is recorded. */
export async function trashRecording(workspace: Workspace, id: string): Promise<{ trash: string }> {
  const { folder } = await workspace.getRecording(id);
  if (isLive(folder)) {
    throw new StudioError('WORKSPACE_BUSY', `${id} is being recorded. Stop the recording first.`, { recording: id });
  }
  const dir = folderIn(workspace.dir, 'trash');
  let trash = join(dir, basename(folder));
  for (let n = 2; existsSync(trash); n++) trash = join(dir, `${basename(folder)}-${n}`);
  await move(folder, trash);
  await workspace.syncIndex();
  return { trash };
}
