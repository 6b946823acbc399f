import { existsSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import type { Workspace } from '../store/workspace.ts';

/** Where a recording or an archive is written to. */

/**
 * `target`: a full path. Throws USAGE for one among the workspace's recordings or in a folder that is missing,
 * TARGET_EXISTS.
 */
export function checkTarget(target: string, { recordingsDir }: Pick<Workspace, 'recordingsDir'>): void {
  if (target.startsWith(recordingsDir + sep) || target === recordingsDir) {
    throw new StudioError('USAGE', `${target} lies among the workspace's recordings. Choose a place outside.`, {
      out: target,
    });
  }
  refuseExisting(target);
  if (statSync(dirname(target), { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new StudioError('USAGE', `There is no folder ${dirname(target)}. Make it first, or choose another place.`, {
      out: target,
    });
  }
}

/** Once more when all is written: somebody may have put something there meanwhile. Throws TARGET_EXISTS. */
export function refuseExisting(target: string): void {
  if (!existsSync(target)) return;
  const message = `${target} is there already. Choose another name, or remove it.`;
  throw new StudioError('TARGET_EXISTS', message, { out: target });
}
