import { z } from 'zod';
import { VERIFICATION_STAGES } from '../composition-terms.ts';
import { verificationEventSchema } from '../composition-verification.ts';

/** Verification of compositions by people (docs/compositions.md), as each may see it. */

const stage = z.enum(VERIFICATION_STAGES);
/** A table of a paper: its cells, the first row the heading. */
export const printedSchema = z.object({ title: z.string(), rows: z.array(z.array(z.string())) });

const standingSchema = z.object({
  stages: z.array(
    z.object({
      stage,
      /** `waits`: for the design. `differs`: something that was handed in does not match. */
      state: z.enum(['open', 'waits', 'inHand', 'differs', 'done']),
      /** Names of people. */
      done: z.array(z.string()),
      inHand: z.array(z.string()),
      free: z.int(),
    }),
  ),
  verified: z.boolean(),
  /** Another version of the composition was verified. */
  outOfDate: z.boolean(),
});
export type VerificationStanding = z.infer<typeof standingSchema>;

const workSchema = z.object({
  member: z.string(),
  task: z.string().nullable(),
  /** With its slots as they are written. */
  question: z.string(),
  way: z.array(z.string()),
  apps: z.record(z.string(), z.array(z.string())),
  /** Those on which it is done. */
  platforms: z.array(z.string()),
  outputs: z.array(z.string()),
});
export type VerificationWork = z.infer<typeof workSchema>;

const handedSchema = z.object({
  person: z.string(),
  name: z.string(),
  at: z.string(),
  stage,
  platform: z.string(),
  judged: verificationEventSchema.shape.facts.unwrap().shape.judged,
  matches: z.boolean(),
  seconds: z.number(),
  recordings: z.array(z.object({ member: z.string(), recording: z.string() })),
});

export const verificationShownSchema = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['pathway', 'scenario']),
  /** The top-level task. */
  task: z.string().nullable(),
  /** Belongs to the composition as it is now. */
  version: z.string(),
  n: z.int(),
  standing: standingSchema,
  /** The work that the asker has in hand. */
  mine: z
    .object({
      stage,
      since: z.string(),
      /** False: the composition was changed since. */
      isCurrent: z.boolean(),
      /** Those that are left. */
      platforms: z.array(z.string()),
    })
    .nullable(),
  /** Each stage with why the asker cannot claim it; null: they can. */
  claims: z.array(z.object({ stage, why: z.string().nullable() })),
  /** True: no more is shown, so that the asker may do it blind. */
  isClosed: z.boolean(),
  work: z.array(workSchema),
  truth: z.array(z.object({ member: z.string(), output: z.string(), value: z.string() })),
  /** For the version of now. */
  handed: z.array(handedSchema),
  tables: z.array(printedSchema),
  history: z.array(
    z.object({
      n: z.int(),
      at: z.string(),
      name: z.string(),
      what: z.enum(['look', 'claim', 'release', 'submit', 'answer']),
      stage: stage.nullable(),
      platform: z.string().nullable(),
      matches: z.boolean().nullable(),
      /** Belongs to another version. */
      isOld: z.boolean(),
    }),
  ),
});
export type VerificationShown = z.infer<typeof verificationShownSchema>;

export const verificationItemSchema = z.object({
  composition: z.string(),
  title: z.string(),
  stage,
  mine: z.boolean(),
  platforms: z.array(z.string()),
});
export type VerificationItem = z.infer<typeof verificationItemSchema>;
