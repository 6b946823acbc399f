import { z } from 'zod';
import { TEXT_LIMITS } from './limits.ts';
import { ASSIGNED_WORK } from './task-terms.ts';

/**
 * Cross-validation (annotation.md, patterns 14 to 20). Everything that happens to a recording's work is an event of one
 * append-only log: who did what when. The state is what the log makes of it (core/review/project.ts), so nothing is told
 * twice and the whole history can be read back.
 */

const id = z.string().min(1).max(200);
const comment = z.string().max(TEXT_LIMITS.comment);

/** A blind replica's document id is `<recording>~<person id>`; the main document's is the recording's own. */
export const REPLICA_MARK = '~';

/** The rules of the data set: who is to do what (pattern 14, 19). */
export const reviewPolicySchema = z.object({
  /** People who annotate the same recording without seeing each other. 1: one annotates, another reviews. */
  replicas: z.int().min(1).max(5).default(1),
  /** Share of the recordings that are annotated by `replicas` people; the others by one. */
  replicaShare: z.number().min(0).max(1).default(1),
  /** Share of an annotator's work that is a hidden check: a recording whose approved answer is known (pattern 19). */
  checkShare: z.number().min(0).max(0.15).default(0),
  /** Chooses which recordings are replicated and which work is a check. */
  seed: z.int().default(1),
  /** An adjudicated recording is reviewed by somebody who took no part in it, before it counts as approved. */
  reviewAdjudicated: z.boolean().default(false),
  /** The person who recorded a demonstration may review its annotation. */
  demonstratorMayReview: z.boolean().default(false),
  /** Who plans and assigns work, and changes these rules; absent or empty: everybody. A rule among colleagues: no passwords. */
  managers: z.array(id).max(100).optional(),
  /** What is assigned is begun by those it is assigned to alone; otherwise somebody else may still take it. */
  assignedOnly: z.boolean().optional(),
});
export type ReviewPolicy = z.infer<typeof reviewPolicySchema>;

/** An item that a reviewer looks at. `step` stands for everything that is said of it. */
export const reviewItemSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['step', 'element', 'box', 'narration', 'text', 'removal']), action: id }),
  /** A subtask by its first action: where it begins, and its title. */
  z.object({ kind: z.enum(['edge', 'title']), subtask: id }),
  z.object({ kind: z.literal('goal') }),
]);
export type ReviewItem = z.infer<typeof reviewItemSchema>;

export const REJECT_REASONS = [
  'wrong-element',
  'wrong-box',
  'loose-box',
  'missing-box',
  'wrong-narration',
  'wrong-text',
  'wrong-edge',
  'wrong-title',
  'should-be-removed',
  'should-be-kept',
  'missing-step',
  'private',
  'unclear',
  'other',
] as const;
export const rejectReasonSchema = z.enum(REJECT_REASONS);
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Where a comment points (pattern 15): a step, a place in its picture (px of the picture's own frame), a time (µs). */
export const pinSchema = z.object({
  action: id.nullable(),
  role: z.enum(['before', 'after']).nullable(),
  place: z.tuple([z.int().min(0), z.int().min(0)]).nullable(),
  t: z.int().nullable(),
});
export type Pin = z.infer<typeof pinSchema>;

/** naturalgaia.txt D: where an agent (or a person) went wrong. `execution` says further which kind. */
export const stepErrorSchema = z.object({
  kind: z.enum(['planning', 'structural', 'execution']),
  execution: z.enum(['operational', 'knowledge', 'perceptual']).nullable(),
  /** A later step made it good: kept, and marked as such. */
  recoverable: z.boolean(),
});
export type StepError = z.infer<typeof stepErrorSchema>;

/** The people who are to do it, and by which day. `by` assigned it, at `at`. */
const assignmentSchema = z.object({
  people: z.array(id).min(1).max(5),
  /** A day, YYYY-MM-DD. */
  due: z.iso.date().nullable(),
  by: id,
  at: z.iso.datetime(),
});
export const assignedSchema = z.object({
  annotate: assignmentSchema.nullable(),
  review: assignmentSchema.nullable(),
});
export type Assigned = z.infer<typeof assignedSchema>;

/** A person's part of an event; the studio adds the rest. */
export const reviewActSchema = z.discriminatedUnion('type', [
  /** How many people are to annotate it blind; fixed with the first `begin`, changed only by another `plan`. */
  z.object({ type: z.literal('plan'), replicas: z.int().min(1).max(5) }),
  /** Names who is to do a part of its work; nobody with an empty list. It is no claim: it says whose turn it is. */
  z.object({
    type: z.literal('assign'),
    work: z.enum(ASSIGNED_WORK),
    to: z.array(id).max(5),
    due: z.iso.date().nullable(),
  }),
  /** Starts the work on a document: `annotate` the main one or, where the plan says so, one's own replica. */
  z.object({ type: z.literal('begin') }),
  /** Hands a document in, as it is at `version`. */
  z.object({ type: z.literal('submit'), document: id, version: z.int().min(1) }),
  /** The annotator withdraws what was submitted, before somebody reviews it. */
  z.object({ type: z.literal('withdraw'), document: id }),
  /** Takes it up for review, or for adjudication where there are replicas. One person at a time. */
  z.object({ type: z.literal('claim') }),
  /** Puts it back without a verdict; what was decided stays. */
  z.object({ type: z.literal('release') }),
  /**
   * A decision on one item, at the document's `version`. The last one of an item counts; `null` takes it back. A rejection
   * opens a thread with the event's id.
   */
  z.object({
    type: z.literal('decide'),
    item: reviewItemSchema,
    version: z.int().min(1),
    verdict: z.enum(['accept', 'fixed', 'reject']).nullable(),
    reason: rejectReasonSchema.nullable(),
    comment,
  }),
  /** Starts a thread (`thread` null) or answers in one. */
  z.object({ type: z.literal('comment'), thread: id.nullable(), pin: pinSchema, text: comment.min(1) }),
  z.object({ type: z.literal('resolve'), thread: id }),
  z.object({ type: z.literal('unresolve'), thread: id }),
  /** The end of one difference between replicas: whose side was taken (a document), or null for a third value. */
  z.object({
    type: z.literal('settle'),
    difference: id,
    side: id.nullable(),
    transaction: z.uuid().nullable(),
    /** Takes the settling back: the difference is open again. */
    back: z.boolean().optional(),
  }),
  /** The verdict on the whole recording. */
  z.object({
    type: z.literal('verdict'),
    verdict: z.enum(['approve', 'reject']),
    version: z.int().min(1),
    reasons: z.array(rejectReasonSchema).max(REJECT_REASONS.length),
    comment,
  }),
  /** An approved recording is taken up again. */
  z.object({ type: z.literal('reopen'), comment: comment.min(1) }),
  /** Trajectory judgement of one step, by anybody; null fields take it back. */
  z.object({
    type: z.literal('judge'),
    action: id,
    /** Was the step grounded in what the screen showed? */
    grounded: z.boolean().nullable(),
    error: stepErrorSchema.nullable(),
    /** Could it have been left out? Absent: nobody was asked yet (acts from before). */
    redundant: z.boolean().nullable().optional(),
    comment,
  }),
]);
export type ReviewAct = z.infer<typeof reviewActSchema>;
export type ReviewActOf<T extends ReviewAct['type']> = Extract<ReviewAct, { type: T }>;

type ActSchema = (typeof reviewActSchema.options)[number];
/** The fields of an act, each with its schema. */
export const actFields = <T extends ReviewAct['type']>(type: T) =>
  reviewActSchema.options.find((one) => one.shape.type.value === type)!.shape as Extract<
    ActSchema,
    { shape: { type: z.ZodLiteral<T> } }
  >['shape']; // The one of this type.

/** One line of the log. `n` counts a recording's events from 1. */
export const reviewEventSchema = z.object({
  /** Made by the page (a UUID): the same one again is answered, not done twice. */
  id: z.uuid(),
  n: z.int().min(1),
  recording: z.string(),
  person: z.string(),
  at: z.iso.datetime(),
  act: reviewActSchema,
  /**
   * The values that the studio found and fixed with it: the document a `begin` opened, the authors of a `submit`, a hidden
   * check.
   */
  facts: z.object({
    document: z.string().nullable(),
    authors: z.array(z.string()).nullable(),
    check: z.boolean().nullable(),
    from: z.string().nullable(),
    to: z.string().nullable(),
    /** The version of the document it speaks of when it happened: whose changes came before and after. */
    version: z.int().nullable().optional(),
  }),
});
export type ReviewEvent = z.infer<typeof reviewEventSchema>;
