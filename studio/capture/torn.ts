import { closeSync, existsSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs';

/** Cuts what comes after the last line break. True when there was something. */
export function cutTornLine(path: string): boolean {
  if (!existsSync(path)) return false;
  const end = lastLineEnd(path);
  if (end === null) return false;
  truncateSync(path, end);
  return true;
}

/** Where the file must end so that its last line is whole; null when it does already. */
function lastLineEnd(path: string): number | null {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const chunk = Buffer.alloc(65_536);
    for (let end = size; end > 0; end -= chunk.length) {
      const from = Math.max(0, end - chunk.length);
      const n = readSync(fd, chunk, 0, end - from, from);
      const at = chunk.subarray(0, n).lastIndexOf(10);
      if (at >= 0) return from + at + 1 === size ? null : from + at + 1;
    }
    return size === 0 ? null : 0;
  } finally {
    closeSync(fd);
  }
}
