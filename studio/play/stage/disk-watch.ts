import { type ChildProcess, spawn } from 'node:child_process';
import { lstatSync, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { homeOf, stageFolder } from './home.ts';

/**
 * Programs of a stage write to the disk of the person: no system lets an ordinary person limit that for a folder. So what they
 * have written is looked at, and a stage that wrote more than it may is ended.
 */

const GIB = 2 ** 30;
const LOOK_MS = 1000;
/** What is written is counted again when the disk has so much less. */
const STEP = 64 * 2 ** 20;
const KEPT_LOOK_S = 5;

const freeOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/** The most that a stage may write, bytes: never more than half of what is free. */
const mostOf = (id: string): number => Math.min(8 * GIB, Math.floor(freeOf(stageFolder(id)) / 2));

export type DiskWatch = {
  /** Why the stage was ended, in words; null: it was not. */
  ended(): string | null;
  stop(): void;
};

/** Watches as long as this process runs. `end` ends everything on the stage. */
export function watchDisk(id: string, end: () => void, most = mostOf(id)): DiskWatch {
  let counted = freeOf(stageFolder(id));
  let why: string | null = null;
  const timer = setInterval(() => {
    try {
      const free = freeOf(stageFolder(id));
      if (free > counted - Math.min(STEP, most / 4)) return;
      counted = free;
      if (
        writtenIn(homeOf(id)) + writtenIn(join(stageFolder(id), 'log')) + writtenIn(join(stageFolder(id), 'run')) <=
        most
      )
        return;
    } catch {
      return; // It is being removed.
    }
    why = `The stage was ended: its programs had written more than ${sizeWords(most)} to the disk.`;
    clearInterval(timer);
    end();
  }, LOOK_MS);
  timer.unref();
  return { ended: () => why, stop: () => clearInterval(timer) };
}

export const sizeWords = (bytes: number): string =>
  bytes < GIB ? `${Math.round(bytes / 2 ** 20)} MB` : `${(bytes / GIB).toFixed(1)} GB`;

/** Bytes on the disk. Links are not followed. */
function writtenIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    try {
      bytes += entry.isDirectory() ? writtenIn(path) : lstatSync(path).blocks * 512;
    } catch {
      // It went meanwhile.
    }
  }
  return bytes;
}

/** The list of children ends without a line's end, for which `read` fails though it has read. $1: bubblewrap's process, $2: the stage's folder, $3: KiB, $4: how often it looks, s. The process below it ends the cage. */
const WATCHER = `while kill -0 "$1" 2>/dev/null; do
  used=$(du -skx "$2/home" "$2/log" "$2/run" 2>/dev/null | { sum=0; while read -r size _; do sum=$((sum + size)); done; echo $sum; })
  if [ "$used" -gt "$3" ]; then read -r inner _ <"/proc/$1/task/$1/children"; kill -9 $inner; fi
  sleep "$4"
done`;

/** The same for a stage that is kept, by a process of its own that ends with the stage. */
export function watchKept(
  id: string,
  pid: number,
  env: Readonly<Record<string, string>>,
  { most = mostOf(id), everyS = KEPT_LOOK_S } = {},
): ChildProcess {
  const args = ['-c', WATCHER, 'sh', `${pid}`, stageFolder(id), `${Math.floor(most / 1024)}`, `${everyS}`];
  const child = spawn('sh', args, { env, detached: true, stdio: 'ignore' });
  child.on('error', () => undefined); // Then it is not watched; there is no system without a shell.
  child.unref();
  return child;
}
