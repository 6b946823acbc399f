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
 * tenth of a second's work. Lists and objects are taken apart; what a union holds is one piece.
 */
export async function checkSlowly<S extends z.ZodType>(
  schema: S,
  value: unknown,
): Promise<z.ZodSafeParseResult<z.output<S>>> {
  if (!holdsMoreThan(value, PIECE)) return schema.safeParse(value);
  try {
    // Put together of what the parts' schemas gave.
    return { success: true, data: (await inParts(schema, value)) as z.output<S> };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    // In the words, and with the paths, of the whole.
    return schema.safeParse(value);
  }
}

async function inParts(schema: z.core.$ZodType, value: unknown): Promise<unknown> {
  await breathe();
  if (holdsMoreThan(value, PIECE)) {
    if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return inParts(schema.def.innerType, value);
    if (schema instanceof z.ZodArray && Array.isArray(value)) return listInParts(schema, value);
    if (schema instanceof z.ZodObject && isPlain(schema) && isRecord(value)) return objectInParts(schema, value);
  }
  return z.parse(schema, value);
}

async function listInParts(schema: z.ZodArray, list: readonly unknown[]): Promise<unknown[]> {
  const { element, checks = [] } = schema.def;
  const some = z.array(element);
  const kept: unknown[] = [];
  for (let at = 0; at < list.length; at += TOGETHER) {
    await breathe();
    const part = list.slice(at, at + TOGETHER);
    if (holdsMoreThan(part, PIECE)) for (const one of part) kept.push(await inParts(element, one));
    else append(kept, some.parse(part));
  }
  // How long it may be.
  if (checks.length > 0) schema.clone({ ...schema.def, element: z.any() }).parse(kept);
  return kept;
}

async function objectInParts(schema: z.ZodObject, value: Readonly<Record<string, unknown>>): Promise<object> {
  const kept: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(schema.def.shape)) {
    const found = await inParts(field, value[key]);
    if (found !== undefined || key in value) kept[key] = found;
  }
  return kept;
}

/** A schema of fields alone: no rules over several of them, and unknown fields are left out. */
const isPlain = ({ def }: z.ZodObject): boolean => def.catchall === undefined && (def.checks?.length ?? 0) === 0;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
