import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { StudioError } from '../../schemas/errors.ts';
import { type RawEvent, rawEventSchema } from '../../schemas/events.ts';
import { type Frame, frameSchema, type WindowLine, windowLineSchema } from '../../schemas/frames.ts';
import { RECORDING_SCHEMA, RECORDING_VERSION, type Recording, recordingSchema } from '../../schemas/recording.ts';
import { writeFileAtomic } from './atomic.ts';
import { hasEventShape } from './event-shape.ts';
import { type BadLine, readJsonLines } from './lines.ts';

/** The files of a recording folder (architecture.md, "Data on disk"). */
export const RECORDING_FILE = 'recording.json';
export const EVENTS_FILE = 'events.jsonl';
export const FRAMES_FILE = 'frames.jsonl';
export const WINDOWS_FILE = 'windows.jsonl';
/** What the accessibility tree said at presses (I3); optional. */
export const ELEMENTS_FILE = 'elements.jsonl';

/** Something in a file that was got over. `line` counts from 1. Codes: TORN_LINE (the last, cut by a crash), BAD_LINE. */
export type FileWarning = { code: 'TORN_LINE' | 'BAD_LINE'; file: string; line: number; message: string };

/**
 * recording.json of a folder. Throws BAD_FILE with file and field, FUTURE_VERSION for a version later than ours.
 */
export function readRecording(folder: string): Recording {
  const file = join(folder, RECORDING_FILE);
  const value = parseJson(file, readText(file));
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
  if (typeof head.version === 'number' && head.version > RECORDING_VERSION) {
    throw new StudioError(
      'FUTURE_VERSION',
      `${file} has version ${head.version}; this program knows versions up to ${RECORDING_VERSION}. Use the newer program that wrote it, or update this one.`,
      { file, found: head.version, newest: RECORDING_VERSION },
    );
  }
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
  const fits = check === 'shape' ? hasEventShape : (value: unknown) => rawEventSchema.safeParse(value).success;
  const warnings = readLines(
    folder,
    EVENTS_FILE,
    (value) => {
      if (!fits(value)) return false;
      events.push(value as RawEvent); // `fits` looked.
      return true;
    },
    (warning) => {
      if (warning.code === 'TORN_LINE') return;
      events.push({ type: 'notice', t: events.at(-1)?.t ?? 0, code: warning.code, message: warning.message });
    },
  );
  return { events, warnings };
}

/** frames.jsonl in order; bad lines are left out and reported. Throws BAD_FILE when the file is missing. */
export function readFrames(folder: string): { frames: Frame[]; warnings: FileWarning[] } {
  const frames: Frame[] = [];
  const warnings = readLines(folder, FRAMES_FILE, (value) => keep(frameSchema, value, frames));
  return { frames, warnings };
}

/** windows.jsonl in order, empty when there is none; bad lines are left out and reported. */
export function readWindows(folder: string): { windows: WindowLine[]; warnings: FileWarning[] } {
  const windows: WindowLine[] = [];
  if (!existsSync(join(folder, WINDOWS_FILE))) return { windows, warnings: [] };
  const warnings = readLines(folder, WINDOWS_FILE, (value) => keep(windowLineSchema, value, windows));
  return { windows, warnings };
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
  onWarning: (warning: FileWarning) => void = () => undefined,
): FileWarning[] {
  const file = join(folder, name);
  const warnings: FileWarning[] = [];
  const bad = (line: BadLine): void => {
    const warning = warningOf(name, line);
    warnings.push(warning);
    onWarning(warning);
  };
  try {
    readJsonLines(file, take, bad);
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

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): StudioError {
  if (cause instanceof StudioError) return cause;
  const why = existsSync(file) ? (cause instanceof Error ? cause.message : String(cause)) : 'there is no such file';
  return new StudioError('BAD_FILE', `${file} cannot be read: ${why}.`, { file }, { cause });
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
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
