import { z } from 'zod';
import { isTooDeep } from '../../core/json-depth.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { readBounded } from '../files/bounded.ts';
import { MOST_TASK_FILE_BYTES } from './task-files.ts';

/** A kind of JSON file that is kept with a task: its schema, its newest version, and how messages call it. */
export type TaskFileKind<T> = { schema: z.ZodType<T>; version: number; word: string; again: string; most?: number };

/** Reads one. Throws BAD_FILE with the place in it, FUTURE_VERSION. */
export function readTaskFile<T>(
  file: string,
  { schema, version, word, again, most = MOST_TASK_FILE_BYTES }: TaskFileKind<T>,
): T {
  let data: unknown;
  try {
    const text = readBounded(file, most).toString('utf8');
    if (isTooDeep(text)) throw new Error('its values lie too deep in each other');
    data = JSON.parse(text);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      throw new StudioError(
        'BAD_FILE',
        `There is no file ${file} with ${word === 'checks' ? word : `a ${word}`}. Check its name.`,
        { file },
        { cause },
      );
    const why = whyNot(cause);
    throw new StudioError(
      'BAD_FILE',
      `The ${word} ${file} cannot be read: ${why.slice(0, 300)}. Check its path and what is in it.`,
      { file },
      { cause },
    );
  }
  const written = z.object({ version: z.number() }).safeParse(data);
  if (written.success && written.data.version > version) {
    throw new StudioError(
      'FUTURE_VERSION',
      `The ${word} ${file} was written for a newer version of this program. Update it, then ${again} again.`,
      { file, version: written.data.version },
    );
  }
  const checked = schema.safeParse(data);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || word}: ${message}`);
  throw new StudioError('BAD_FILE', `The ${word} ${file} does not fit: ${issues.join('; ')}.`, { file });
}
