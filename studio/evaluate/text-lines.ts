import { closeSync, openSync, readSync } from 'node:fs';
import { StudioError } from '../../schemas/errors.ts';

/** A line of a file: its number from 1, its place and length in bytes; `torn`: the last one, without a line end. */
export type TextLine = { text: string; line: number; offset: number; length: number; torn: boolean };

const CHUNK = 1 << 20;
/** No answer is longer; a file without line ends is not JSON Lines. */
const LONGEST = 64 << 20;
const NEWLINE = 10;

/** The lines of a file, a chunk in memory at a time. Empty lines are passed over. Throws BAD_FILE when it is not there. */
export function* textLines(path: string): Generator<TextLine> {
  const file = openFile(path);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    let line = 0;
    for (;;) {
      const read = readSync(file, chunk, 0, CHUNK, null);
      const data = read === 0 ? rest : Buffer.concat([rest, chunk.subarray(0, read)]);
      let start = 0;
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
        line++;
        const text = data.toString('utf8', start, end);
        if (text.trim() !== '') yield { text, line, offset: offset + start, length: end - start, torn: false };
        start = end + 1;
      }
      if (read === 0) {
        const text = data.toString('utf8', start);
        if (text.trim() !== '')
          yield { text, line: line + 1, offset: offset + start, length: data.length - start, torn: true };
        return;
      }
      rest = Buffer.from(data.subarray(start));
      offset += start;
      if (rest.length > LONGEST)
        throw badFile(path, `line ${line + 1} is longer than 64 MB; this is no JSON Lines file`);
    }
  } finally {
    closeSync(file);
  }
}

/** Reads stretches of a file by their place; those that follow each other cost one call for many. */
export function placeReader(path: string): { read(offset: number, length: number): string; close(): void } {
  const file = openFile(path);
  let from = 0;
  let held: Buffer = Buffer.alloc(0);
  return {
    read(offset, length) {
      if (offset < from || offset + length > from + held.length) {
        const buffer = Buffer.allocUnsafe(Math.max(length, CHUNK >> 2));
        held = buffer.subarray(0, readSync(file, buffer, 0, buffer.length, offset));
        from = offset;
      }
      return held.toString('utf8', offset - from, offset - from + length);
    },
    close: () => closeSync(file),
  };
}

export function badFile(path: string, what: string): StudioError {
  return new StudioError('BAD_FILE', `${path}: ${what}.`, { file: path });
}

function openFile(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError(
      'BAD_FILE',
      `${path} cannot be read: ${why}. Give the file's path.`,
      { file: path },
      { cause: error },
    );
  }
}
