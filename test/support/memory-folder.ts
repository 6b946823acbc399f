import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/**
 * A folder in memory for the temporary files of one test run, removed when the run ends. Most of a unit test's time was
 * waiting for the disk: each commit of a test's database is flushed, which a disk takes milliseconds for.
 */

const MEMORY = '/dev/shm';
const NAME = /^studio-tests-(\d+)$/;
/** Less free memory is left to the programs, bytes. */
const LEAST = 6 * 2 ** 30;

/** Null where there is no such place: another system, too little room, no programs allowed in it, a TMPDIR that was chosen. */
export function memoryFolder(): string | null {
  if (process.platform !== 'linux' || process.env.TMPDIR) return null;
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    if (bavail * bsize < LEAST || availableMemory() < LEAST) return null;
    removeLeft();
    const folder = path.join(MEMORY, `studio-tests-${process.pid}`);
    fs.mkdirSync(folder, { recursive: true });
    // As the system's own: some tests work as another user.
    fs.chmodSync(folder, 0o1777);
    process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
    return mayRun(folder) ? folder : null;
  } catch {
    return null;
  }
}

function availableMemory(): number {
  const [, kilobytes = '0'] = /^MemAvailable:\s+(\d+) kB$/m.exec(fs.readFileSync('/proc/meminfo', 'utf8')) ?? [];
  // A container may have less than its machine, and what is in /dev/shm counts: half of it is for the programs.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(Number(kilobytes) * 1024, limit / 2);
}

/** Removes the folders of runs that were killed. */
function removeLeft(): void {
  for (const name of fs.readdirSync(MEMORY)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && !fs.existsSync(`/proc/${pid}`)) {
      fs.rmSync(path.join(MEMORY, name), { recursive: true, force: true });
    }
  }
}

/** Tests write small programs and start them; many containers forbid that in memory. */
function mayRun(folder: string): boolean {
  const file = path.join(folder, 'may-run');
  fs.writeFileSync(file, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  const { status } = spawnSync(file);
  fs.rmSync(file);
  return status === 0;
}
