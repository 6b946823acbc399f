import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file so that a reader, and a crash at any moment, finds the old content or the new, never a part:
 * a temporary file beside it, flushed to the disk, then renamed over it.
 * Throws what the file system throws; the temporary file is gone then.
 */
export function writeFileAtomic(path: string, data: string | Uint8Array): void {
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    const file = openSync(temporary, 'wx');
    try {
      writeFileSync(file, data);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(folder);
}

/** The rename itself survives a power cut only when the folder is flushed too; Windows cannot open folders and need not. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch {
    // Some network file systems refuse to flush a folder; the file itself is flushed.
  } finally {
    closeSync(handle);
  }
}
