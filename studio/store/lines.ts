import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes read at once: large enough that a call costs nothing, small enough for the memory. */
const CHUNK = 1 << 20;
const NEWLINE = 10;

/** One line that could not be taken. `line` counts from 1, as editors do. */
export type BadLine = { line: number; text: string; torn: boolean };

/**
 * Reads a file of JSON values, one a line, and gives each to `take` with its number from 0. What is no JSON, or what
 * `take` refuses (false), goes to `bad`; `torn` says that it is the last line and has no line end: a crash cut it.
 * Blocks until the file is read (a million lines: about a second). Throws what the file system throws.
 */
export function readJsonLines(
  path: string,
  take: (value: unknown, index: number) => boolean,
  bad: (line: BadLine) => void,
) {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let rest: Buffer = Buffer.alloc(0);
    let index = 0;
    for (;;) {
      const length = readSync(file, chunk, 0, CHUNK, null);
      if (length === 0) break;
      const data = Buffer.concat([rest, chunk.subarray(0, length)]);
      const end = data.lastIndexOf(NEWLINE);
      rest = data.subarray(end + 1);
      if (end >= 0) index = takeLines(data.toString('utf8', 0, end), index, take, bad);
    }
    if (rest.length > 0) takeLine(rest.toString('utf8'), index, take, bad, true);
  } finally {
    closeSync(file);
  }
}

type Take = (value: unknown, index: number) => boolean;

/** Whole lines, at once where all of them are sound: one call of the parser for many lines takes half the time. */
function takeLines(text: string, start: number, take: Take, bad: (line: BadLine) => void): number {
  const lines = text.split('\n');
  const values = parseTogether(text, lines.length);
  for (let i = 0; i < lines.length; i++) {
    if (values === null) takeLine(lines[i]!, start + i, take, bad, false);
    else if (!take(values[i], start + i)) bad({ line: start + i + 1, text: lines[i]!, torn: false });
  }
  return start + lines.length;
}

function takeLine(text: string, index: number, take: Take, bad: (line: BadLine) => void, last: boolean): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    bad({ line: index + 1, text, torn: last });
    return;
  }
  if (!take(value, index)) bad({ line: index + 1, text, torn: last });
}

/** A JSON text holds no bare line end, so sound lines joined by commas are a list of as many values. Else null. */
function parseTogether(text: string, count: number): unknown[] | null {
  try {
    const values: unknown = JSON.parse(`[${text.replaceAll('\n', ',')}]`);
    return Array.isArray(values) && values.length === count ? values : null;
  } catch {
    return null;
  }
}
