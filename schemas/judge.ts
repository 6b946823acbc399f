import { z } from 'zod';
import { modelPictureSchema, modelRequestSchema } from './model-requests.ts';
import { recordingIdSchema } from './names.ts';
import { answeredLineSchema, CUT_ENDS, endpointFields, spendingFields } from './paid-requests.ts';

/**
 * What models say of a recording whose outcome they were asked about (docs/agents.md): judgements/N.jsonl in its folder, what was
 * asked, answered and concluded. It proves nothing, and counts nowhere as a check or an approval.
 */

export const JUDGE_FOLDER = 'judgements';
export const JUDGE_SCHEMA = 'trajectory-studio/judge';
export const NEWEST_JUDGE_VERSION = 1;

export const OUTCOMES_SAID = ['succeeded', 'failed', 'unsure'] as const;
const saidSchema = z.enum(OUTCOMES_SAID);
export type OutcomeSaid = (typeof OUTCOMES_SAID)[number];

/** One judge: a model asked with one of the wordings, from 1. */
export const judgeSchema = z.object({ model: z.string().min(1).max(500), prompt: z.int().min(1).max(10) });
export type Judge = z.infer<typeof judgeSchema>;

/** What the judges are shown: everything that their requests depend on. */
const judgedSubjectSchema = z.object({
  recording: recordingIdSchema,
  kind: z.enum(['demonstration', 'play', 'run']),
  task: z.string(),
  software: z.string(),
  goal: z.string(),
  /** A run's own last words; null: it has none. */
  answer: z.string().nullable(),
  /** The steps in words, and the picture before each by its place among `pictures`; null: none is shown. */
  steps: z.array(z.object({ words: z.string(), picture: z.int().nullable() })).max(20_000),
  /** In their order; the last is the newest there is. */
  pictures: z.array(modelPictureSchema).min(1).max(1000),
  /** Pictures that there are, shown or not. */
  all: z.int().min(1),
});
export type JudgedSubject = z.infer<typeof judgedSubjectSchema>;

const headSchema = z.object({
  subject: judgedSubjectSchema,
  ...endpointFields,
  models: z.array(z.string().min(1).max(500)).min(1).max(8),
  /** How many wordings each is asked with. */
  prompts: z.int().min(1).max(10),
  /** Of what is asked and how it is read: figures of other rules are others. */
  rules: z.int().min(1),
  ...spendingFields,
});
export type JudgeHead = z.infer<typeof headSchema>;

/** One judge's opinion. Outcome and process apart: what came out may be right though the way was not. */
export const opinionSchema = z.object({
  outcome: saidSchema,
  /** Whether every criterion of the way was met; null: it could not be told, or there was none. */
  process: z.boolean().nullable(),
  criteria: z.array(
    z.object({
      about: z.enum(['outcome', 'process']),
      text: z.string(),
      met: z.boolean().nullable(),
      why: z.string(),
    }),
  ),
  why: z.string(),
});
export type JudgeOpinion = z.infer<typeof opinionSchema>;

const JUDGE_ENDS = ['judged', ...CUT_ENDS] as const;
export type JudgeEnd = (typeof JUDGE_ENDS)[number];

export const judgeLineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begun'),
    schema: z.literal(JUDGE_SCHEMA),
    version: z.literal(NEWEST_JUDGE_VERSION),
    at: z.iso.datetime(),
    head: headSchema,
  }),
  /** Written before it is sent. `hash`: sha256 of the request as JSON. */
  z.object({
    type: z.literal('asked'),
    n: z.int().min(1),
    judge: judgeSchema,
    hash: z.string(),
    request: modelRequestSchema,
  }),
  answeredLineSchema,
  /** `opinion` is null where two answers in a row were refused. */
  z.object({ type: z.literal('said'), judge: judgeSchema, opinion: opinionSchema.nullable() }),
  z.object({
    type: z.literal('ended'),
    how: z.enum(JUDGE_ENDS),
    why: z.string(),
    /** What all judges say, else unsure; null: not all were asked. */
    verdict: saidSchema.nullable(),
    cost: z.number().min(0).nullable(),
    /** Made by the workspace in which it was judged, over all that stands above. */
    mark: z.string().max(100),
  }),
]);
export type JudgeLine = z.infer<typeof judgeLineSchema>;

/** So many recordings with a label must a panel have judged before anything is said of what it is worth. */
export const LEAST_LABELS = 30;
