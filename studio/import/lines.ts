import { isUtf8 } from 'node:buffer';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { z } from 'zod';
import { MOST_LINE_VALUES, MOST_VALUES_WHOLE, whyTooMuch } from '../../core/json-depth.ts';
import { StudioError } from '../../schemas/errors.ts';
import { refuseNewer } from '../files/versioned.ts';
import { type ImportLimits, MOST_PROBLEMS } from './limits.ts';

/** Lines of a stranger's file, bounded. */
type Line = { number: number; bytes: Buffer; torn: boolean };

/** Lines are without their end. A line that is too long, finished or not, ends the reading: it is never held whole. */
export async function* boundedLines(
  file: string,
  { lineBytes }: Pick<ImportLimits, 'lineBytes'>,
  signal: AbortSignal,
  progress: (share: number) => void = () => undefined,
): AsyncGenerator<Line | { number: number; tooLong: true }> {
  const all = statSync(file).size || 1;
  let done = 0;
  let number = 0;
  // The beginning of a line, in pieces that are joined once.
  let rest: Buffer[] = [];
  let held = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 64 * 1024, signal })) {
    const bytes = chunk as Buffer; // A stream without an encoding gives Buffers.
    done += bytes.length;
    let data = bytes;
    if (held > 0 && bytes.includes(10)) {
      data = Buffer.concat([...rest, bytes]);
      [rest, held] = [[], 0];
    }
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10)) {
      number++;
      if (end > lineBytes) return yield { number, tooLong: true };
      yield { number, bytes: data.subarray(0, end), torn: false };
      data = data.subarray(end + 1);
    }
    if (data.length > 0) rest.push(Buffer.from(data));
    held += data.length;
    if (held > lineBytes) return yield { number: number + 1, tooLong: true };
    progress(done / all);
  }
  if (held > 0) yield { number: number + 1, bytes: Buffer.concat(rest), torn: true };
}

/** A line's value by its schema, or why it has none. `mostValues`: by default those of a file that is one value. */
export function parseLine<T>(
  bytes: Buffer,
  schema: z.ZodType<T>,
  mostValues = MOST_VALUES_WHOLE,
): { value: T } | { why: string } {
  if (!isUtf8(bytes)) return { why: 'it is not UTF-8' };
  const text = bytes.toString('utf8');
  const tooMuch = whyTooMuch(text, mostValues);
  if (tooMuch !== null) return { why: tooMuch };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: 'it is not JSON' };
  }
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  const issue = result.error.issues[0];
  return { why: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'does not fit'}` };
}

/**
 * For a JSON text that does not fit its schema: throws FUTURE_VERSION when it says that it is of a version later than
 * `newest`, and returns otherwise.
 */
export function refuseLater(file: string, text: Buffer, { schema, newest }: { schema: string; newest: number }): void {
  let head: { schema?: unknown; version?: unknown };
  try {
    head = Object(JSON.parse(text.toString('utf8')));
  } catch {
    return; // Not JSON at all: the caller says what is wrong with it.
  }
  if (head.schema === schema) refuseNewer(file, head.version, newest);
}

export const tooLong = ({ lineBytes }: Pick<ImportLimits, 'lineBytes'>): string =>
  `the line is longer than ${lineBytes} bytes`;

/**
 * Hands each line's value to `take`, in order. A torn last line is passed over and told by the answer. Throws BAD_FILE with
 * up to 20 problems, each with file and line.
 */
export async function readBoundedLines<T>(
  file: string,
  schema: z.ZodType<T>,
  limits: ImportLimits,
  signal: AbortSignal,
  take: (value: T, line: number) => void,
  progress?: (share: number) => void,
): Promise<{ lines: number; torn: boolean }> {
  const problems: string[] = [];
  let found = 0;
  let lines = 0;
  let torn = false;
  const problem = (number: number, why: string): void => {
    found++;
    if (problems.length < MOST_PROBLEMS) problems.push(`${basename(file)} line ${number}: ${why}`);
  };
  for await (const line of boundedLines(file, limits, signal, progress)) {
    if ('tooLong' in line) {
      problem(line.number, tooLong(limits));
      break;
    }
    // Written on Windows, or an empty line at the end: no harm.
    if (line.bytes.toString('latin1').trim() === '') continue;
    const parsed = parseLine(line.bytes, schema, MOST_LINE_VALUES);
    if ('value' in parsed) {
      lines++;
      if (found === 0) take(parsed.value, line.number);
    } else if (line.torn) torn = true;
    else problem(line.number, parsed.why);
    if (found >= 1000) break;
  }
  if (found > 0) throw unsound(basename(file), problems, found);
  return { lines, torn };
}

/** A JSON file by its schema. Throws BAD_FILE with file and field. */
export function readBoundedJson<T>(file: string, schema: z.ZodType<T>, { jsonBytes }: ImportLimits): T {
  const name = basename(file);
  if (!existsSync(file)) throw new StudioError('BAD_FILE', `${name} is missing. Nothing was kept.`, { file: name });
  if (statSync(file).size > jsonBytes) {
    throw new StudioError('BAD_FILE', `${name} is larger than ${jsonBytes / 1e6} MB. Nothing was kept.`, {
      file: name,
    });
  }
  const parsed = parseLine(readFileSync(file), schema);
  if ('value' in parsed) return parsed.value;
  throw unsound(name, [`${name}: ${parsed.why}`], 1);
}

function unsound(name: string, problems: readonly string[], count: number): StudioError {
  const more = count > 1 ? ` (and ${count - 1} more)` : '';
  return new StudioError('BAD_FILE', `It cannot be imported: ${problems[0]}${more}. Nothing was kept.`, {
    file: name,
    problems: [...problems],
    count,
  });
}
