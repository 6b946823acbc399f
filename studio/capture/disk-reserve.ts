import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';

const FILE = '.reserve';
const BYTES = 4 * 2 ** 20;

/**
 * Four megabytes set aside in the recording folder, given back when the disk is full, so that the last lines and
 * recording.json can still be written (D2). Throws DISK_FULL when not even that is there.
 */
export function openDiskReserve(folder: string): { release(): boolean } {
  const path = join(folder, FILE);
  const fd = openSync(path, 'w');
  try {
    // Written, not only sized: a hole in a file reserves nothing.
    writeSync(fd, Buffer.alloc(BYTES, 0x52));
  } catch (cause) {
    rmSync(path, { force: true });
    throw new StudioError(
      'DISK_FULL',
      `${folder}: the disk is full. Free some space and record again.`,
      { folder },
      { cause },
    );
  } finally {
    closeSync(fd);
  }
  let held = true;
  return {
    release() {
      if (!held) return false;
      held = false;
      rmSync(path, { force: true });
      return true;
    },
  };
}
export const RESERVE_FILE = FILE;

/** Free space on the disk of this folder, bytes; null where it is unknown. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
