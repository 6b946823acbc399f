import { z } from 'zod';
import { AIDS, PLAN_QUERIES, QUESTION_KINDS, QUESTION_LEVELS, SCROLL_ANSWERS } from './question-lists.ts';

/** The files that go to a model and come back: questions, truth, predictions. JSON Lines, the first line a head. */

export const QUESTIONS_SCHEMA = 'trajectory-studio/questions';
export const PREDICTIONS_SCHEMA = 'trajectory-studio/predictions';
/** 2 when an aid stands in it, which a program that knows only 1 would score wrongly; else still 1. */
export const QUESTIONS_VERSION = 2;

export {
  AIDS,
  type Aid,
  LETTERS,
  type Letter,
  PLAN_QUERIES,
  type PlanQuery,
  QUESTION_KINDS,
  QUESTION_LEVELS,
  type QuestionKind,
  type QuestionLevel,
  SCROLL_ANSWERS,
  type ScrollAnswer,
} from './question-lists.ts';

export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const pixel = z.tuple([z.number(), z.number()]);
const side = z.int().min(1);
/** x, y, width, height in the picture. */
export const boxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Pixels of the question's picture, whose size is width x height. */
const clickTruthSchema = z.object({
  kind: z.literal('click'),
  point: pixel,
  width: side,
  height: side,
  box: boxSchema.nullable().optional(),
});
export type ClickTruth = z.infer<typeof clickTruthSchema>;

const dragTruthSchema = z.object({
  kind: z.literal('drag'),
  start: pixel,
  end: pixel,
  width: side,
  height: side,
});
export type DragTruth = z.infer<typeof dragTruthSchema>;

const scrollTruthSchema = z
  .object({
    kind: z.literal('scroll'),
    answer: z.enum(SCROLL_ANSWERS),
    /** The answers that A, B and C stand for in the prompt. */
    order: z.tuple([z.enum(SCROLL_ANSWERS), z.enum(SCROLL_ANSWERS), z.enum(SCROLL_ANSWERS)]),
  })
  .refine(({ order }) => new Set(order).size === 3, { path: ['order'], error: 'must hold each option once' });
export type ScrollTruth = z.infer<typeof scrollTruthSchema>;

/** Keys in the order in which they go down: PyAutoGUI's names, a character as itself. */
const keysTruthSchema = z.object({ kind: z.literal('keys'), keys: z.array(z.string().min(1)).min(1) });

const planTruthSchema = z.object({
  kind: z.enum(['mid', 'high']),
  steps: z.array(z.string()).min(1),
  /** Other recordings' ways to the same: the best fitting one counts (M31). Absent: there is one way. */
  alternatives: z.array(z.array(z.string()).min(1)).min(1).max(100).optional(),
});
export type PlanTruth = z.infer<typeof planTruthSchema>;

const truthSchema = z.union([clickTruthSchema, dragTruthSchema, scrollTruthSchema, keysTruthSchema, planTruthSchema]);
export type Truth = z.infer<typeof truthSchema>;

export const questionSchema = z.object({
  /** `GIMP_1/2/5` (task, subtask, action), `GIMP_1/2/6/before`, `GIMP_1/2/vision+text`, `GIMP_1/text`. */
  id: z.string().min(1),
  kind: z.enum(QUESTION_KINDS),
  query: z.enum(PLAN_QUERIES).nullable().default(null),
  software: z.string().default(''),
  task: z.string().default(''),
  /** The number of actions of the subtask (of the task, for a high-level plan): figure 5's axis. */
  actions: z.int().min(0).default(0),
  difficulty: z.string().nullable().default(null),
  prompt: z.string().default(''),
  /** In the order in which the prompt speaks of them; paths relative to this file, with `/`. */
  images: z.array(z.string()).default([]),
  /** The boxes of the marks 1, 2, … on its picture; absent without marks. */
  marks: z.array(boxSchema).min(1).optional(),
  /** Absent where the truth is in a file of its own. */
  truth: truthSchema.optional(),
});
export type Question = z.infer<typeof questionSchema>;

export const datasetSchema = z.object({
  name: z.string(),
  /** SHA-256 of everything that is annotated and of every picture: another version has another hash. */
  hash: sha256Schema,
});
export type Dataset = z.infer<typeof datasetSchema>;

/**
 * The help that clicks and drags were asked with: the aid, who found the elements (`edges`, `tesseract`, a detector's name).
 */
export const usedAidSchema = z.object({
  kind: z.enum(AIDS),
  source: z.string(),
  /** SHA-256 of all elements: other elements are another test. */
  hash: sha256Schema,
});
export type UsedAid = z.infer<typeof usedAidSchema>;

/** First line of a file of questions or of their truth. */
export const questionsHeadSchema = z.object({
  schema: z.literal(QUESTIONS_SCHEMA),
  version: z.int().min(1),
  level: z.enum(QUESTION_LEVELS),
  dataset: datasetSchema,
  /** SHA-256 of the prompt files. */
  prompts: sha256Schema,
  /** The seed for the order of the options of scroll questions. */
  seed: z.int().min(0),
  aid: usedAidSchema.nullable().default(null),
  /** So many frames of a video show a visual query that is one; absent where none is. */
  frames: z.int().min(1).optional(),
  /** Whether the lines hold the truth, the questions, or both. */
  holds: z.enum(['questions', 'truth', 'both']),
});
export type QuestionsHead = z.infer<typeof questionsHeadSchema>;

/** First line of a file of predictions; a file without one is taken, but its version cannot be checked. */
export const predictionsHeadSchema = z.object({
  schema: z.literal(PREDICTIONS_SCHEMA),
  version: z.int().min(1),
  model: z.string().nullable().default(null),
  dataset: datasetSchema.nullable().default(null),
  prompts: sha256Schema.nullable().default(null),
  /** Null: without an aid. Absent: the file does not say. */
  aid: usedAidSchema.nullable().optional(),
  /** The settings it was asked with: temperature, the largest answer. */
  asked: z.record(z.string(), z.unknown()).optional(),
});
export type PredictionsHead = z.infer<typeof predictionsHeadSchema>;

/**
 * As text, the way a model answered; as numbers (a position, a box, two of them); as steps; an object as a tool call or a
 * whole task has it. Anything else is that question's own unreadable answer, and no reason to refuse the others.
 */
export const predictionSchema = z.object({
  id: z.string().min(1),
  prediction: z.unknown().refine((value) => value !== undefined, 'is missing'),
});
export type Prediction = z.infer<typeof predictionSchema>;

/** Benchmarks whose tasks may have step limits (M21). */
export const STEP_LIMIT_BENCHMARKS = ['mobile-agent-v', 'naturalgaia'] as const;

/** A task whose runs are judged (`evaluate trajectories`): a line of the truth's file. */
export const trajectoryTruthSchema = z.object({
  id: z.string().min(1),
  software: z.string().default(''),
  task: z.string().default(''),
  /** Whose task it is, where its difficulty does not tell. */
  benchmark: z.enum(STEP_LIMIT_BENCHMARKS).optional(),
  /** `basic`, `normal`, `advanced` (Mobile-Agent-V) or `1`, `2`, `3` (NaturalGAIA) choose the limit of steps; any other is only a group. */
  difficulty: z.string().nullable().default(null),
  /** Atomic tasks of its pathway, and the applications that it takes (NaturalGAIA). */
  nodes: z.int().min(1),
  applications: z.int().min(1).default(1),
});
export type TrajectoryTruth = z.infer<typeof trajectoryTruthSchema>;

export const ERROR_KINDS = ['planning', 'structural', 'execution'] as const;
export const EXECUTION_ERRORS = ['operational', 'knowledge', 'perceptual'] as const;

/** The outcome of a run. `atomic` holds, in order, which atomic tasks succeeded; those that it does not reach failed. */
export const trajectoryOutcomeSchema = z.object({
  atomic: z.array(z.union([z.boolean(), z.literal(0), z.literal(1)])),
  /** Actions that the agent took. */
  steps: z.int().min(0).optional(),
  /** It went on beyond what the instruction asked for, which fails (mobile-agent-v.txt A.1.4). */
  overdone: z.boolean().optional(),
  decisions: z.object({ correct: z.int().min(0), total: z.int().min(0) }).optional(),
  errors: z
    .array(z.object({ kind: z.enum(ERROR_KINDS), type: z.enum(EXECUTION_ERRORS).nullable().default(null) }))
    .default([]),
});
export type TrajectoryOutcome = z.infer<typeof trajectoryOutcomeSchema>;

/** Several runs of one task, in their order (Pass@k). */
export const trajectoryAttemptsSchema = z.object({ attempts: z.array(trajectoryOutcomeSchema).min(1).max(1000) });
export type TrajectoryAttempts = z.infer<typeof trajectoryAttemptsSchema>;

/** A task of a scenario (`evaluate scenario`). */
export const scenarioTruthSchema = z.object({
  id: z.string().min(1),
  scenario: z.string().default(''),
  software: z.string().default(''),
  /** Ambiguity of its instruction: L0, L1, L2. */
  difficulty: z.string().nullable().default(null),
});
export type ScenarioTruth = z.infer<typeof scenarioTruthSchema>;

export const scenarioOutcomeSchema = z.object({
  /** 0 to 1: graded where the verifier grades. */
  score: z.number().min(0).max(1),
  steps: z.int().min(0).optional(),
  /** Questions that it asked the user. */
  clarifications: z.int().min(0).default(0),
});
export type ScenarioOutcome = z.infer<typeof scenarioOutcomeSchema>;
