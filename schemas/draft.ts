import { z } from 'zod';
import { TEXT_LIMITS } from './limits.ts';
import { modelPictureSchema, modelRequestSchema } from './model-requests.ts';
import { recordingIdSchema } from './names.ts';
import { answeredLineSchema, CUT_ENDS, endpointFields, spendingFields } from './paid-requests.ts';

/**
 * Proposals of models for the annotation of a recording (docs/agents.md): drafts/N.jsonl in its folder, what was asked, answered
 * and drafted. It stands beside the annotation and never in it; a person takes a draft or rejects it.
 */

export const DRAFT_FOLDER = 'drafts';
export const DRAFT_SCHEMA = 'trajectory-studio/drafts';
export const NEWEST_DRAFT_VERSION = 1;

/** The kinds of drafts that can be asked for. */
export const DRAFT_KINDS = ['names', 'narrations', 'thoughts', 'subtasks'] as const;
export type DraftKind = (typeof DRAFT_KINDS)[number];

/** `subtask`: the title of a subtask that begins at the step. */
export const DRAFT_FIELDS = ['element', 'narration', 'thought', 'actionThought', 'observation', 'subtask'] as const;
export const draftFieldSchema = z.enum(DRAFT_FIELDS);
export type DraftField = (typeof DRAFT_FIELDS)[number];

const action = z.string().min(1).max(200);
const model = z.string().min(1).max(500);
const field = { action, field: draftFieldSchema };

/** A step as models are shown it, with the fields that are asked for. */
const draftStepSchema = z.object({
  action,
  /** Its number from 1, as the page counts all steps. */
  number: z.int().min(1),
  words: z.string(),
  /** Where it was done, px of the picture before it; null: nowhere, or there is no picture. */
  point: z.object({ x: z.number(), y: z.number() }).nullable(),
  before: modelPictureSchema.nullable(),
  /** Shown only where what came of the step is asked for. */
  after: modelPictureSchema.nullable(),
  fields: z.array(draftFieldSchema).max(DRAFT_FIELDS.length),
});
export type DraftStep = z.infer<typeof draftStepSchema>;

/** Everything that the requests depend on. */
const draftSubjectSchema = z.object({
  recording: recordingIdSchema,
  task: z.string(),
  software: z.string(),
  goal: z.string(),
  steps: z.array(draftStepSchema).max(20_000),
  /** Whether the subtasks are asked for. */
  cuts: z.boolean(),
});
export type DraftSubject = z.infer<typeof draftSubjectSchema>;

const headSchema = z.object({
  subject: draftSubjectSchema,
  ...endpointFields,
  model,
  /** Who reads the drafts and marks those that it doubts; null: nobody. */
  reflector: model.nullable(),
  /** `model@hash of the prompts`: whose the drafts are. */
  by: z.string().max(600),
  ...spendingFields,
});
export type DraftHead = z.infer<typeof headSchema>;

const DRAFT_ENDS = ['drafted', ...CUT_ENDS] as const;
export type DraftEnd = (typeof DRAFT_ENDS)[number];

export const draftLineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('begun'),
    schema: z.literal(DRAFT_SCHEMA),
    version: z.literal(NEWEST_DRAFT_VERSION),
    at: z.iso.datetime(),
    head: headSchema,
  }),
  /** Written before it is sent. `hash`: sha256 of the request as JSON. */
  z.object({ type: z.literal('asked'), n: z.int().min(1), model, hash: z.string(), request: modelRequestSchema }),
  answeredLineSchema,
  /** `text` null: the model says that it cannot tell. */
  z.object({ type: z.literal('drafted'), ...field, text: z.string().min(1).max(TEXT_LIMITS.text).nullable() }),
  /** The reflector read a draft; `doubt` null: it has none. */
  z.object({
    type: z.literal('reflected'),
    ...field,
    by: model,
    doubt: z.string().max(TEXT_LIMITS.comment).nullable(),
  }),
  z.object({
    type: z.literal('ended'),
    how: z.enum(DRAFT_ENDS),
    why: z.string(),
    cost: z.number().min(0).nullable(),
  }),
]);
export type DraftLine = z.infer<typeof draftLineSchema>;

/** In the same folder: what people rejected, a line for each; what they took stands in their annotation. */
export const REJECTED_FILE = 'rejected.jsonl';

export const rejectedLineSchema = z.object({
  schema: z.literal('trajectory-studio/rejected-drafts'),
  version: z.literal(1),
  at: z.iso.datetime(),
  person: z.string().max(200),
  document: z.string().max(500),
  draft: z.string().max(400),
  /** False: the rejection was taken back. */
  rejected: z.boolean(),
});
export type RejectedLine = z.infer<typeof rejectedLineSchema>;
