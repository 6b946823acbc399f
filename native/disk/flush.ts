import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Temporary names, and waiting for the disk: what a file that must outlive a power cut needs (studio/files/atomic.ts). */

/**
 * A name beside `path` that no other writer has, of this process or another (M3). Indexes and imports leave out names with
 * a dot first. `ending`: for programs that go by it.
 */
export const temporaryName = (path: string, ending = '.tmp'): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(4).toString('hex')}${ending}`);

/** Waits until the disk has what the file holds. */
export async function flushFile(path: string): Promise<void> {
  // Windows flushes only what may be written.
  const file = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    await file.sync();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!CANNOT_FLUSH.has(code)) throw error;
  } finally {
    await file.close();
  }
}

/** Some network file systems and pseudo files know no flush. */
const CANNOT_FLUSH: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** The rename itself survives a power cut only when the folder is flushed too; Windows cannot open folders and need not. */
export function flushFolder(folder: string): void {
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
