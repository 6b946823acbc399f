import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFile, flushFolder, temporaryName } from '../../native/disk/flush.ts';
import { fileMode } from './private.ts';

export { flushFile, flushFolder, temporaryName };

/**
 * Everything that must outlive a power cut goes through here: first what is named, then the name. A file is on the disk
 * when it was flushed; its name is when its folder was.
 */

/**
 * Writes a file so that a reader, and a crash at any moment, finds the old content or the new, never a part:
 * a temporary file beside it, flushed to the disk, then renamed over it. It is as private as its folder. A list of texts
 * is written one after another.
 * Throws what the file system throws; the temporary file is gone then.
 */
export function writeFileAtomic(path: string, data: string | Uint8Array | Iterable<string>): void {
  const temporary = temporaryName(path);
  try {
    const file = openSync(temporary, 'wx', fileMode(dirname(path)));
    try {
      if (typeof data === 'string' || data instanceof Uint8Array) writeFileSync(file, data);
      else for (const text of data) writeAll(file, Buffer.from(text));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(dirname(path));
}

/** Writes a file as writeFileAtomic, but only where none is yet, and says whether it did: of several that begin at once one does. */
export function writeNewFile(path: string, data: string): boolean {
  const temporary = temporaryName(path);
  writeFileAtomic(temporary, data);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (existsSync(path)) return false;
    // A disk without links (exFAT, some of the net): between the look and the name another one may come.
    if (!isWithoutLinks(error)) throw error;
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  flushFolder(dirname(path));
  return true;
}

/** Whether a link was refused since the disk has none. */
export const isWithoutLinks = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'].includes(String(error.code));

function writeAll(file: number, data: Buffer): void {
  for (let done = 0; done < data.length; ) done += writeSync(file, data, done);
}

/** Whether a file is one that was being written (temporaryName). */
export const isTemporary = (name: string): boolean =>
  /^\..+\.\d+\.[0-9a-f]{8}\.\w+$/.test(name) || name.endsWith('.part');

/** Removes what writers that were killed left in a folder. Only where nobody else writes (a lock). */
export function removeTemporary(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (isTemporary(name)) rmSync(join(folder, name), { force: true });
  }
}

/** Waits until the disk has what the files hold, a few at a time: a disk takes flushes that wait together at once. */
export async function flushFiles(paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += TOGETHER) await Promise.all(paths.slice(at, at + TOGETHER).map(flushFile));
}
const TOGETHER = 4;

/** Waits until the disk has a folder with everything in it, the deepest first. The rest of the program works meanwhile. */
export async function flushTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await flushTree(path);
    else if (entry.isFile()) await flushFile(path).catch(ignoreMissing);
  }
  flushFolder(folder);
}

/** A temporary file that had its name, or was removed, since the folder was listed. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
