import { join } from 'node:path';
import type { ZodType } from 'zod';
import { parseShallow } from '../../core/json-depth.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { readIn } from './inside.ts';

/** `newest`: the newest version that this program knows; `most`: bytes, a whole file's limit when left out. */
type FileForm<T> = { schema: ZodType<T>; newest: number; most?: number };

/** The refusal of a file that a newer version of this program wrote. `also`: a sentence that is said in it. */
export const newerVersion = (file: string, found: number, newest: number, also = ''): StudioError =>
  new StudioError(
    'FUTURE_VERSION',
    `${file} has version ${found}; this program knows versions up to ${newest}.${also && ` ${also}`} Use the newer program that wrote it, or update this one.`,
    { file, found, newest },
  );

/** Throws it for a number above `newest`; what is no version at all is for the schema to say. */
export function refuseNewer(file: string, version: unknown, newest: number): void {
  if (typeof version === 'number' && version > newest) throw newerVersion(file, version, newest);
}

/** A JSON file in `folder` that says its version. Throws BAD_FILE with the field, FUTURE_VERSION. */
export function readVersioned<T>(folder: string, path: string, { schema, newest, most }: FileForm<T>): T {
  const file = join(folder, path);
  let value: unknown;
  try {
    value = parseShallow(readIn(folder, path, most).toString('utf8'));
  } catch (error) {
    throw new StudioError('BAD_FILE', `${file} cannot be read: ${whyNot(error)}.`, { file }, { cause: error });
  }
  const version: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'version') : undefined;
  refuseNewer(file, version, newest);
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw misfit(file, issue?.path.join('.') ?? '', issue?.message ?? 'does not fit');
}

/** A field of the file is not as it is to be. */
export const misfit = (file: string, field: string, why: string): StudioError =>
  new StudioError('BAD_FILE', `${file}: field \`${field}\`: ${why}.`, { file, field });
