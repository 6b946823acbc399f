import { z } from 'zod';
import { checkReportSchema } from './checks.ts';
import { recordingIdSchema } from './names.ts';

/** Whether a demonstration is proven: it plays again, its checks pass then, and they fail when it was not done. */

export const VERIFY_SCHEMA = 'trajectory-studio/verify';

const playedSchema = z.object({
  /** The play's own recording. */
  played: recordingIdSchema.nullable(),
  agreed: z.int().min(0),
  of: z.int().min(0),
  passed: z.boolean(),
  /** Why it stopped, in words; null when it went to the end. */
  why: z.string().nullable(),
});
export type VerifiedPlay = z.infer<typeof playedSchema>;

const withoutSchema = z.object({
  /** The demonstration's action that was left out, and its number from 1. */
  step: z.string(),
  number: z.int().min(1),
  played: recordingIdSchema.nullable(),
  passed: z.boolean(),
});
export type WithoutStep = z.infer<typeof withoutSchema>;

/** `verify --json`, and verify.json in the folder of the demonstration. */
export const verifyReportSchema = z.object({
  schema: z.literal(VERIFY_SCHEMA),
  version: z.literal(1),
  recording: recordingIdSchema,
  at: z.iso.datetime(),
  proven: z.boolean(),
  /** Why it is not proven, in words, the first reason first. */
  problems: z.array(z.string()),
  /** Checks that prove little by themselves, though others may do: each with the reason. */
  weak: z.array(z.object({ id: z.string(), why: z.string() })),
  /** The checks on a new stage, before anything was done. */
  untouched: checkReportSchema,
  plays: z.array(playedSchema),
  /** Plays with one step left out, until the checks failed for one; empty where no play was good or the checks pass untouched. */
  without: z.array(withoutSchema),
  /**
   * What the verdict rests on: each play's report by its hash, and a mark that only the workspace can make in which it was
   * reached. Absent: a verdict from before this was kept.
   */
  evidence: z
    .object({
      plays: z.array(z.object({ played: recordingIdSchema, sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
      mark: z.string().max(100),
    })
    .optional(),
});
export type VerifyReport = z.infer<typeof verifyReportSchema>;
