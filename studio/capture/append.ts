import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/**
 * An append-only file of JSON lines (D1). Lines are held for at most one flush and written with one call; a write that
 * fails in the middle (a full disk) is cut back, so that the file never holds a torn line that is followed by others.
 */
export type LineFile = {
  /**
   * Adds a line; returns its number from 0. With `complete`, it and all lines after it wait until that is settled, at
   * most `holdMs`.
   */
  add(line: object, complete?: Promise<void>, holdMs?: number): number;
  /** Writes what waits. Throws what the file system throws; the lines then still wait. */
  flush(): void;
  /** How many lines wait. */
  waiting(): number;
  /** Lines so far, written or not. */
  count(): number;
  /** Asks the disk to keep what was written, without waiting. */
  sync(): void;
  /**
   * Lets go of the file so that it can be rewritten: of what waits, `keep` is written before and the rest dropped. Until
   * `goOn` everything waits. Throws what the file system throws; it is let go of all the same.
   */
  letGo(keep: (line: object) => boolean): void;
  /** The file was rewritten and has so many lines; what waited is written behind them. */
  goOn(lines: number): void;
  close(): void;
};

type Waiting = { line: object; held: boolean; until: number };
const HOLD_MS = 150;

/** Told of each line as it begins to wait. */
export type OnWaiting = () => void;
const NOBODY: OnWaiting = () => undefined;

/** Opens a new file. Throws what the file system throws, EEXIST when there is one. */
export function openLineFile(path: string, onWaiting = NOBODY): LineFile {
  let fd = openSync(path, 'wx');
  let waiting: Waiting[] = [];
  let lines = 0;
  let bytes = 0;
  let open = true;
  let away = false;

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
    if (!open || away) return;
    const now = performance.now();
    const firstHeld = waiting.findIndex((w) => w.held && now < w.until);
    write(firstHeld < 0 ? waiting.length : firstHeld);
  }

  return {
    add(line, complete, holdMs = HOLD_MS) {
      const entry: Waiting = { line, held: complete !== undefined, until: performance.now() + holdMs };
      const release = () => {
        entry.held = false;
      };
      complete?.then(release, release);
      waiting.push(entry);
      onWaiting();
      return lines++;
    },
    flush,
    waiting: () => waiting.length,
    count: () => lines,
    sync() {
      if (open && !away) fdatasync(fd, () => undefined);
    },
    letGo(keep) {
      if (!open || away) return;
      waiting = waiting.filter(({ line }) => keep(line));
      try {
        write(waiting.length);
      } finally {
        away = true;
        waiting = [];
        closeSync(fd);
      }
    },
    goOn(count) {
      if (!open || !away) return;
      fd = openSync(path, 'r+');
      bytes = fstatSync(fd).size;
      lines = count + waiting.length;
      away = false;
    },
    close() {
      if (!open) return;
      open = false;
      if (away) return;
      try {
        write(waiting.length);
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** The same, made with its first line: a recording without any has no such file. */
export function openLineFileLater(path: string, onWaiting = NOBODY): LineFile {
  let file: LineFile | null = null;
  let early: object[] = [];
  const open = (): void => {
    if (file || early.length === 0) return;
    file = openLineFile(path, onWaiting);
    for (const line of early) file.add(line);
    early = [];
  };
  return {
    add(line, ...held) {
      if (file) return file.add(line, ...held);
      onWaiting();
      return early.push(line) - 1;
    },
    flush() {
      open();
      file?.flush();
    },
    waiting: () => file?.waiting() ?? early.length,
    count: () => file?.count() ?? early.length,
    sync: () => file?.sync(),
    letGo(keep) {
      if (!file) early = early.filter(keep);
      open();
      file?.letGo(keep);
    },
    goOn: (lines) => file?.goOn(lines),
    close() {
      open();
      file?.close();
    },
  };
}

/** A whole file's lines, in pieces: the events of a long recording together are longer than a string may be. */
export function* linesOf(lines: readonly object[]): Generator<string> {
  for (let at = 0; at < lines.length; at += 10_000) {
    yield lines
      .slice(at, at + 10_000)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  }
}
