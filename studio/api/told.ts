import { basename, sep } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import { apiErrorBody } from './errors.ts';

/**
 * Where a workspace and its database lie is nothing for strangers, nor for members who manage no files there: texts name files from
 * the workspace's folder on.
 */

/** A text as its reader may be told it. */
export type Told = (text: string) => string;

/** Neither the folder nor the address of a database, which stands behind "the database" in what is said of it. */
export const withoutPlaces =
  (folder: string): Told =>
  (text) => {
    const plain = text.includes('postgres')
      ? text.replaceAll(/ ?\bpostgres(?:ql)?:\/\/[^\s"),;]*[^\s"),;.:]/g, '')
      : text;
    return plain.includes(folder)
      ? plain.replaceAll(`${folder}${sep}`, '').replaceAll(folder, basename(folder))
      : plain;
  };

/** An answer with each of its texts so; the same one where none is another. A stream is told value by value. */
export function toldAnswer<T>(answer: T, told: Told): T {
  if (typeof answer === 'string') return told(answer) as T & string;
  if (Array.isArray(answer)) {
    const all = answer.map((one) => toldAnswer<unknown>(one, told));
    return all.every((one, at) => one === answer[at]) ? answer : (all as T); // As long, with the same fields.
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Symbol.asyncIterator in answer) return toldStream(answer as AsyncIterable<unknown>, told) as T; // Looked at.
  if (Object.getPrototypeOf(answer) !== Object.prototype) return answer;
  const fields = Object.entries(answer).map(([name, value]) => [name, toldAnswer<unknown>(value, told)] as const);
  return fields.every(([name, value]) => value === Reflect.get(answer, name))
    ? answer
    : (Object.fromEntries(fields) as T); // As above.
}

async function* toldStream(stream: AsyncIterable<unknown>, told: Told): AsyncGenerator<unknown> {
  for await (const one of stream) yield toldAnswer(one, told);
}

export function toldError(error: unknown, told: Told): StudioError {
  const { code, message, details } = apiErrorBody(error);
  const { database: _where, ...rest } = details;
  return new StudioError(code, told(message), toldAnswer(rest, told), { cause: error });
}
