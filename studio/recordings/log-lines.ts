import { join } from 'node:path';
import type { ZodType } from 'zod';
import { StudioError } from '../../schemas/errors.ts';
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

function refuseFuture(file: string, value: unknown, form: { schema: string; newest: number }): void {
  if (typeof value !== 'object' || value === null || !('version' in value) || !('schema' in value)) return;
  const { schema, version } = value;
  if (schema === form.schema) refuseNewer(file, version, form.newest);
}
