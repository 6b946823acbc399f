import { z } from 'zod';
import { modelReplySchema } from './model-requests.ts';
import { PROTOCOLS } from './protocols.ts';

/** Parts of the logs of judges and of drafts: requests about a recording that cost money. */

export const endpointFields = {
  protocol: z.enum(PROTOCOLS),
  /** The endpoint's address, without a key. */
  endpoint: z.string(),
};

export const spendingFields = {
  maxTokens: z.int().nullable(),
  budget: z.number().min(0).nullable(),
  prices: z.object({ input: z.number().min(0), output: z.number().min(0) }).nullable(),
};

export const answeredLineSchema = z.object({
  type: z.literal('answered'),
  n: z.int().min(1),
  reply: modelReplySchema,
  tookMs: z.int().min(0),
  cost: z.number().min(0).nullable(),
  /** It is an earlier answer, paid for there. */
  kept: z.boolean(),
  /** Why it was refused, in words; null: it could be read. */
  refused: z.string().nullable(),
});

/** How asking ends before all was asked. */
export const CUT_ENDS = ['budget', 'uncounted', 'endpoint', 'stopped', 'failed'] as const;
