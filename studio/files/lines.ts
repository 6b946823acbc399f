import { closeSync, readSync } from 'node:fs';
import { whyTooMuch } from '../../core/json-depth.ts';
import { openIn } from './inside.ts';

/** Bytes read at once: large enough that a call costs nothing, small enough for the memory. */
const CHUNK = 1 << 20;
const NEWLINE = 10;
/** A line that is longer is no line of ours (an import takes 4 MB): it is passed over, and never held whole. */
const MOST_LINE = 16 << 20;
/** The length kept of a line that cannot be taken: messages show its beginning. */
const SHOWN = 200;

/** One line that could not be taken. `line` counts from 1, as editors do. */
export type BadLine = { line: number; text: string; torn: boolean };

/**
 * Reads the file `name` of a folder, JSON values one a line, and gives each to `take` with its number from 0. What is no JSON, or what
 * `take` refuses (false), goes to `bad`; `torn` says that it is the last line and has no line end: a crash cut it.
 * `mayHold`: whether a text may hold lines that are wanted; lines of texts that do not are passed over unread, neither taken nor bad.
 * Blocks until the file is read (a million lines: about a second). Throws BAD_FILE for what is no plain
 * file of the folder, else what the file system throws.
 */
export function readJsonLines(
  folder: string,
  name: string,
  take: (value: unknown, index: number) => boolean,
  bad: (line: BadLine) => void,
  mayHold?: MayHold,
) {
  const file = openIn(folder, name);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    // The beginning of a line whose end has not come yet, in pieces: joined once, however long it gets.
    let rest: Buffer[] = [];
    let held = 0;
    let index = 0;
    const keep = (piece: Buffer): void => {
      if (piece.length === 0) return;
      if (held <= MOST_LINE) rest.push(Buffer.from(piece));
      held += piece.length;
      // Too long: only what a message shows of it.
      if (held > MOST_LINE) rest = [Buffer.from(Buffer.concat(rest).subarray(0, SHOWN))];
    };
    const passOver = (torn: boolean): void =>
      bad({ line: index + 1, text: Buffer.concat(rest).toString('utf8', 0, SHOWN), torn });
    for (;;) {
      const length = readSync(file, chunk, 0, CHUNK, null);
      if (length === 0) break;
      let data = chunk.subarray(0, length);
      if (held > MOST_LINE || (held > 0 && !data.includes(NEWLINE))) {
        const first = data.indexOf(NEWLINE);
        keep(first < 0 ? data : data.subarray(0, first));
        if (first < 0) continue;
        passOver(false);
        index++;
        [rest, held] = [[], 0];
        data = data.subarray(first + 1);
      }
      const end = data.lastIndexOf(NEWLINE);
      if (end >= 0) {
        const whole = held > 0 ? Buffer.concat([...rest, data.subarray(0, end)]) : data.subarray(0, end);
        const text = whole.toString('utf8');
        index = mayHold ? takeSome(text, index, take, bad, mayHold) : takeLines(text, index, take, bad);
        [rest, held] = [[], 0];
      }
      keep(data.subarray(end + 1));
    }
    if (held > MOST_LINE) passOver(true);
    else if (held > 0) {
      const text = Buffer.concat(rest).toString('utf8');
      if (mayHold?.(text) ?? true) takeLine(text, index, take, bad, true);
    }
  } finally {
    closeSync(file);
  }
}

type MayHold = (text: string) => boolean;
type Take = (value: unknown, index: number) => boolean;

/** Whole lines, at once where all of them are sound: one call of the parser for many lines takes half the time. */
function takeLines(text: string, start: number, take: Take, bad: (line: BadLine) => void): number {
  const lines = text.split('\n');
  const values = lines.some((line) => whyTooMuch(line) !== null) ? null : parseTogether(text, lines.length);
  for (let i = 0; i < lines.length; i++) {
    if (values === null) takeLine(lines[i]!, start + i, take, bad, false);
    else if (!take(values[i], start + i)) bad({ line: start + i + 1, text: lines[i]!, torn: false });
  }
  return start + lines.length;
}

/** Those of whole lines that may be wanted, each by itself: they are few. */
function takeSome(text: string, start: number, take: Take, bad: (line: BadLine) => void, mayHold: MayHold): number {
  const any = mayHold(text);
  let index = start;
  for (let at = 0; at <= text.length; index++) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    if (any) {
      const line = text.slice(at, end);
      if (mayHold(line)) takeLine(line, index, take, bad, false);
    }
    at = end + 1;
  }
  return index;
}

function takeLine(text: string, index: number, take: Take, bad: (line: BadLine) => void, last: boolean): void {
  let value: unknown;
  if (whyTooMuch(text) !== null) {
    bad({ line: index + 1, text: text.slice(0, SHOWN), torn: last });
    return;
  }
  try {
    value = JSON.parse(text);
  } catch {
    bad({ line: index + 1, text, torn: last });
    return;
  }
  if (!take(value, index)) bad({ line: index + 1, text, torn: last });
}

/** A JSON text holds no bare line end, so sound lines joined by commas are a list of as many values. Otherwise null. */
function parseTogether(text: string, count: number): unknown[] | null {
  try {
    const values: unknown = JSON.parse(`[${text.replaceAll('\n', ',')}]`);
    return Array.isArray(values) && values.length === count ? values : null;
  } catch {
    return null;
  }
}
