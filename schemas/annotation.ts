import { z } from 'zod';
import { buttonSchema, rectSchema } from './events.ts';
import { TEXT_LIMITS } from './limits.ts';
import { MISSING_KINDS } from './missing.ts';

/**
 * Annotation = records + transactions (architecture.md). A document is one person's annotation of one recording. Derived
 * data (actions, keyframes) is never changed; records say what people add to it.
 */
export const ANNOTATION_VERSION = 3;
/** Versions that are read. 2 added the record kind `reasoning`, 3 `step`; every older file is one of these too. */
export const ANNOTATION_VERSIONS_READ = [1, 2, 3] as const;
/** The most records of one document that is taken from elsewhere. */
export const MOST_RECORDS = 200_000;

const id = z.string().min(1).max(200);
const name = z.string().max(TEXT_LIMITS.name);
const text = z.string().max(TEXT_LIMITS.text);
/** A box in the picture's own frame: px from its top left, inside the picture. */
const boxSchema = rectSchema.refine((b) => b.x >= 0 && b.y >= 0, 'a box lies inside its picture');

/** Where a proposal (and so a value that was taken from one) came from. */
const sourceSchema = z.enum(['hand', 'edges', 'seen', 'vocabulary', 'accessibility', 'ocr', 'import']);
export type Source = z.infer<typeof sourceSchema>;

/**
 * Whose words a field holds that a person took from a draft of a model (docs/agents.md). Versions before this field pass it
 * over, and the words stand as a person's there.
 */
const draftOriginSchema = z.object({
  /** The draft's id in its recording. */
  draft: z.string().max(400),
  /** `model@hash of the prompts`. */
  by: z.string().max(600),
  /** A person changed the words since. */
  edited: z.boolean(),
});
export type DraftOrigin = z.infer<typeof draftOriginSchema>;
const origin = draftOriginSchema.optional();

const removalReasonSchema = z.enum(['mistake', 'private', 'duplicate', 'waiting', 'other']);

/**
 * A step that a person adds at the picture where no input was recorded (N12): places are px of the virtual desktop, as an
 * action's. Null: what this kind does not have. `step:<action>`.
 */
export const stepByHandSchema = z.object({
  kind: z.literal('step'),
  id,
  action: id,
  does: z.enum(['click', 'drag', 'scroll', 'type', 'press']),
  /** The moment of the picture that it was added at, µs. */
  t: z.int(),
  x: z.int().nullable(),
  y: z.int().nullable(),
  endX: z.int().nullable(),
  endY: z.int().nullable(),
  button: buttonSchema.nullable(),
  count: z.int().min(1).max(3),
  text: text.nullable(),
  keys: z.array(z.string().min(1).max(40)).max(6).nullable(),
  scroll: z.object({ dx: z.int(), dy: z.int() }).nullable(),
});

export const recordSchema = z.discriminatedUnion('kind', [
  /**
   * A subtask begins at this action and ends before the next subtask's first action: every action is in exactly one, by
   * construction. The first subtask of a document always begins at the first action.
   */
  z.object({
    kind: z.literal('subtask'),
    id,
    first: id,
    title: text,
    drafted: z.object({ subtask: origin }).optional(),
  }),
  /** A person's word on one action. Null = not said (the derived value stands). One record an action: `label:<action>`. */
  z.object({
    kind: z.literal('label'),
    id,
    action: id,
    /** The element acted on ("Insert tab"); for a drag the element that is dragged. */
    element: name.nullable(),
    elementSource: sourceSchema.nullable(),
    /** Drag quadruple: start position, end position, element, purpose. */
    startName: name.nullable(),
    endName: name.nullable(),
    purpose: text.nullable(),
    /** movement or resizing, of a drag. */
    dragKind: z.enum(['movement', 'resizing']).nullable(),
    /** Overwrites the narration made from the fields (pattern 5). */
    narration: text.nullable(),
    /** Corrects the typed text (pattern 8); what was pressed stays beside it. */
    text: text.nullable(),
    /** Confirmed by Enter. */
    confirmed: z.boolean(),
    flagged: z.boolean(),
    drafted: z.object({ element: origin, narration: origin }).optional(),
  }),
  /** The element's box in the action's `before` picture; for a drag also of its end. `box:<action>:<role>`. */
  z.object({
    kind: z.literal('box'),
    id,
    action: id,
    role: z.enum(['target', 'end']),
    box: boxSchema,
    source: sourceSchema,
    confidence: z.number().min(0).max(1),
  }),
  /** A mark, not a deletion: exports leave the action out, ids stay (pattern 7). `removal:<action>`. */
  z.object({
    kind: z.literal('removal'),
    id,
    action: id,
    reason: removalReasonSchema,
    comment: z.string().max(TEXT_LIMITS.comment),
  }),
  /** The annotator moved a keyframe (K5): frames.jsonl `i` and `t`. `keyframe:<action>:<role>`. */
  z.object({
    kind: z.literal('keyframe'),
    id,
    action: id,
    role: z.enum(['before', 'after']),
    frame: z.int().min(0),
    t: z.int(),
  }),
  /**
   * The thoughts that trajectories need and recordings lack (naturalgaia.txt 4.3), written by a person, null where nobody
   * did: the plan behind the step, why this element and this kind of action, what the screen after it shows.
   * `reasoning:<action>`.
   */
  z.object({
    kind: z.literal('reasoning'),
    id,
    action: id,
    thought: text.nullable(),
    actionThought: text.nullable(),
    observation: text.nullable(),
    drafted: z.object({ thought: origin, actionThought: origin, observation: origin }).optional(),
  }),
  stepByHandSchema,
  /** The goal of the whole task; one record, id `goal`. */
  z.object({ kind: z.literal('goal'), id, text }),
]);
export type AnnotationRecord = z.infer<typeof recordSchema>;
type RecordKind = AnnotationRecord['kind'];
export type RecordOf<K extends RecordKind> = Extract<AnnotationRecord, { kind: K }>;

export const changeSchema = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), record: recordSchema }),
  z.object({ op: z.literal('change'), before: recordSchema, after: recordSchema }),
  z.object({ op: z.literal('remove'), record: recordSchema }),
]);
export type Change = z.infer<typeof changeSchema>;

/** One gesture. Applied as a whole or not at all. */
export const transactionSchema = z.object({
  /** Made by the page (a UUID), so that sending it twice applies it once. */
  id: z.uuid(),
  /** A person's act in words, for the history and for undo: "Name element", "Split subtask". */
  label: z.string().max(200),
  changes: z.array(changeSchema).min(1).max(20_000),
});
export type Transaction = z.infer<typeof transactionSchema>;

/** A transaction as it is in the database: `version` counts a document's transactions from 1. */
export const storedTransactionSchema = transactionSchema.extend({
  version: z.int().min(1),
  person: z.string(),
  at: z.iso.datetime(),
  /** The transaction whose inverse this is (an undo), or whose undo it takes back (a redo). */
  undoes: z.uuid().nullable(),
  redoes: z.uuid().nullable(),
});
export type StoredTransaction = z.infer<typeof storedTransactionSchema>;

/** A document's state: its records, and what undo and redo would do next (labels; null = nothing). */
export const documentSchema = z.object({
  recording: z.string(),
  version: z.int().min(0),
  records: z.array(recordSchema),
  undo: z.string().nullable(),
  redo: z.string().nullable(),
});
export type AnnotationDocument = z.infer<typeof documentSchema>;

/** A proposal for one action (pattern 2). `box` in the `before` picture's frame. */
export const proposalSchema = z.object({
  name: z.string().nullable(),
  box: boxSchema.nullable(),
  source: sourceSchema,
  confidence: z.number().min(0).max(1),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** A gap in an annotation, in words (N11). */
export const missingSchema = z.object({
  kind: z.enum(MISSING_KINDS),
  /** The step; of a title, the first one of its subtask. null: of the whole task. */
  action: z.string().nullable(),
  /** Its number from 1, as the page counts steps; that of its subtask. */
  step: z.int().nullable(),
  subtask: z.int().nullable(),
  message: z.string(),
});
export type MissingItem = z.infer<typeof missingSchema>;
