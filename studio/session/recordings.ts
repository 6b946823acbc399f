import { basename, join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import { isLive } from '../capture/recover.ts';
import { freePath, pathExists } from '../files/folder.ts';
import { folderIn, refuseStrangers } from '../files/inside.ts';
import { move } from '../files/move.ts';
import { readRecording } from '../store/recording-folder.ts';
import { folderOfKnown } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';

/** Moves a recording's folder to trash/ of the workspace. Throws UNKNOWN_RECORDING, WORKSPACE_BUSY while it is recorded. */
export async function trashRecording(workspace: Workspace, id: string): Promise<{ trash: string }> {
  const { folder } = await workspace.getRecording(id);
  if (isLive(folder)) {
    throw new StudioError('WORKSPACE_BUSY', `${id} is being recorded. Stop the recording first.`, { recording: id });
  }
  const trash = await freePath(join(folderIn(workspace.dir, 'trash'), basename(folder)));
  await moveKnown(workspace, folder, trash);
  return { trash };
}

/** A folder of the index to another place, or not at all: what is refused (a locked database) was not done. */
async function moveKnown(workspace: Workspace, from: string, to: string): Promise<void> {
  await move(from, to);
  try {
    await workspace.syncIndex();
  } catch (error) {
    await move(to, from);
    throw error;
  }
}

/**
 * Moves a recording that was moved to trash/ back, the last one of this id; what was said of it was kept and is there again.
 * Throws UNKNOWN_RECORDING when the trash has none, TARGET_EXISTS when its place is taken.
 */
export async function restoreRecording(workspace: Workspace, id: string): Promise<void> {
  const folder = await folderOfKnown(workspace, id);
  const trashed = folder === null ? null : await findTrashed(folderIn(workspace.dir, 'trash'), folder, id);
  if (folder === null || trashed === null) {
    throw new StudioError('UNKNOWN_RECORDING', `There is no recording "${id}" in the workspace's trash.`, { id });
  }
  const place = join(workspace.recordingsDir, folder);
  if (await pathExists(place)) {
    throw new StudioError('TARGET_EXISTS', `${place} is there already. Move it away, then restore ${id} again.`, {
      path: place,
    });
  }
  await moveKnown(workspace, trashed, place);
}

/** The folder in `trash` of this recording: of several, the one that was moved there last. */
async function findTrashed(trash: string, folder: string, id: string): Promise<string | null> {
  let found: string | null = null;
  for (let n = 1; ; n++) {
    const path = join(trash, n === 1 ? folder : `${folder}-${n}`);
    if (!(await pathExists(path))) return found;
    refuseStrangers(path);
    if (readRecording(path).id === id) found = path;
  }
}
