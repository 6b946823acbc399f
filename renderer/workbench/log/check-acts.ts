import { z } from 'zod';
import { reviewActSchema } from '../../../schemas/review.ts';

const itemSchema = z.object({
  id: z.uuid(),
  act: reviewActSchema,
  at: z.iso.datetime(),
  ready: z.boolean(),
});

/** Acts that a tab kept: anything may stand in a browser's storage. Throws ZodError. */
export const checkActs = (kept: unknown) => z.array(itemSchema).parse(kept);
