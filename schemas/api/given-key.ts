import { z } from 'zod';

/** A key for a model's endpoint: none, of a variable of the studio's environment, or typed. It is kept nowhere. */
export const givenKeySchema = z.discriminatedUnion('from', [
  z.object({ from: z.literal('none') }),
  z.object({ from: z.literal('env'), variable: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }),
  z.object({ from: z.literal('typed'), key: z.string().min(1).max(1000) }),
]);
export type GivenKey = z.infer<typeof givenKeySchema>;
