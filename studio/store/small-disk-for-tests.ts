import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A disk of its own that can be filled and freed. */
export type SmallDisk = {
  /** Writes until nothing more fits, but for these bytes. */
  fill(but?: number): void;
  free(): void;
  remove(): void;
};

/** Mounts one at `folder`; null where this user may not (only root may on Linux). */
export function smallDisk(folder: string, bytes: number): SmallDisk | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const ballast = join(folder, '.ballast');
  return {
    fill(but = 0) {
      rmSync(ballast, { force: true });
      const { bavail, bsize } = statfsSync(folder);
      const size = Math.max(0, bavail * bsize - but);
      writeFileSync(ballast, '');
      const part = Buffer.alloc(4 * 2 ** 20);
      try {
        for (let left = size; left > 0; left -= part.length) appendFileSync(ballast, part.subarray(0, left));
      } catch (error) {
        // Somebody else wrote meanwhile: it is full all the same.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
