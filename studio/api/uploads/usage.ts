import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KEPT_LIST, keptList } from '../../files/kept/list.ts';
import { UPLOADS_FOLDER } from './notes.ts';

/** Counts the bytes that a workspace holds. */
export type SizeCounter = {
  /** Counted anew where the last count is older than `COUNTED_MS`, or `changed` was called since. */
  bytes(): Promise<number>;
  /** Something large came or went. */
  changed(): void;
};

/** Counting ten thousand recordings takes seconds. */
const COUNTED_MS = 60_000;

export function openUsage(dir: string, now: () => number = () => performance.now()): SizeCounter {
  let last: { at: number; bytes: Promise<number> } | null = null;
  return {
    bytes() {
      if (last && now() - last.at < COUNTED_MS) return last.bytes;
      const counting = bytesIn(dir);
      const mine = { at: now(), bytes: counting };
      last = mine;
      counting.catch(() => {
        if (last === mine) last = null;
      });
      return counting;
    },
    changed() {
      last = null;
    },
  };
}

/**
 * All files of a workspace, also those that lie in the place for large files; no unfinished upload, which is counted by its own
 * size, and nothing that a link leads to.
 */
async function bytesIn(root: string): Promise<number> {
  let sum = 0;
  const walk = async (folder: string): Promise<void> => {
    // A folder that goes meanwhile takes no room.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (folder !== root || entry.name !== UPLOADS_FOLDER) await walk(path);
      } else if (entry.isFile()) {
        sum += (await lstat(path).catch(() => null))?.size ?? 0;
        if (entry.name === KEPT_LIST) sum += farBytes(folder);
      }
    }
  };
  await walk(root);
  return sum;
}

/** 0 where the list cannot be read: whoever opens the recording is told. */
function farBytes(folder: string): number {
  try {
    return (keptList(folder)?.files ?? []).reduce((sum, { bytes }) => sum + bytes, 0);
  } catch {
    return 0;
  }
}
