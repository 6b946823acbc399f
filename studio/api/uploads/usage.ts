import { folderBytes } from '../../files/kept/size.ts';
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
      // An unfinished upload is counted by its own size.
      const counting = folderBytes(dir, UPLOADS_FOLDER);
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
