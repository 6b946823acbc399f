import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodType } from 'zod';
import { StudioError } from '../../schemas/errors.ts';
import { findFolder } from '../files/inside.ts';
import { readJsonLines } from '../files/lines.ts';
import { refuseNewer } from '../files/versioned.ts';

/** A log whose first line says which it is and of which version. */
type LogForm<T> = { schema: string; newest: number; line: ZodType<T> /** “no line of …” */; of: string };

/** The lines of a log in `folder`. A last line that a kill cut is passed over. Throws BAD_FILE, FUTURE_VERSION. */
export function readLogLines<T>(folder: string, name: string, form: LogForm<T>): T[] {
  const lines: T[] = [];
  const file = join(folder, name);
  readJsonLines(
    folder,
    name,
    (value, index) => {
      if (index === 0) refuseFuture(file, value, form);
      const { success, data } = form.line.safeParse(value);
      if (success) lines.push(data);
      return success;
    },
    ({ line, torn }) => {
      if (torn) return;
      throw new StudioError('BAD_FILE', `Line ${line} of ${file} is no line of ${form.of}.`, { file, line });
    },
  );
  return lines;
}

export type NumberedLog<T> = { number: number; lines: T[] };

const NUMBERED = /^(\d{4,6})\.jsonl$/;
/** The file of the log with this number. */
export const numberedLog = (number: number): string => `${String(number).padStart(4, '0')}.jsonl`;

/** The logs of a folder in a recording's, the oldest first. Throws as `readLogLines`. */
export function readNumberedLogs<T>(folder: string, name: string, form: LogForm<T>): NumberedLog<T>[] {
  const place = findFolder(folder, name);
  if (place === null) return [];
  const numbers = readdirSync(place).flatMap((file) => {
    const number = NUMBERED.exec(file)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers
    .sort((a, b) => a - b)
    .map((number) => ({ number, lines: readLogLines(place, numberedLog(number), form) }));
}

function refuseFuture(file: string, value: unknown, form: { schema: string; newest: number }): void {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('schema' in value)) return;
  const { schema, version } = value;
  if (schema === form.schema) refuseNewer(file, version, form.newest);
}
