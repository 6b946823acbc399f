import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs';

/**
 * An append-only file of JSON lines (D1). Lines are held for at most one flush and written with one call; a write that
 * fails in the middle (a full disk) is cut back, so that the file never holds a torn line that is followed by others.
 */
export type LineFile = {
  /**
   * Adds a line; returns its number from 0. With `complete`, it and all lines after it wait until that is settled, at
   * most HOLD_MS.
   */
  add(line: object, complete?: Promise<void>): number;
  /** Writes what waits. Throws what the file system throws; the lines then still wait. */
  flush(): void;
  /** Lines so far, written or not. */
  count(): number;
  /** Asks the disk to keep what was written, without waiting. */
  sync(): void;
  close(): void;
};

type Waiting = { line: object; held: boolean; since: number };
const HOLD_MS = 150;

/** Opens a new file. Throws what the file system throws, EEXIST when there is one. */
export function openLineFile(path: string): LineFile {
  const fd = openSync(path, 'wx');
  let waiting: Waiting[] = [];
  let lines = 0;
  let bytes = 0;
  let open = true;

  function write(count: number): void {
    if (count === 0) return;
    const ready = waiting.slice(0, count);
    const data = Buffer.from(`${ready.map(({ line }) => JSON.stringify(line)).join('\n')}\n`);
    let done = 0;
    try {
      while (done < data.length) done += writeSync(fd, data, done, data.length - done, bytes + done);
    } catch (error) {
      ftruncateSync(fd, bytes);
      throw error;
    }
    bytes += data.length;
    waiting = waiting.slice(count);
  }

  function flush(): void {
    if (!open) return;
    const now = performance.now();
    const firstHeld = waiting.findIndex((w) => w.held && now - w.since < HOLD_MS);
    write(firstHeld < 0 ? waiting.length : firstHeld);
  }

  return {
    add(line, complete) {
      const entry: Waiting = { line, held: complete !== undefined, since: performance.now() };
      const release = () => {
        entry.held = false;
      };
      complete?.then(release, release);
      waiting.push(entry);
      return lines++;
    },
    flush,
    count: () => lines,
    sync: () => fdatasync(fd, () => undefined),
    close() {
      if (!open) return;
      try {
        write(waiting.length);
      } finally {
        open = false;
        closeSync(fd);
      }
    },
  };
}
