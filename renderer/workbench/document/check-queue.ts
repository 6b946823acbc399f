import { z } from 'zod';
import { transactionSchema } from '../../../schemas/annotation.ts';
import type { Item } from './pending.ts';

const itemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tx'), tx: transactionSchema, acked: z.int().nullable() }),
  z.object({ kind: z.literal('undo'), id: z.string(), since: z.int().nullable() }),
  z.object({ kind: z.literal('redo'), id: z.string(), since: z.int().nullable() }),
]);

/** Gestures that a tab kept: anything may stand in a browser's storage. Throws ZodError. */
export const checkQueue = (kept: unknown): Item[] => z.array(itemSchema).parse(kept);
