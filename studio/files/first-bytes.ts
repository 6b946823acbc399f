import { closeSync, readSync } from 'node:fs';
import { openGiven } from './inside.ts';
import { SNIFF_BYTES, sniffMime } from './mime.ts';

/** A file's first `most` bytes, fewer when it has fewer. Throws what opening and reading throw. */
export function firstBytes(file: string, most: number): Buffer {
  const handle = openGiven(file);
  try {
    const bytes = Buffer.alloc(most);
    return bytes.subarray(0, readSync(handle, bytes, 0, most, 0));
  } finally {
    closeSync(handle);
  }
}

/** A file's type by its first bytes, as `sniffMime` gives it. */
export const mimeOf = (file: string): string => sniffMime(firstBytes(file, SNIFF_BYTES));
