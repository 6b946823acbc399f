import { z } from 'zod';
import { HOTTEST, MOST_CANDIDATES, TEXT_LIMITS } from './limits.ts';
import { modelPictureSchema, modelRequestSchema } from './model-requests.ts';
import { recordingIdSchema } from './names.ts';
import { answeredLineSchema, CUT_ENDS, endpointFields, spendingFields } from './paid-requests.ts';
import { SCALES } from './scales.ts';

/**
 * Answers that a model gave when it was asked several times for the next step of a recording (docs/agents.md, "Candidates of a
 * step"): candidates/N.jsonl in its folder. They stand beside the annotation and never in it.
 */

export const CANDIDATE_FOLDER = 'candidates';
export const CANDIDATE_SCHEMA = 'trajectory-studio/candidates';
export const NEWEST_CANDIDATE_VERSION = 1;

const action = z.string().min(1).max(200);
const model = z.string().min(1).max(500);

/** A step as models are shown it: the screen before it. */
const candidateStepSchema = z.object({
  action,
  /** Its number from 1, as the page counts all steps. */
  number: z.int().min(1),
  /** The step that the person did, in words: told of steps before the one that is asked about, and to judges. */
  words: z.string(),
  /** Null: nothing is asked of it. */
  screen: modelPictureSchema.nullable(),
});
export type CandidateStep = z.infer<typeof candidateStepSchema>;

/** Everything that the requests depend on. */
const candidateSubjectSchema = z.object({
  recording: recordingIdSchema,
  task: z.string(),
  software: z.string(),
  goal: z.string(),
  steps: z.array(candidateStepSchema).max(20_000),
});
export type CandidateSubject = z.infer<typeof candidateSubjectSchema>;

const headSchema = z.object({
  subject: candidateSubjectSchema,
  ...endpointFields,
  model,
  /** A model at the same endpoint that says of each candidate whether it is right; null: nobody. */
  judge: model.nullable(),
  /** Candidates of each step. */
  each: z.int().min(1).max(MOST_CANDIDATES),
  temperature: z.number().min(0).max(HOTTEST),
  /** The unit of places where the form of an answer does not say it; null: it is not guessed. */
  coordinates: z.enum(SCALES).nullable(),
  ...spendingFields,
});
export type CandidateHead = z.infer<typeof headSchema>;

const CANDIDATE_ENDS = ['sampled', ...CUT_ENDS] as const;
export type CandidateEnd = (typeof CANDIDATE_ENDS)[number];

export const candidateLineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begun'),
    schema: z.literal(CANDIDATE_SCHEMA),
    version: z.literal(NEWEST_CANDIDATE_VERSION),
    at: z.iso.datetime(),
    head: headSchema,
  }),
  /** Written before it is sent. `hash`: sha256 of the request as JSON, of the temperature and of which candidate it is. */
  z.object({ type: z.literal('asked'), n: z.int().min(1), model, hash: z.string(), request: modelRequestSchema }),
  answeredLineSchema,
  /** `id`: of the step, the model, which of its candidates it is, and the text. */
  z.object({
    type: z.literal('candidate'),
    id: z.string().min(1).max(100),
    action,
    n: z.int().min(1),
    text: z.string(),
  }),
  /** `right` null: the judge cannot tell. */
  z.object({
    type: z.literal('judged'),
    candidate: z.string().min(1).max(100),
    by: model,
    right: z.boolean().nullable(),
    why: z.string().max(TEXT_LIMITS.comment),
  }),
  z.object({
    type: z.literal('ended'),
    how: z.enum(CANDIDATE_ENDS),
    why: z.string(),
    cost: z.number().min(0).nullable(),
  }),
]);
export type CandidateLine = z.infer<typeof candidateLineSchema>;

/** In the same folder: what people say of candidates, a line for each. */
export const CANDIDATES_SAID_FILE = 'said.jsonl';

export const candidateSaidSchema = z.object({
  schema: z.literal('trajectory-studio/candidates-said'),
  version: z.literal(1),
  at: z.iso.datetime(),
  person: z.string().max(200),
  candidate: z.string().max(100),
  /** Null: taken back. */
  right: z.boolean().nullable(),
});
export type CandidateSaid = z.infer<typeof candidateSaidSchema>;
