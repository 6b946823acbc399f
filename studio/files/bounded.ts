import { closeSync, fstatSync, readSync } from 'node:fs';
import { plural } from '../../core/words.ts';
import { openGiven, openIn } from './inside.ts';

/** Whole files up to a size: a larger one is refused before memory is taken for it. */

/** A file that a person chose. Throws an Error that says its size and the bound, and as openGiven. */
export const readBounded = (path: string, most: number): Buffer => readWhole(openGiven(path), most);

/** A file inside `root`. Throws the same, and as openIn. */
export const readBoundedIn = (root: string, path: string, most: number): Buffer => readWhole(openIn(root, path), most);

/** Joins the pieces of a stream; null as soon as they are more than `most` bytes. */
export async function wholeUpTo(pieces: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | null> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.byteLength;
    if (size > most) return null;
    all.push(piece);
  }
  return Buffer.concat(all);
}

/** The last bytes of a file inside `root`, at most so many: of a log that may have any length. Throws as openIn. */
export function lastBytesIn(root: string, path: string, most: number): Buffer {
  const file = openIn(root, path);
  try {
    const from = Math.max(0, fstatSync(file).size - most);
    const buffer = Buffer.alloc(most);
    return buffer.subarray(0, readSync(file, buffer, 0, most, from));
  } finally {
    closeSync(file);
  }
}

function readWhole(file: number, most: number): Buffer {
  try {
    const { size } = fstatSync(file);
    if (size > most) throw new Error(`it is larger than ${bytes(most)} (${bytes(size)})`);
    const buffer = Buffer.alloc(size);
    let filled = 0;
    // A file that is cut meanwhile ends sooner.
    for (let length = -1; length !== 0 && filled < size; filled += length)
      length = readSync(file, buffer, filled, size - filled, filled);
    return buffer.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}

const bytes = (size: number): string => (size >= 1e6 ? `${Math.round(size / 1e6)} MB` : plural(size, 'byte'));
