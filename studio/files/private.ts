import { chmodSync, existsSync, type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Recordings hold everything that a person typed and saw, so folders and files of a workspace are for its owner alone
 * (0700, 0600), unless the owner opened the folder to a group on purpose; nobody else ever. Windows keeps a user's folders
 * to the user by itself.
 */

const HAS_MODES = process.platform !== 'win32';

/**
 * On purpose: the setgid bit, or another group than the user's own that may write, or that is let in where others are not.
 * The usual umasks make none of these.
 */
function isForGroup({ mode, gid }: Pick<Stats, 'mode' | 'gid'>, own = process.getgid?.()): boolean {
  if ((mode & 0o2000) !== 0) return true;
  return gid !== own && ((mode & 0o020) !== 0 || ((mode & 0o050) === 0o050 && (mode & 0o007) === 0));
}

/** The mode that a folder gets: the owner's rights, and the group's where it was let in. */
export function privateMode(stats: Pick<Stats, 'mode' | 'gid'>, ownGroup?: number): number {
  return stats.mode & 0o7777 & (isForGroup(stats, ownGroup) ? ~0o007 : ~0o077);
}

/** The mode of a new folder for a recording in `parent`. */
export function recordingMode(parent: string): number {
  return (privateMode(statSync(parent)) & 0o777) | 0o700;
}

/**
 * Closes a workspace and what is directly in it to everybody else. Only its owner can; where the file system knows no
 * rights, or the workspace is somebody else's, it stays as it is.
 */
export function closeToOthers(dir: string, inside: readonly string[]): void {
  if (!HAS_MODES) return;
  try {
    const stats = statSync(dir);
    if (stats.uid !== process.getuid?.()) return;
    const mode = privateMode(stats);
    if (mode !== (stats.mode & 0o7777)) chmodSync(dir, mode);
    for (const name of inside) if (existsSync(join(dir, name))) makePrivate(join(dir, name));
  } catch {
    // A disk without rights (FAT), or rights that are kept elsewhere.
  }
}

/** The mode that a new file in `folder` gets: whoever may not look into the folder may not read it. */
export function fileMode(folder: string): number {
  return (statSync(folder).mode & 0o666) | 0o600;
}

/**
 * Takes from a file or folder the rights that the folder it is in does not give. Of a link (recordings/ on another disk) from
 * what it leads to: its own rights are none, and would give away what they stand for.
 */
export function makePrivate(path: string): void {
  if (!HAS_MODES) return;
  try {
    const { mode, uid } = statSync(path);
    if (uid !== process.getuid?.()) return;
    const allowed = mode & (statSync(dirname(path)).mode | ~0o077);
    if (allowed !== mode) chmodSync(path, allowed & 0o7777);
  } catch {
    // As above.
  }
}

/** The same for everything in a folder. Links are left alone. */
export async function makeTreePrivate(folder: string): Promise<void> {
  if (!HAS_MODES) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() && !entry.isFile()) continue;
    makePrivate(join(folder, entry.name));
    if (entry.isDirectory()) await makeTreePrivate(join(folder, entry.name));
  }
}

/** Files that this process makes from now on are as private as `folder`: for a process that writes nothing else. */
export function keepPrivate(folder: string): void {
  if (HAS_MODES) process.umask((~statSync(folder).mode & 0o077) | 0o002);
}
