import { closeSync, readSync } from 'node:fs';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { openGiven } from './inside.ts';

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
    // The beginning of a line whose end has not come yet, in pieces: joined once, however long it gets.
    let rest: Buffer[] = [];
    let held = 0;
    let offset = 0;
    let line = 0;
    for (;;) {
      const read = readSync(file, chunk, 0, CHUNK, null);
      if (read === 0) break;
      const part = chunk.subarray(0, read);
      if (!part.includes(NEWLINE)) {
        rest.push(Buffer.from(part));
        held += read;
      } else {
        const data = held > 0 ? Buffer.concat([...rest, part]) : part;
        let start = 0;
        for (let end = data.indexOf(NEWLINE, held); end >= 0; end = data.indexOf(NEWLINE, start)) {
          line++;
          const text = data.toString('utf8', start, end);
          if (text.trim() !== '') yield { text, line, offset: offset + start, length: end - start, torn: false };
          start = end + 1;
        }
        rest = [Buffer.from(data.subarray(start))];
        held = data.length - start;
        offset += start;
      }
      if (held > LONGEST) throw badFile(path, `line ${line + 1} is longer than 64 MB; this is no JSON Lines file`);
    }
    const text = Buffer.concat(rest).toString('utf8');
    if (text.trim() !== '') yield { text, line: line + 1, offset, length: held, torn: true };
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
    return openGiven(path);
  } catch (error) {
    const why = whyNot(error);
    throw new StudioError(
      'BAD_FILE',
      `${path} cannot be read: ${why}. Give the file's path.`,
      { file: path },
      { cause: error },
    );
  }
}
