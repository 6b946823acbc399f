import { z } from 'zod';
import { recordSchema } from '../annotation.ts';
import {
  assignedSchema,
  pinSchema,
  rejectReasonSchema,
  reviewEventSchema,
  reviewItemSchema,
  stepErrorSchema,
} from '../review.ts';
import { ASSIGNED_WORK } from '../task-terms.ts';
import { recordingStateSchema } from './models.ts';

/** The answers of the API about reviews, comparisons and agreement. People are ids; times ISO 8601 UTC. */

/** One annotation document of a recording. */
const reviewDocumentSchema = z.object({
  id: z.string(),
  /** Null: the main document, which is what exports take. */
  person: z.string().nullable(),
  version: z.int().min(0),
  /** Kept steps, and those that are confirmed. */
  steps: z.int(),
  done: z.int(),
  /** The version that was submitted; null while it is being worked on. */
  submitted: z.int().nullable(),
  /** Everybody who wrote in it before it was reviewed. */
  authors: z.array(z.string()),
});
export type ReviewDocument = z.infer<typeof reviewDocumentSchema>;

const decisionSchema = z.object({
  event: z.string(),
  item: reviewItemSchema,
  person: z.string(),
  at: z.iso.datetime(),
  verdict: z.enum(['accept', 'fixed', 'reject']),
  reason: rejectReasonSchema.nullable(),
  comment: z.string(),
  /** The document's version that was looked at; `stale` when what it speaks of was changed since by somebody else. */
  version: z.int(),
  stale: z.boolean(),
  /** The round of the review in which it was made, from 1. */
  round: z.int().optional(),
});
export type Decision = z.infer<typeof decisionSchema>;

const threadSchema = z.object({
  id: z.string(),
  pin: pinSchema,
  /** The rejected item, when a rejection opened it. */
  item: reviewItemSchema.nullable(),
  reason: rejectReasonSchema.nullable(),
  open: z.boolean(),
  resolvedBy: z.string().nullable(),
  entries: z.array(z.object({ event: z.string(), person: z.string(), at: z.iso.datetime(), text: z.string() })).min(1),
});
export type Thread = z.infer<typeof threadSchema>;

const judgementSchema = z.object({
  action: z.string(),
  person: z.string(),
  at: z.iso.datetime(),
  grounded: z.boolean().nullable(),
  error: stepErrorSchema.nullable(),
  redundant: z.boolean().nullable().optional(),
  comment: z.string(),
});
export type Judgement = z.infer<typeof judgementSchema>;

export const REVIEW_VERBS = [
  'plan',
  'assign',
  'begin',
  'submit',
  'withdraw',
  'claim',
  'release',
  'decide',
  'comment',
  'settle',
  'approve',
  'reject',
  'reopen',
  'judge',
] as const;
export type ReviewVerb = (typeof REVIEW_VERBS)[number];

/** A recording's review as one person may see it. */
export const reviewStateSchema = z.object({
  recording: z.string(),
  /** The number of the last event; 0 before the first. */
  n: z.int(),
  state: recordingStateSchema,
  /** People who annotate it blind; 1 = one annotates, another reviews. */
  replicas: z.int(),
  round: z.int(),
  claim: z.object({ person: z.string(), role: z.enum(['review', 'adjudicate']), at: z.iso.datetime() }).nullable(),
  /** Who is to annotate and to review it. */
  assigned: assignedSchema.optional(),
  /** Only those that the person may see: not somebody else's replica while their own is open. */
  documents: z.array(reviewDocumentSchema),
  /** The document that the person would work in; null when there is none for them. */
  own: z.string().nullable(),
  /** Whether something is kept from the person because they annotate blind. */
  blind: z.boolean(),
  decisions: z.array(decisionSchema),
  threads: z.array(threadSchema),
  settled: z.array(z.object({ difference: z.string(), side: z.string().nullable(), person: z.string() })),
  judgements: z.array(judgementSchema),
  /** The acts that the person may do now (null), and for each that they may not the reason, in words. */
  may: z.record(z.enum(REVIEW_VERBS), z.string().nullable()),
  /** Names this state for the one who asked, when they said `since`. */
  tag: z.string().optional(),
  /**
   * Only what changed since the state of that tag: lists hold entries that are new or other, `gone` names by their keys those
   * that left (core/review/parts.ts). Never sent to who does not say `since`.
   */
  part: z
    .object({
      since: z.string(),
      gone: z.object({
        documents: z.array(z.string()),
        decisions: z.array(z.string()),
        threads: z.array(z.string()),
        settled: z.array(z.string()),
        judgements: z.array(z.string()),
      }),
    })
    .optional(),
});
export type ReviewState = z.infer<typeof reviewStateSchema>;

export const sentSchema = z.object({ event: reviewEventSchema, state: reviewStateSchema });

/** A piece of work for somebody. */
export const workItemSchema = z.object({
  /** `answer`: nothing but comments that name the person. */
  kind: z.enum(['repair', 'answer', 'adjudicate', 'review', 'annotate']),
  recording: z.string(),
  /** The document to work in; null before it was begun. */
  document: z.string().nullable(),
  task: z.string(),
  software: z.string(),
  goal: z.string(),
  state: recordingStateSchema,
  steps: z.int().nullable(),
  done: z.int().nullable(),
  /** Open threads for the person to answer. */
  open: z.int(),
  /** Those among them that name the person with @ and that they did not answer since. */
  asked: z.int(),
  /** Begun by this person already. */
  mine: z.boolean(),
  /** It is assigned to this person, to be done by that day. */
  assigned: z.object({ due: z.iso.date().nullable() }).nullable().optional(),
  /** Others that it is assigned to, where it is not this person's: they may take it all the same. */
  others: z.array(z.string()).optional(),
  since: z.iso.datetime(),
});
export type WorkItem = z.infer<typeof workItemSchema>;

/** Recordings to assign: those named, and all of the tasks named. `to`: people by name or id; nobody where it is empty. */
export const assignmentWishesSchema = z.object({
  recordings: z.array(z.string()).max(20_000).default([]),
  tasks: z.array(z.string()).max(20_000).default([]),
  work: z.enum(ASSIGNED_WORK),
  to: z.array(z.string().min(1).max(200)).max(5),
  due: z.iso.date().nullable().default(null),
});
export type AssignmentWishes = z.infer<typeof assignmentWishesSchema>;

/** `unchanged`: it was so already. */
export const assignOutcomeSchema = z.object({
  assigned: z.array(z.string()),
  unchanged: z.array(z.string()),
  refused: z.array(z.object({ recording: z.string(), why: z.string() })),
});
export type AssignOutcome = z.infer<typeof assignOutcomeSchema>;

/** An agreement figure: `value` null when there is nothing to compare. 95 % bootstrap interval. */
const figureSchema = z.object({
  value: z.number().nullable(),
  n: z.int(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});
export type Figure = z.infer<typeof figureSchema>;

/** By kind of data (pattern 16). */
export const agreementSchema = z.object({
  /** Mean IoU of boxes matched one to one; unmatched = 0. */
  boxIou: figureSchema,
  /** Share of clicks that are in the other's box. */
  clickInBox: figureSchema,
  /** Mean temporal IoU of subtasks matched one to one; unmatched = 0. */
  subtaskIou: figureSchema,
  /** Mean distance of matched subtask edges, actions. */
  edgeDistance: figureSchema,
  /** Removed or kept: Cohen's kappa for two, Krippendorff's alpha with gaps, Fleiss' kappa for more. */
  removedKappa: figureSchema,
  removedAlpha: figureSchema,
  dragKindKappa: figureSchema,
  elementSimilarity: figureSchema,
  elementF1: figureSchema,
  narrationSimilarity: figureSchema,
  narrationF1: figureSchema,
  titleSimilarity: figureSchema,
  textSimilarity: figureSchema,
  /** Thoughts, action thoughts and observations. */
  thoughtSimilarity: figureSchema,
  thoughtF1: figureSchema,
  /** One number to sort by: the mean of the kinds that have one, 0 to 1. */
  overall: figureSchema,
});
export type Agreement = z.infer<typeof agreementSchema>;

/**
 * How well people agree who judged the same steps of a trajectory: grounded or not, and which kind of error (none among
 * them). Cohen's kappa where two people did, Fleiss' for more; Krippendorff's alpha where some steps were judged by one alone.
 */
const judgementAgreementSchema = z.object({
  groundedKappa: figureSchema,
  groundedAlpha: figureSchema,
  errorKappa: figureSchema,
  errorAlpha: figureSchema,
});
export type JudgementAgreement = z.infer<typeof judgementAgreementSchema>;

/** One thing that two or more documents say differently. `sides` in the documents' order; null: says nothing of it. */
export const differenceSchema = z.object({
  /** `<kind>:<action>`, of a step's parts with which (`box:<action>:end`), or `goal`: stable while the documents stay. */
  id: z.string(),
  kind: z.enum([
    'removal',
    'element',
    'box',
    'narration',
    'text',
    'drag',
    'subtask',
    'title',
    'goal',
    'keyframe',
    'thought',
  ]),
  /** The step it speaks of, in the recording's order; null for the goal. */
  action: z.string().nullable(),
  index: z.int().nullable(),
  sides: z.array(z.object({ document: z.string(), records: z.array(recordSchema), text: z.string() })),
  /** 0 to 1: how near they are. */
  agreement: z.number().min(0).max(1),
});
export type Difference = z.infer<typeof differenceSchema>;

export const comparisonSchema = z.object({
  recording: z.string(),
  documents: z.array(reviewDocumentSchema),
  differences: z.array(differenceSchema),
  /** Things on which all say the same. */
  agreed: z.int(),
  agreement: agreementSchema,
});
export type Comparison = z.infer<typeof comparisonSchema>;

export const dashboardSchema = z.object({
  states: z.record(recordingStateSchema, z.int()),
  software: z.array(
    z.object({ id: z.string(), name: z.string(), states: z.record(recordingStateSchema, z.int()), total: z.int() }),
  ),
  people: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /** Documents begun and submitted, recordings reviewed, of these rejected. */
      begun: z.int(),
      submitted: z.int(),
      reviewed: z.int(),
      rejected: z.int(),
      /** The items of their own work that reviewers rejected. */
      returned: z.int(),
      steps: z.int(),
      /** Median seconds between two gestures on different steps; pauses of more than two minutes left out. */
      medianStepSeconds: z.number().nullable(),
      /** Hidden checks: how well they agree with the known answers. */
      checks: z.object({ n: z.int(), overall: figureSchema }),
    }),
  ),
  pairs: z.array(
    z.object({ people: z.tuple([z.string(), z.string()]), recordings: z.int(), agreement: agreementSchema }),
  ),
  /** The agreement in all recordings with two or more documents. */
  agreement: agreementSchema,
  /** The lowest agreement first. */
  recordings: z.array(
    z.object({
      recording: z.string(),
      task: z.string(),
      software: z.string(),
      state: recordingStateSchema,
      documents: z.int(),
      agreement: agreementSchema,
      differences: z.int(),
    }),
  ),
  /** Judgements of trajectories: recordings that two or more people judged. */
  judgements: z.object({
    recordings: z.int(),
    agreement: judgementAgreementSchema,
    pairs: z.array(
      z.object({ people: z.tuple([z.string(), z.string()]), recordings: z.int(), agreement: judgementAgreementSchema }),
    ),
  }),
  /** Rejections by reason, the most frequent first. */
  reasons: z.array(z.object({ reason: rejectReasonSchema, count: z.int() })),
});
export type Dashboard = z.infer<typeof dashboardSchema>;
