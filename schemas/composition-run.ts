import { z } from 'zod';
import { compositionSchema } from './composition.ts';
import { INSTRUCTION_LEVELS } from './instruction-levels.ts';
import { recordingIdSchema } from './names.ts';
import { PROTOCOLS } from './protocols.ts';

/** A composition done from its first task to its last on one stage (docs/compositions.md), as the workspace keeps it. */

export const COMPOSITION_RUN_SCHEMA = 'trajectory-studio/composition-run';
/**
 * 2: a person did it, or a model played the user, 3: the composition in it is one that older programs cannot read (values that
 * vary, an origin, stages), 4: files go over in it, 5: folders do. What has none of it is written as 1, which older programs read.
 */
export const COMPOSITION_RUN_VERSION = 5;
export const RUN_VERSION_WITH_TAKEN_FILES = 4;
export const RUN_VERSION_WITH_TEMPLATES = 3;
export const RUN_VERSION_ON_ONE_STAGE = 2;
export const FIRST_RUN_VERSION = 1;

/** `player`: demonstrations are performed again; `person`: somebody did it and was recorded; else a model, as its runs say it. */
const actorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('player') }),
  z.object({ kind: z.literal('person'), name: z.string().min(1).max(200) }),
  z.object({ kind: z.literal('agent'), agent: z.string(), model: z.string(), endpoint: z.string() }),
]);
export type RunActor = z.infer<typeof actorSchema>;

/**
 * `blocked`: it was not begun, since something before it did not succeed; `collapsed`: of a pathway whose path had ended before it.
 */
const outcomeSchema = z.enum(['passed', 'failed', 'blocked', 'collapsed']);

const memberResultSchema = z.object({
  member: z.string(),
  outcome: outcomeSchema,
  why: z.string(),
  /** The level of the instruction that was given, which is `base` where the task has none of the level that was asked for. */
  level: z.enum(INSTRUCTION_LEVELS),
  /** The instruction with its slots filled; null: nobody was given it. */
  instruction: z.string().nullable(),
  /** Its recording; null: nothing was recorded. */
  recording: recordingIdSchema.nullable(),
  /** The graded score of its checks. */
  score: z.number().min(0).max(1),
  steps: z.int().min(0),
  questions: z.int().min(0),
  /** What was asked, where somebody could be; in the order in which it was. */
  asked: z
    .array(z.object({ question: z.string(), answer: z.string(), kind: z.enum(['valid', 'redundant', 'irrelevant']) }))
    .optional(),
  tookMs: z.int().min(0),
  cost: z.number().min(0).nullable(),
  answer: z.string().nullable(),
  /** What came of its outputs; one that nothing could be read of is not among them. */
  values: z.array(z.object({ name: z.string(), value: z.string(), right: z.boolean() })),
  /** Files of earlier members, also those of folders, that were put into its stage's home before it began; absent: none. */
  files: z
    .array(z.object({ from: z.string(), file: z.string(), to: z.string(), bytes: z.int(), sha256: z.string() }))
    .optional(),
  /** By the scenario's clock, as `2026-03-02T08:50:00`; absent where none was set. */
  clock: z.object({ from: z.string(), to: z.string() }).optional(),
  /** The stage that it was to be done on, where the composition names stages. */
  stage: z.string().optional(),
  /** That stage had given out: it was not begun, or it ended with it. */
  stageGone: z.literal(true).optional(),
  /** The copy of the stage's home after it; null: none was made. Of several stages the first copy. */
  copy: z.string().nullable(),
  /** Where the composition names stages: the copies of the homes in which something had changed, by their stages. */
  copies: z.record(z.string(), z.string()).optional(),
});
export type MemberResult = z.infer<typeof memberResultSchema>;

export const ranEventSchema = z.object({
  id: z.string(),
  kind: z.string(),
  /** By the scenario's clock; null where none was set. */
  at: z.string().nullable(),
  /** The task that it came before, or after; one that came before a task is not in the copy of the home from before that. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Why it could not happen, in words; null: it did. */
  failed: z.string().nullable(),
});
export type RanEvent = z.infer<typeof ranEventSchema>;

export const compositionRunSchema = z.object({
  schema: z.literal(COMPOSITION_RUN_SCHEMA),
  version: z.literal([
    FIRST_RUN_VERSION,
    RUN_VERSION_ON_ONE_STAGE,
    RUN_VERSION_WITH_TEMPLATES,
    RUN_VERSION_WITH_TAKEN_FILES,
    COMPOSITION_RUN_VERSION,
  ]),
  id: z.string().regex(/^[0-9a-f]{12}$/),
  at: z.iso.datetime(),
  /** As it was when it was begun. */
  composition: compositionSchema,
  actor: actorSchema,
  level: z.enum(INSTRUCTION_LEVELS),
  /** What the actor was told beside each instruction. */
  context: z.enum(['none', 'pack']),
  /** The members in the order in which they are done. */
  order: z.array(z.string()),
  /** How many questions of each task a simulated user answers, and who that is; `played`: by which model. Absent: none. */
  ask: z
    .object({
      most: z.int().min(1).max(100),
      user: z.enum(['slots', 'model']),
      seed: z.int().min(0),
      played: z.object({ endpoint: z.string(), protocol: z.enum(PROTOCOLS), model: z.string() }).optional(),
    })
    .optional(),
  /** Files that say what an answer was that may change with time. */
  kept: z.array(z.object({ member: z.string(), output: z.string(), file: z.string(), sha256: z.string() })),
  /** The run that it goes on with, and the first task that is done here; the results before that one are that run's. */
  resumes: z.object({ run: z.string(), from: z.string() }).nullable(),
  results: z.array(memberResultSchema),
  /** Draws when events happen and which; absent: 0. */
  seed: z.int().min(0).optional(),
  /** Events of the scenario, in order. */
  events: z.array(ranEventSchema).optional(),
  /** The member that was begun and has no result yet. */
  begun: z.string().nullable(),
  /** The recording of it; where the run was broken off, up to there. Absent: nothing, or the run is of an older program. */
  half: z.object({ member: z.string(), recording: recordingIdSchema }).optional(),
  /** Null: it goes on, or the program was ended in the middle. `broke`: the stage or the disk gave out. */
  ended: z.object({ how: z.enum(['done', 'stopped', 'broke']), why: z.string() }).nullable(),
});
export type CompositionRun = z.infer<typeof compositionRunSchema>;
