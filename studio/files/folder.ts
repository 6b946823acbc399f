import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { access, lstat, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Folders and places of our own, looked at and filled while the thread answers others. */

/** Whether something is there: a link counts as what it leads to. What may not be looked at is not there. */
export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The names in a folder; none where it is not there. Throws what else the file system says. */
export function namesInFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** `path`, or with `-2`, `-3` after it and before `ending`, where nothing is yet. */
export async function freePath(path: string, ending = ''): Promise<string> {
  let free = path + ending;
  for (let n = 2; await pathExists(free); n++) free = `${path}-${n}${ending}`;
  return free;
}

/** The free room for this user on the disk of a folder that is there, and the disk's size; bytes. */
export async function diskRoom(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Removes files of a folder that nothing was written to for `ms`, as long as their names fit. Clocks that were set back count too. */
export async function removeForgotten(folder: string, name: RegExp, ms: number): Promise<void> {
  for (const one of await readdir(folder)) {
    if (!name.test(one)) continue;
    const info = await lstat(join(folder, one)).catch(() => null);
    if (info?.isFile() && Math.abs(Date.now() - info.mtimeMs) > ms) await rm(join(folder, one), { force: true });
  }
}

/**
 * A folder that appears whole or not at all: `fill` is given a hidden one beside it, which gets its name at the end. Throws what
 * `fill` and the file system throw; nothing of it is left then.
 */
export async function fillFolder<T>(folder: string, fill: (hidden: string) => Promise<T>): Promise<T> {
  const hidden = join(dirname(folder), `.${basename(folder)}-${randomBytes(4).toString('hex')}.partial`);
  try {
    await mkdir(hidden, { recursive: true });
    const made = await fill(hidden);
    await rename(hidden, folder);
    return made;
  } catch (error) {
    await rm(hidden, { recursive: true, force: true });
    throw error;
  }
}

/** Removes a folder with everything in it: from one moment on it is not there, however long its files take. */
export async function discardFolder(folder: string): Promise<void> {
  const hidden = join(dirname(folder), `.${basename(folder)}-${randomBytes(4).toString('hex')}.removed`);
  await rename(folder, hidden);
  await rm(hidden, { recursive: true, force: true });
}
