import { z } from 'zod';
import { COMPOSITION_ID, VERIFICATION_STAGES } from './composition-terms.ts';
import { COMPOSITION_LIMITS as MOST } from './limits.ts';
import { recordingIdSchema } from './names.ts';

/**
 * How people verified a composition (docs/compositions.md): a log beside it, a JSON value a line. Its first line says which it
 * is, every other one is an event.
 */
export const VERIFICATION_SCHEMA = 'trajectory-studio/composition-verification';
export const VERIFICATION_VERSION = 1;

const stage = z.enum(VERIFICATION_STAGES);
/** '' where the composition names no platform. */
const platform = z.string().max(MOST.short);
const answer = z.string().max(MOST.answer);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const verificationHeadSchema = z.object({
  schema: z.literal(VERIFICATION_SCHEMA),
  version: z.literal(VERIFICATION_VERSION),
  composition: z.string().regex(COMPOSITION_ID),
});

const handedMemberSchema = z.object({
  member: z.string().max(MOST.short),
  /** Null: nothing was recorded, which does not match. */
  recording: recordingIdSchema.nullable(),
  /** Of its outputs, as they were typed; '' where none was found. */
  answers: z.array(z.object({ output: z.string().max(MOST.short), text: answer })).max(MOST.outputs),
});

export const verificationActSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('claim'), stage }),
  /** Gives back what was claimed last. */
  z.object({ type: z.literal('release') }),
  /** All members on one platform: of the design, or of the independent stage. */
  z.object({ type: z.literal('submit'), platform, members: z.array(handedMemberSchema).max(MOST.members) }),
  /** Of the blind stage: what was found, in any order. */
  z.object({
    type: z.literal('answer'),
    answers: z.array(answer.min(1)).max(MOST.outputs),
    recording: recordingIdSchema.nullable(),
  }),
]);
export type VerificationAct = z.infer<typeof verificationActSchema>;

/** They opened the composition, so that they cannot do it blind any more. */
const lookSchema = z.object({ type: z.literal('look') });

/** An answer as the comparison that its output names found it when it was handed in. */
const judgedSchema = z.object({
  member: z.string(),
  /** Null: of the member itself, which was recorded or not. */
  output: z.string().nullable(),
  text: z.string(),
  matches: z.boolean(),
});
export type JudgedAnswer = z.infer<typeof judgedSchema>;

export const verificationEventSchema = z.object({
  n: z.int().min(1),
  /** An act that is sent twice is done once. */
  id: z.uuid(),
  at: z.iso.datetime(),
  person: z.string().min(1).max(100),
  /** As they were called then, for a workspace that does not know them. */
  name: z.string().max(MOST.short),
  /** Of the composition as it was then: SHA-256 of its canonical JSON. */
  of: sha256,
  act: z.discriminatedUnion('type', [...verificationActSchema.options, lookSchema]),
  /** Of what was handed in. */
  facts: z
    .object({
      judged: z.array(judgedSchema).max(MOST.members * MOST.outputs),
      /** All of it matches; of blind work: the result does. */
      matches: z.boolean(),
      /** The length of its recordings; without one the time since it was claimed. */
      seconds: z.number().min(0),
      /** It was the last that the claim was for. */
      ends: z.boolean(),
    })
    .optional(),
});
export type VerificationEvent = z.infer<typeof verificationEventSchema>;
