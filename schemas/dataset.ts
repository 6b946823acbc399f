import { z } from 'zod';
import { actionKindSchema, actionSchema } from './actions.ts';
import { recordSchema } from './annotation.ts';
import { datasetTermsSchema } from './dataset-terms.ts';
import { DEVICE_MESSAGE, notADevice } from './device-names.ts';
import { DRAFT_ORIGINS } from './draft-words.ts';
import { frozenTaskSchema } from './frozen-task.ts';
import { MISSING_KINDS } from './missing.ts';
import { recordingIdSchema } from './names.ts';
import { keyframeSchema, verdictSchema } from './recording.ts';
import { ERROR_IDS } from './step-errors.ts';
import { RECORDING_STATES } from './task-terms.ts';

/** Choosing a data set: rows, filters, tags, splits, and versions that nothing changes any more. */

/** A word for people; no commas, so that a list of them can be written in one line. */
export const tagSchema = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .regex(/^[^\p{C},]+$/u, 'a tag has no comma and no control character');

/** Also the name of files and folders of others. `train`, `validation`, `test` are usual. */
export const splitSchema = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'a split is called by small letters, digits, "-" and "_", a letter first')
  .refine(notADevice, DEVICE_MESSAGE);

/** The name of a folder in versions/, as it was chosen at any time. */
export const knownVersionNameSchema = z
  .string()
  .trim()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,58}[A-Za-z0-9_-])?$/,
    'a version is called by letters, digits, ".", "-" and "_", up to 60, such as v1.0',
  );
/** The same when it is chosen: a name that not every system can keep would make an archive that nobody can import. */
export const versionNameSchema = knownVersionNameSchema.refine(notADevice, DEVICE_MESSAGE);

const rowStateSchema = z.enum(RECORDING_STATES);

/**
 * Whether `verify` proved a demonstration (docs/play.md) by the checks that its task has now. `said`: it came with that word, and
 * this workspace cannot show the plays behind it.
 */
export const proofSchema = z.enum(['proven', 'failed', 'said', 'untried']);
export type ProofState = z.infer<typeof proofSchema>;

const range = z.object({ min: z.number().optional(), max: z.number().optional() });
export type Range = z.infer<typeof range>;
const some = <T extends z.ZodType>(one: T) => z.array(one).max(500);

/**
 * The recordings that belong to a data set. Every field that is there must fit (AND); of a list, one entry (OR). The same
 * object serves the page, the command line and a version. Ranges include both ends; what is not known is in no range.
 */
export const datasetFilterSchema = z.object({
  /** Ids. */
  software: some(z.string()).optional(),
  state: some(rowStateSchema).optional(),
  proof: some(proofSchema).optional(),
  /** Between annotators, 0 to 1. */
  agreement: range.optional(),
  /** Kept steps. */
  steps: range.optional(),
  /** The length of the demonstration. */
  seconds: range.optional(),
  /** Has at least one step of one of these kinds. */
  kinds: some(actionKindSchema).optional(),
  /** `1920x1080`. */
  resolutions: some(z.string()).optional(),
  /** Names of people who demonstrated or annotated; null: nobody is named. */
  people: some(z.string().nullable()).optional(),
  /** Share of the kept steps that somebody judged, 0 to 1. */
  judged: range.optional(),
  /** Share of the steps on which judges agree that were grounded in what the screen showed, 0 to 1. */
  grounded: range.optional(),
  /** Has a step with one of these errors; `none`: it was judged, and no step is an error. */
  errors: some(z.enum([...ERROR_IDS, 'none'])).optional(),
  /** Steps that are an error which no later step makes good; of recordings that somebody judged. */
  unrecoverable: range.optional(),
  /** Steps that could have been left out; of recordings that somebody judged. */
  redundant: range.optional(),
  /** Has at least one of these gaps (N11); `none`: nothing is missing. */
  missing: some(z.enum([...MISSING_KINDS, 'none'])).optional(),
  /** Has words of models' drafts, as they were taken or edited since; `none`: it has none. */
  drafts: some(z.enum([...DRAFT_ORIGINS, 'none'])).optional(),
  /** Has all of these. */
  tags: some(z.string()).optional(),
  /** Has none of these. */
  withoutTags: some(z.string()).optional(),
  /** null: in none. */
  splits: some(z.string().nullable()).optional(),
  /** Each word is in the task's id, its goal, the recording's id or a tag, in any case. */
  words: z.string().max(500).optional(),
  tasks: z.array(z.string()).max(20_000).optional(),
  recordings: z.array(z.string()).max(20_000).optional(),
});
export type DatasetFilter = z.infer<typeof datasetFilterSchema>;

const judgedStepSchema = z.object({
  judges: z.int(),
  grounded: z.boolean().nullable(),
  wrong: z.boolean().nullable(),
  error: z.enum(ERROR_IDS).nullable(),
  recoverable: z.boolean().nullable(),
  redundant: z.boolean().nullable(),
});

/** Judgements of its kept steps: how many somebody judged, and what judges agree on. */
const judgedFiguresSchema = z.object({
  steps: z.int(),
  grounded: z.int(),
  ungrounded: z.int(),
  /** Errors by kind; one on whose kind judges do not agree stands in `wrong` alone. */
  errors: z.partialRecord(z.enum(ERROR_IDS), z.int()),
  wrong: z.int(),
  /** Errors that no later step makes good. */
  unrecoverable: z.int(),
  redundant: z.int(),
});

/** One recording as the data set's table shows it. Figures are null until it was counted. */
export const dataRowSchema = z.object({
  recording: z.string(),
  task: z.string(),
  /** Its id. */
  software: z.string(),
  goal: z.string(),
  state: rowStateSchema,
  verdict: verdictSchema.shape.kind.nullable(),
  proof: proofSchema,
  /** Who says so, where `proof` is `said` and a name is known. */
  proofSaid: z.string().optional(),
  startedAt: z.string(),
  seconds: z.number().nullable(),
  /** The name of the person who demonstrated. */
  person: z.string().nullable(),
  /** The names of people who changed the annotation. */
  annotators: z.array(z.string()),
  tags: z.array(z.string()),
  /** Its task's. */
  split: z.string().nullable(),
  /** Between annotators, 0 to 1; null where fewer than two looked. */
  agreement: z.number().nullable(),
  /** Kept steps. */
  steps: z.int().nullable(),
  subtasks: z.int().nullable(),
  /** Kept steps by kind. */
  kinds: z.partialRecord(actionKindSchema, z.int()),
  /** The size of the captured screen, `1920x1080`. */
  resolution: z.string().nullable(),
  /** Share of kept steps whose element has a box, and a name, 0 to 1. */
  boxes: z.number().nullable(),
  names: z.number().nullable(),
  /** How many gaps of each kind its annotation has (N11); empty: nothing is missing. */
  missing: z.partialRecord(z.enum(MISSING_KINDS), z.int()).nullable(),
  /** Fields of kept steps and their subtasks whose words come from models' drafts. */
  drafted: z.object({ taken: z.int(), edited: z.int() }).nullable(),
  /** Null: nobody judged a step of it. */
  judged: judgedFiguresSchema.nullable(),
});
export type DataRow = z.infer<typeof dataRowSchema>;

/** How much one recording brings to the statistics; kept steps alone. */
const figuresSchema = z.object({
  /** Steps by the benchmark's names (LeftClick, Drag, …). */
  kinds: z.record(z.string(), z.int()),
  /** In order. `seconds`: from its first step's press to its last step's end. `words`: of its title; null without one. */
  subtasks: z.array(z.object({ steps: z.int(), seconds: z.number(), words: z.int().nullable() })),
  goalWords: z.int(),
  /** Words of each step's narration, in order. */
  narrationWords: z.array(z.int()),
  /** How often each word stands in goal, titles and narrations. */
  words: z.record(z.string(), z.int()),
});
export type Figures = z.infer<typeof figuresSchema>;

const spread = z.object({ n: z.int(), min: z.number(), median: z.number(), mean: z.number(), max: z.number() });
const distributionSchema = z.object({
  spread: spread.nullable(),
  /** Every value, ascending: the page makes its bins of them. */
  values: z.array(z.number()),
});
export type Distribution = z.infer<typeof distributionSchema>;

const counted = z.object({ name: z.string(), count: z.int(), share: z.number() });

/** The figures that the paper shows (videogui.txt 3.1, figure 3, table 9, figures 16 and 17). */
export const datasetStatisticsSchema = z.object({
  tasks: z.int(),
  recordings: z.int(),
  subtasks: z.int(),
  actions: z.int(),
  seconds: z.number(),
  /** Recordings that could not be counted, which no figure below speaks of. */
  uncounted: z.int(),
  /** Most tasks first. */
  software: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      tasks: z.int(),
      recordings: z.int(),
      subtasks: z.int(),
      actions: z.int(),
      seconds: z.number(),
      actionsPerTask: z.number(),
      actionsPerSubtask: z.number(),
    }),
  ),
  /** By the benchmark's names, the most frequent first. */
  kinds: z.array(counted),
  /** By recordings. */
  resolutions: z.array(counted),
  splits: z.array(counted),
  states: z.array(counted),
  /** One value a recording: a demonstration of the whole task. */
  actionsPerTask: distributionSchema,
  actionsPerSubtask: distributionSchema,
  secondsPerTask: distributionSchema,
  secondsPerSubtask: distributionSchema,
  words: z.object({ goals: distributionSchema, subtasks: distributionSchema, narrations: distributionSchema }),
  /** The 200 most frequent words, without those that mean nothing by themselves. */
  frequentWords: z.array(z.object({ word: z.string(), count: z.int() })),
});
export type DatasetStatistics = z.infer<typeof datasetStatisticsSchema>;

/** How splits are filled: whole tasks, in the given shares, each software by itself as far as it goes. */
export const splitRuleSchema = z.object({
  shares: z
    .array(z.object({ split: splitSchema, share: z.number().positive().max(1000) }))
    .min(1)
    .max(20),
  /** The same seed and tasks give the same splits. */
  seed: z.string().max(100).default('1'),
  /** Near-duplicate tasks (as last found, dismissed ones left out) share a split. */
  keepDuplicatesTogether: z.boolean().default(true),
  /** Also tasks that have a split are dealt anew; else they keep it. */
  again: z.boolean().default(false),
});
export type SplitRule = z.infer<typeof splitRuleSchema>;

export const splitPlanSchema = z.object({
  /** Only those that change. */
  assigned: z.array(z.object({ task: z.string(), from: z.string().nullable(), split: z.string() })),
  /** The splits as they will be: tasks of each software in each. */
  shares: z.array(z.object({ software: z.string(), split: z.string(), tasks: z.int(), recordings: z.int() })),
  /** Groups whose tasks had been put into different splits by hand, which stay so. */
  torn: z.array(z.array(z.string())),
});
export type SplitPlan = z.infer<typeof splitPlanSchema>;

/** One screen: the `before` picture of a step. `frame` is the recorded frame's number, by which pages ask for it. */
const screenRefSchema = z.object({
  recording: z.string(),
  task: z.string(),
  action: z.string(),
  frame: z.int(),
});
export type ScreenRef = z.infer<typeof screenRefSchema>;

const goalGroupSchema = z.object({
  id: z.string(),
  /** Tasks; the proposed keeper first, each other with its similarity to it (0 to 1). */
  members: z.array(z.object({ task: z.string(), goal: z.string(), software: z.string(), similarity: z.number() })),
  dismissed: z.boolean(),
});
export type GoalGroup = z.infer<typeof goalGroupSchema>;

const screenGroupSchema = z.object({
  id: z.string(),
  /** The proposed keeper first, each other with the bits (of 256) in which it differs; 0: equal to the eye. */
  members: z.array(screenRefSchema.extend({ distance: z.int() })),
  /** All pixels of all members are equal. */
  exact: z.boolean(),
  tasks: z.int(),
  dismissed: z.boolean(),
});
export type ScreenGroup = z.infer<typeof screenGroupSchema>;

export const duplicateWishesSchema = z.object({
  filter: datasetFilterSchema.default({}),
  /** Least similarity of goals, 0 to 1. */
  goals: z.number().min(0.3).max(1).default(0.8),
  /** Most differing bits of 256; null: screens are not looked at. */
  screens: z.int().min(0).max(32).nullable().default(6),
});
export type DuplicateWishes = z.infer<typeof duplicateWishesSchema>;

export const duplicatesSchema = z.object({
  /** Null: nobody has looked yet. */
  ranAt: z.iso.datetime().nullable(),
  wishes: duplicateWishesSchema.nullable(),
  goals: z.array(goalGroupSchema),
  screens: z.array(screenGroupSchema),
  /** Screens that could not be looked at, and why. */
  skipped: z.array(z.object({ recording: z.string(), reason: z.string() })),
});
export type Duplicates = z.infer<typeof duplicatesSchema>;

/** Something that is in two splits. */
export const leakSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task'), task: z.string(), splits: z.array(z.string()), recordings: z.array(z.string()) }),
  /** A template and its instances, whose tasks are to share one split; each task with the composition that it is of. */
  z.object({
    kind: z.literal('family'),
    templates: z.array(z.string()),
    splits: z.array(z.string()),
    tasks: z.array(z.object({ task: z.string(), split: z.string(), composition: z.string() })),
  }),
  z.object({
    kind: z.literal('goal'),
    tasks: z.tuple([z.string(), z.string()]),
    splits: z.tuple([z.string(), z.string()]),
    goals: z.tuple([z.string(), z.string()]),
    similarity: z.number(),
  }),
  z.object({
    kind: z.literal('screen'),
    screens: z.tuple([screenRefSchema, screenRefSchema]),
    splits: z.tuple([z.string(), z.string()]),
    distance: z.int(),
    /** How many pairs of screens of these two tasks leak; this is the nearest. */
    pairs: z.int(),
  }),
]);
export type Leak = z.infer<typeof leakSchema>;

/** version.json: what a version is called and why; `hash` is of snapshot.jsonl beside it. */
export const VERSION_SCHEMA = 'trajectory-studio/dataset-version';
/** 2: the task's answer, kind, source, platform and files are frozen too. */
export const VERSION_VERSION = 2;
const VERSIONS_READ = [1, 2] as const;
export const datasetVersionSchema = z.object({
  schema: z.literal(VERSION_SCHEMA),
  version: z.literal(VERSIONS_READ),
  name: knownVersionNameSchema,
  changelog: z.string().max(20_000),
  createdAt: z.iso.datetime(),
  tool: z.object({ name: z.string(), version: z.string() }),
  filter: datasetFilterSchema,
  /** Licence, citation and sources as they were; absent where nobody had said any. */
  terms: datasetTermsSchema.optional(),
  /** sha256 of snapshot.jsonl: the same content has the same hash, whatever it is called. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  counts: z.object({ tasks: z.int(), recordings: z.int(), subtasks: z.int(), actions: z.int() }),
  /** Made by the workspace that froze it; in any other its proofs are what somebody says. */
  mark: z.string().max(100).optional(),
});
export type DatasetVersion = z.infer<typeof datasetVersionSchema>;

/** The first line of snapshot.jsonl. */
export const snapshotHeadSchema = z.object({
  schema: z.literal('trajectory-studio/dataset-snapshot'),
  version: z.literal(VERSIONS_READ),
  /** Versions of the rules that made actions and keyframes. */
  rules: z.record(z.string(), z.int()),
  recordings: z.int(),
});
export type SnapshotHead = z.infer<typeof snapshotHeadSchema>;

const snapshotFileSchema = z.object({
  /** Inside the recording's folder, with `/`. */
  path: z.string(),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type SnapshotFile = z.infer<typeof snapshotFileSchema>;

/**
 * Every other line of snapshot.jsonl, by the recordings' ids: canonical JSON. With the files that it names by their hash,
 * it is all that an export needs.
 */
export const snapshotRecordingSchema = z.object({
  id: recordingIdSchema,
  task: z.string(),
  app: z.object({ id: z.string(), name: z.string(), prefix: z.string() }),
  /** The goal that the library and the recording itself have. */
  goal: z.string(),
  recordedGoal: z.string(),
  state: rowStateSchema,
  verdict: verdictSchema.shape.kind.nullable(),
  /** Absent: nobody had tried to prove it, also in versions from before. */
  proof: proofSchema.extract(['proven', 'failed']).optional(),
  /** Who said that it is proven, '' where no name is known; absent: the workspace could show it, or nobody said so. */
  proofSaid: z.string().optional(),
  startedAt: z.string(),
  durationUs: z.int().nullable(),
  person: z.string().nullable(),
  annotators: z.array(z.string()),
  tags: z.array(z.string()),
  split: z.string().nullable(),
  agreement: z.number().nullable(),
  platform: z.enum(['linux', 'windows', 'macos']).nullable(),
  resolution: z.object({ width: z.int(), height: z.int() }),
  /** The file that shows it, for the raw log; null when there is none. */
  video: z.string().nullable(),
  attachments: z.array(z.string()),
  /** Its task. Absent in version 1, and for a recording whose task is not in the library. */
  brief: frozenTaskSchema.optional(),
  actions: z.array(actionSchema),
  /** With those that the annotator moved in their places. */
  keyframes: z.array(keyframeSchema),
  records: z.array(recordSchema),
  /** The word of judges on steps, by action; absent where nobody judged one, and in versions from before. */
  judged: z.record(z.string(), judgedStepSchema).optional(),
  figures: figuresSchema,
  files: z.array(snapshotFileSchema),
});
export type SnapshotRecording = z.infer<typeof snapshotRecordingSchema>;

/** The differences of one step between two versions. */
const stepChangeSchema = z.object({
  action: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  /** `label.element`, `box`, `removal`, `keyframe`, `action`: from, to (null: not there). */
  what: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
});
export type StepChange = z.infer<typeof stepChangeSchema>;

export const versionComparisonSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** The snapshots are the same, byte for byte. */
  equal: z.boolean(),
  tasks: z.object({ added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) }),
  recordings: z.object({
    added: z.array(z.object({ recording: z.string(), task: z.string() })),
    removed: z.array(z.object({ recording: z.string(), task: z.string() })),
    changed: z.array(
      z.object({
        recording: z.string(),
        task: z.string(),
        /** `goal`, `state`, `split`, `tags`, `files`, `subtasks`, …: from, to. */
        what: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
        steps: z.array(stepChangeSchema),
      }),
    ),
  }),
});
export type VersionComparison = z.infer<typeof versionComparisonSchema>;
