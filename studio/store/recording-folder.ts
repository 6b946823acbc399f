import { basename, join } from 'node:path';
import type { z } from 'zod';
import { parseShallow } from '../../core/json-depth.ts';
import { type RecordOf, stepByHandSchema } from '../../schemas/annotation.ts';
import { type ElementLine, elementLineSchema } from '../../schemas/elements.ts';
import { type ErrorCode, StudioError, whyNot } from '../../schemas/errors.ts';
import { type RawEvent, rawEventSchema } from '../../schemas/events.ts';
import { type Frame, frameSchema, type WindowLine, windowLineSchema } from '../../schemas/frames.ts';
import {
  NEWEST_RECORDING_VERSION,
  RECORDING_SCHEMA,
  type Recording,
  recordingSchema,
} from '../../schemas/recording.ts';
import { writeFileAtomic } from '../files/atomic.ts';
import { findFile, readIn } from '../files/inside.ts';
import { type BadLine, readJsonLines } from '../files/lines.ts';
import { refuseNewer } from '../files/versioned.ts';
import { hasEventShape } from './event-shape.ts';

/** The files of a recording folder (architecture.md, "Data on disk"). */
export const RECORDING_FILE = 'recording.json';
export const EVENTS_FILE = 'events.jsonl';
export const FRAMES_FILE = 'frames.jsonl';
export const WINDOWS_FILE = 'windows.jsonl';
/** Steps that people added at the picture (core/annotate/RULES.md, N12). */
export const BY_HAND_FILE = 'by-hand.jsonl';
/** The element at each press, as programs reported it (I3); optional. */
export const ELEMENTS_FILE = 'elements.jsonl';

/** Something in a file that was got over. `line` counts from 1. Codes: TORN_LINE (the last, cut by a crash), BAD_LINE. */
export type FileWarning = { code: 'TORN_LINE' | 'BAD_LINE'; file: string; line: number; message: string };

/**
 * recording.json of a folder. Throws BAD_FILE with file and field, FUTURE_VERSION for a version later than ours.
 */
export function readRecording(folder: string): Recording {
  const file = join(folder, RECORDING_FILE);
  const value = parseJson(file, readText(folder, RECORDING_FILE));
  const head = (typeof value === 'object' && value !== null ? value : {}) as { schema?: unknown; version?: unknown };
  if (head.schema !== RECORDING_SCHEMA) {
    throw new StudioError(
      'BAD_FILE',
      `${file} is not a recording: its field \`schema\` is not "${RECORDING_SCHEMA}".`,
      {
        file,
        field: 'schema',
      },
    );
  }
  refuseNewer(file, head.version, NEWEST_RECORDING_VERSION);
  return checked(file, recordingSchema, value);
}

/** Writes recording.json atomically. Throws BAD_FILE when the value does not fit the schema: nothing is written then. */
export function writeRecording(folder: string, recording: Recording): void {
  const file = join(folder, RECORDING_FILE);
  writeFileAtomic(file, `${JSON.stringify(checked(file, recordingSchema, recording), null, 2)}\n`);
}

/**
 * events.jsonl. An event's place in `events` is its raw index, so a bad line keeps its place as a `notice` with the
 * code BAD_LINE. A torn last line is dropped. Both are reported. A million lines take about a second; `schema` checks
 * each against its full schema instead of its shape, many times slower.
 * Throws BAD_FILE when the file is missing.
 */
export function readEvents(
  folder: string,
  check: 'shape' | 'schema' = 'shape',
): { events: RawEvent[]; warnings: FileWarning[] } {
  const events: RawEvent[] = [];
  const warnings = eachEvent(folder, (event) => events.push(event), check);
  return { events, warnings };
}

/** The same, one event at a time in their order: five million of a long day are a gigabyte of memory as a list. */
export function eachEvent(
  folder: string,
  see: (event: RawEvent) => void,
  check: 'shape' | 'schema' = 'shape',
): FileWarning[] {
  const fits = check === 'shape' ? hasEventShape : (value: unknown) => rawEventSchema.safeParse(value).success;
  let t = 0;
  return readLines(
    folder,
    EVENTS_FILE,
    (value) => {
      if (!fits(value)) return false;
      const event = value as RawEvent; // `fits` looked.
      t = event.t;
      see(event);
      return true;
    },
    ({ code, message }) => {
      if (code !== 'TORN_LINE') see({ type: 'notice', t, code, message });
    },
  );
}

/** A line of the recorder's own input says so in these letters, or may, in a JSON text that spells one by its number. */
const mayBeOwn = (text: string): boolean => text.includes('"own"') || text.includes('\\u');

/** The raw indices of the recorder's own input, as its `own` lines name them. Only lines that may be one are parsed. */
export function ownEvents(folder: string): Set<number> {
  const own = new Set<number>();
  const take = (value: unknown): boolean => {
    if (!hasEventShape(value)) return false;
    if (value.type === 'own') for (const index of value.events) own.add(index);
    return true;
  };
  try {
    readJsonLines(folder, EVENTS_FILE, take, () => undefined, mayBeOwn);
  } catch (error) {
    throw unreadable(join(folder, EVENTS_FILE), error);
  }
  return own;
}

/** The marks that a person made, in the order of the lines. Only lines that may be one are parsed. Throws BAD_FILE. */
export function markLines(folder: string): Extract<RawEvent, { type: 'mark' }>[] {
  const marks: Extract<RawEvent, { type: 'mark' }>[] = [];
  const take = (value: unknown): boolean => {
    if (!hasEventShape(value)) return false;
    if (value.type === 'mark') marks.push(value);
    return true;
  };
  const mayBe = (text: string): boolean => text.includes('"mark"') || text.includes('\\u');
  try {
    readJsonLines(folder, EVENTS_FILE, take, () => undefined, mayBe);
  } catch (error) {
    throw unreadable(join(folder, EVENTS_FILE), error);
  }
  return marks;
}

/** frames.jsonl in order; bad lines are left out and reported. Throws BAD_FILE when the file is missing. */
export function readFrames(folder: string): { frames: Frame[]; warnings: FileWarning[] } {
  const frames: Frame[] = [];
  const warnings = readLines(folder, FRAMES_FILE, (value) => keep(frameSchema, value, frames));
  return { frames, warnings };
}

/** A line of frames.jsonl: what it says, or for how many lines a stretch stands that could not be read. */
export type FrameEntry = { frame: Frame } | { unread: number; torn: boolean };

/** frames.jsonl line by line, as a recovery needs it. */
export function readFrameEntries(folder: string): {
  entries: FrameEntry[];
  warnings: FileWarning[];
} {
  const entries: FrameEntry[] = [];
  const warnings = readLines(
    folder,
    FRAMES_FILE,
    (value) => {
      const result = frameSchema.safeParse(value);
      if (result.success) entries.push({ frame: result.data });
      return result.success;
    },
    // A line end that is gone makes one line of two.
    ({ code }, text) => entries.push({ unread: Math.max(1, openedIn(text)), torn: code === 'TORN_LINE' }),
  );
  return { entries, warnings };
}

/** Counted, and not cut into parts: a line may be of brackets alone. */
function openedIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) count++;
  return count;
}

/** windows.jsonl in order, empty when there is none; bad lines are left out and reported. */
export function readWindows(folder: string): { windows: WindowLine[]; warnings: FileWarning[] } {
  const windows: WindowLine[] = [];
  if (findFile(folder, WINDOWS_FILE) === null) return { windows, warnings: [] };
  const warnings = readLines(folder, WINDOWS_FILE, (value) => keep(windowLineSchema, value, windows));
  return { windows, warnings };
}

/** elements.jsonl in order, empty when there is none; bad lines are left out and reported. */
export function readElements(folder: string): { elements: ElementLine[]; warnings: FileWarning[] } {
  const elements: ElementLine[] = [];
  if (findFile(folder, ELEMENTS_FILE) === null) return { elements, warnings: [] };
  const warnings = readLines(folder, ELEMENTS_FILE, (value) => keep(elementLineSchema, value, elements));
  return { elements, warnings };
}

/** by-hand.jsonl in order, empty when there is none; bad lines are left out and reported. */
export function readByHand(folder: string): { steps: RecordOf<'step'>[]; warnings: FileWarning[] } {
  const steps: RecordOf<'step'>[] = [];
  if (findFile(folder, BY_HAND_FILE) === null) return { steps, warnings: [] };
  const warnings = readLines(folder, BY_HAND_FILE, (value) => keep(stepByHandSchema, value, steps));
  return { steps, warnings };
}

/** Errors for which a recording's own files are to blame: it is left out of a list, and the rest of the list stands. */
export const OF_THE_RECORDING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BAD_FILE',
  'FUTURE_VERSION',
  'RECORDING_DAMAGED',
  'UNKNOWN_FILE',
  'USAGE',
]);

/**
 * The result of `work` over a recording's files. The files may be anybody's, and a line that passes the quick look may still
 * surprise what reads it: that is an error of this recording, with its folder, and never one of the list that it stands in.
 * Throws BAD_FILE, and what `work` throws with words for a person.
 */
export function madeOf<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StudioError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError(
      'BAD_FILE',
      `The files of the recording in ${folder} cannot be taken: ${why}. Leave it out, or report it with its events.jsonl.`,
      { file: folder },
      { cause: error },
    );
  }
}

function keep<T>(schema: z.ZodType<T>, value: unknown, list: T[]): boolean {
  const result = schema.safeParse(value);
  if (result.success) list.push(result.data);
  return result.success;
}

function readLines(
  folder: string,
  name: string,
  take: (value: unknown) => boolean,
  onWarning: (warning: FileWarning, text: string) => void = () => undefined,
): FileWarning[] {
  const file = join(folder, name);
  const warnings: FileWarning[] = [];
  const bad = (line: BadLine): void => {
    const warning = warningOf(name, line);
    warnings.push(warning);
    onWarning(warning, line.text);
  };
  try {
    readJsonLines(folder, name, take, bad);
  } catch (error) {
    throw unreadable(file, error);
  }
  return warnings;
}

function warningOf(file: string, { line, text, torn }: BadLine): FileWarning {
  const code = torn ? 'TORN_LINE' : 'BAD_LINE';
  const start = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  const message = torn
    ? `${file} line ${line}: the last line was cut off while being written and is left out: ${start}`
    : `${file} line ${line}: not a line of this file, left out: ${start}`;
  return { code, file, line, message };
}

/** A hundred times what a day with a segment a minute needs; it is read at each look at the folder, bytes. */
const MOST_RECORDING = 16 << 20;

function readText(folder: string, name: string): string {
  try {
    return readIn(folder, name, MOST_RECORDING).toString('utf8');
  } catch (error) {
    throw unreadable(join(folder, name), error);
  }
}

function unreadable(file: string, cause: unknown): StudioError {
  const isMissing = cause instanceof StudioError && cause.details.missing === true;
  if (cause instanceof StudioError && !isMissing) return cause;
  const why = isMissing ? 'there is no such file' : whyNot(cause);
  return new StudioError('BAD_FILE', `${file} cannot be read: ${why}.`, { file }, { cause });
}

function parseJson(file: string, text: string): unknown {
  try {
    return parseShallow(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError('BAD_FILE', `${file} is not JSON: ${why}.`, { file }, { cause: error });
  }
}

function checked<T>(file: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') ?? '';
  throw new StudioError(
    'BAD_FILE',
    `${file}: field \`${field || basename(file)}\`: ${issue?.message ?? 'does not fit'}.`,
    {
      file,
      field,
      issues: result.error.issues.length,
    },
  );
}
