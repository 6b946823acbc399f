import { z } from 'zod';
import { append } from '../../core/lists.ts';
import { holdsMoreThan } from '../../core/weight.ts';
import { breathe } from './breathe.ts';

/** Values that are checked in one piece: some milliseconds' work at most. */
const PIECE = 4000;
/** Entries of a list that are checked together, where all of them together are small. */
const TOGETHER = 64;

/**
 * Gives what `schema.safeParse` gives, but lets other work go first between the parts of a large value: every step of two hours is a
 * tenth of a second's work. Lists and objects are taken apart; what a union holds is one piece. What speaks against a large value
 * is said of the first part that does not fit alone: of twenty thousand wrong ones it would be seconds' work.
 */
export async function checkSlowly<S extends z.ZodType>(
  schema: S,
  value: unknown,
): Promise<z.ZodSafeParseResult<z.output<S>>> {
  if (!holdsMoreThan(value, PIECE)) return schema.safeParse(value);
  try {
    // Put together of what the parts' schemas gave.
    return { success: true, data: (await inParts(schema, value, [])) as z.output<S> };
  } catch (error) {
    if (error instanceof z.ZodError) return { success: false, error: error as z.ZodError<z.output<S>> };
    throw error;
  }
}

/** A part's place in the whole. */
type Place = readonly PropertyKey[];

/** Throws what speaks against a part as it is said of the whole. */
function checked<S extends z.core.$ZodType>(schema: S, value: unknown, place: Place, first = 0): z.output<S> {
  const { success, data, error } = z.safeParse(schema, value);
  if (success) return data;
  const inWhole = ([at, ...rest]: readonly PropertyKey[]): PropertyKey[] =>
    at === undefined ? [...place] : [...place, typeof at === 'number' ? at + first : at, ...rest];
  throw new z.ZodError(error.issues.map((issue) => ({ ...issue, path: inWhole(issue.path) })));
}

async function inParts(schema: z.core.$ZodType, value: unknown, place: Place): Promise<unknown> {
  await breathe();
  if (holdsMoreThan(value, PIECE)) {
    if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
      return inParts(schema.def.innerType, value, place);
    if (schema instanceof z.ZodArray && Array.isArray(value)) return listInParts(schema, value, place);
    if (schema instanceof z.ZodObject && isPlain(schema) && isRecord(value)) return objectInParts(schema, value, place);
  }
  return checked(schema, value, place);
}

async function listInParts(schema: z.ZodArray, list: readonly unknown[], place: Place): Promise<unknown[]> {
  const { element, checks = [] } = schema.def;
  const some = z.array(element);
  const kept: unknown[] = [];
  for (let at = 0; at < list.length; at += TOGETHER) {
    await breathe();
    const part = list.slice(at, at + TOGETHER);
    if (holdsMoreThan(part, PIECE))
      for (const [n, one] of part.entries()) kept.push(await inParts(element, one, [...place, at + n]));
    else append(kept, checked(some, part, place, at));
  }
  // How long it may be.
  if (checks.length > 0) checked(schema.clone({ ...schema.def, element: z.any() }), kept, place);
  return kept;
}

async function objectInParts(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  place: Place,
): Promise<object> {
  const kept: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(schema.def.shape)) {
    const found = await inParts(field, value[key], [...place, key]);
    if (found !== undefined || key in value) kept[key] = found;
  }
  return kept;
}

/** A schema of fields alone: no rules over several of them, and unknown fields are left out. */
const isPlain = ({ def }: z.ZodObject): boolean => def.catchall === undefined && (def.checks?.length ?? 0) === 0;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
