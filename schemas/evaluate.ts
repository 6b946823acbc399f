import { z } from 'zod';
import { PLAN_QUERIES, QUESTION_KINDS, STEP_LIMIT_BENCHMARKS, sha256Schema, usedAidSchema } from './questions.ts';
import { SCALES } from './scales.ts';

/** The request, the choices and the result of `evaluate` (core/evaluate/RULES.md). */

export const EVALUATE_LEVELS = [...QUESTION_KINDS, 'all', 'trajectories', 'scenario'] as const;
export type EvaluateLevel = (typeof EVALUATE_LEVELS)[number];
/** Runs of whole tasks, which are judged by what they came to. */
export const TASK_LEVELS = ['trajectories', 'scenario'] as const;
export type TaskLevel = (typeof TASK_LEVELS)[number];

/**
 * Every choice that the papers leave open, by name, with its default. They are written into each result: two results are
 * comparable when these are equal.
 */
export const evaluateOptionsSchema = z
  .object({
    /** Which ways of writing an answer are read: every one of the tables, or only what the paper's prompts ask for (M7). */
    answerForms: z.enum(['any', 'paper']).default('any'),
    /** The scale of the numbers of positions; `guess`: from all answers of the run, and said in the result (M29). */
    coordinates: z.enum(['guess', ...SCALES]).default('guess'),
    /** Recall of click and drag: farthest distance that counts, raw px of the picture (M4). */
    threshold: z.number().min(0).default(100),
    /** Whether the threshold itself counts (M4). */
    comparator: z.enum(['<=', '<']).default('<='),
    /** The value that a prediction without a position adds to Dist: nothing, or the farthest distance there is (M5). */
    missingDist: z.enum(['skip', 'one']).default('skip'),
    /** When a predicted box is a hit: by the mean distance of its corners, or by containing the truth (M3). */
    boxRecall: z.enum(['corners', 'contains']).default('corners'),
    /** Where a chosen mark is: its middle, as A.3 takes it, or its box (M26). */
    markPlace: z.enum(['centre', 'box']).default('centre'),
    /** How the keys that were pressed are compared with the truth (M12). */
    keysReading: z.enum(['contained', 'multiset', 'orderedLcs']).default('contained'),
    /** Characters that PyAutoGUI has no key for: ignored as the library does, or typed (M11). */
    otherCharacters: z.enum(['ignored', 'typed']).default('ignored'),
    /** A code block's calls of the mouse: they press no key, or they make the program refused (M10). */
    mouseCalls: z.enum(['ignored', 'refused']).default('ignored'),
    /** Where the critic's score could not be read twice: left out of the mean, or 0 (M16). */
    unreadableCritic: z.enum(['skip', 'zero']).default('skip'),
    /** Which score of a plan goes into the overall score (M19). Without a critic, `critic` leaves it empty. */
    planScore: z.enum(['critic', 'stepF1']).default('critic'),
    /** The paper's main columns (M19): high-level from pictures, mid-level from the state and the query. */
    mainHigh: z.enum(PLAN_QUERIES).default('vision'),
    mainMid: z.enum(PLAN_QUERIES).default('vision+text'),
    /** First number of actions of each group of figure 5, ascending (M20). */
    actionGroups: z.array(z.int().min(1)).min(1).default([1, 3, 5, 9, 17]),
    /** NaturalGAIA: a task's difficulty from nodes and applications (M22). */
    difficulty: z.enum(['product', 'sum']).default('product'),
    /** NaturalGAIA: each task's share in MATCR is the same, as its formula says, or its difficulty, as its table 1 is made (M24). */
    matcrMean: z.enum(['tasks', 'difficulty']).default('tasks'),
    /** Of several attempts at a task, so many count for Pass@k (M33). */
    passAttempts: z.int().min(1).max(1000).default(4),
    /** NaturalGAIA: p(i), the weight of a place (M23). */
    positionWeight: z.enum(['i', 'i/n', '2^(i-1)']).default('i'),
    /**
     * Whose step limits count (M21): Mobile-Agent-V's, NaturalGAIA's, or none. `task`: of the benchmark that a task names,
     * else of the one that calls its difficulty so.
     */
    benchmark: z.enum(['task', ...STEP_LIMIT_BENCHMARKS, 'none']).default('task'),
    /** Mobile-Agent-V: most steps of a basic, standard and complex task; one that took more failed (A.1.4). */
    stepLimits: z.tuple([z.int(), z.int(), z.int()]).default([10, 15, 20]),
    /** NaturalGAIA: most steps of a task of level 1, 2 and 3. The paper sets none: 0 is no limit. */
    naturalgaiaStepLimits: z.tuple([z.int(), z.int(), z.int()]).default([0, 0, 0]),
    /** ScenDroid: rates over several scenarios are the mean of the scenarios, as tables 3 and 7 have them, or of tasks (M25). */
    scenarioMean: z.enum(['scenarios', 'tasks']).default('scenarios'),
    /** ScenDroid: what a question costs (M25), and from which score on a task passed. */
    clarificationCost: z.number().min(0).default(0.5),
    passScore: z.number().min(0).max(1).default(0.99),
    /** Intervals (M18): resamples, share inside, and the seed. */
    resamples: z.int().min(100).max(100_000).default(1000),
    level: z.number().gt(0).lt(1).default(0.95),
    seed: z.int().min(0).default(1),
  })
  .refine(({ actionGroups }) => actionGroups.every((n, i) => i === 0 || n > actionGroups[i - 1]!), {
    path: ['actionGroups'],
    error: 'must ascend',
  });
export type EvaluateOptions = z.infer<typeof evaluateOptionsSchema>;
export const DEFAULT_OPTIONS: EvaluateOptions = evaluateOptionsSchema.parse({});

const intervalSchema = z.object({
  low: z.number(),
  high: z.number(),
  /** `normal` beyond a few thousand cases, where both agree and resampling only costs time (M18). */
  method: z.enum(['bootstrap', 'normal']),
});

/** One number of a result. Null: there was nothing to count. */
const metricSchema = z.object({
  /** `click.recall`, `mid.vision+text.score`, `action.full`, `overall`. */
  metric: z.string(),
  value: z.number().nullable(),
  /** The unit: of a percentage, a critic's score, Kendall's tau, or a count. */
  unit: z.enum(['%', '0-5', 'tau', 'count']),
  /** Cases behind it. */
  n: z.int(),
  interval: intervalSchema.nullable(),
  /** The parts that a mean of several leaves out because the data has nothing of them: `drag`, `high` (M17, M19). */
  lacks: z.array(z.string()).optional(),
});
export type Metric = z.infer<typeof metricSchema>;

const GROUPS = ['overall', 'software', 'actions', 'difficulty', 'scenario'] as const;
/** A row of the leaderboard or a point of figure 5. `name` is the software, `5-8` actions, a difficulty; '' for all. */
const evaluationRowSchema = z.object({
  group: z.enum(GROUPS),
  name: z.string(),
  metrics: z.array(metricSchema),
});
export type EvaluationRow = z.infer<typeof evaluationRowSchema>;

/** Why a case did not get what it might have got. */
const CASE_NOTES = [
  'missing',
  'unreadable',
  'refused',
  'stopped',
  'ignored-keys',
  'critic-unreadable',
  'over-limit',
  'performed-otherwise',
  'not-performed',
] as const;
export type CaseNote = (typeof CASE_NOTES)[number];

/** The result of performing an answer's keys on a stage (M32). */
const performedKeysSchema = z.object({
  /** The keys as the recorder and the reducer saw them; null: it was not performed. */
  keys: z.array(z.string()).nullable(),
  /** Whether they are the keys that were read of the answer. */
  same: z.boolean().nullable(),
  scores: z.object({ recall: z.number(), precision: z.number() }).nullable(),
  /** The difference, or why it was not performed; null where both agree. */
  why: z.string().nullable(),
});
export type PerformedKeys = z.infer<typeof performedKeysSchema>;

/** One case with its score: a line of the case file. */
export const scoredCaseSchema = z.object({
  id: z.string(),
  kind: z.string(),
  query: z.enum(PLAN_QUERIES).nullable(),
  software: z.string(),
  task: z.string(),
  /** Number of actions of its subtask (its task, for a high-level plan). */
  actions: z.int(),
  difficulty: z.string().nullable(),
  prompt: z.string().nullable(),
  /** Relative to the truth's file. */
  images: z.array(z.string()),
  truth: z.unknown(),
  /** The prediction as it was given; null when there was none. */
  prediction: z.unknown(),
  /** The part of it that was understood: a position, keys, steps. */
  reading: z.unknown(),
  /** Metrics of this case alone, each from 0 to 1 (a plan's score from 0 to 5, tau from -1 to 1). Null: not counted. */
  scores: z.record(z.string(), z.number().nullable()),
  /** Why, in words. */
  why: z.string(),
  notes: z.array(z.enum(CASE_NOTES)),
  /** Absent where nothing was performed. */
  performed: performedKeysSchema.optional(),
  /** The judge of this plan and its prompt; absent where nobody judged. */
  critic: z.object({ model: z.string(), prompt: sha256Schema.nullable() }).optional(),
});
export type ScoredCase = z.infer<typeof scoredCaseSchema>;

const reportSchema = z.object({
  id: z.string(),
  /** The line of the predictions' file, from 1; null when the prediction is missing. */
  line: z.int().nullable(),
  note: z.enum(CASE_NOTES),
  message: z.string(),
});
export type EvaluationReport = z.infer<typeof reportSchema>;

export const EVALUATION_SCHEMA = 'trajectory-studio/evaluation';
export const EVALUATION_VERSION = 1;

/**
 * Which of the rules of core/evaluate/RULES.md decided the numbers; raised when the same answers get other scores. 1: before
 * answers were read in every form (M7), kinds that the data lacks left the mean (M17, M19), step limits had a benchmark
 * (M21) and scenarios the same weight (M25). 2: before calls of tools were read by one reader (M34), places that are none were
 * passed over (M7), thousandths needed 20 answers (M29) and an empty program had no precision (M12).
 */
export const SCORING_RULES = 3;

/** The scale that the numbers of positions were taken to have, over all answers of the run (M29). */
const coordinatesSchema = z.object({
  scale: z.enum(SCALES),
  /** Guessed from the answers, or named by the person. */
  guessed: z.boolean(),
  /** Whether the answers left no other choice. */
  sure: z.boolean(),
  /** Answers that were looked at; the form of others says their scale. */
  answers: z.int(),
  why: z.string(),
});
export type UsedCoordinates = z.infer<typeof coordinatesSchema>;

/** The whole result: what the page shows and `evaluate --json` prints. */
export const evaluationSchema = z.object({
  schema: z.literal(EVALUATION_SCHEMA),
  version: z.literal(EVALUATION_VERSION),
  /** Absent in results by rules 1, from before there were others. */
  rules: z.int().optional(),
  level: z.enum(EVALUATE_LEVELS),
  /** Null: no position was asked for. Absent in results by rules 1, which took all numbers for pixels. */
  coordinates: coordinatesSchema.nullable().optional(),
  /** From the predictions' first line. */
  model: z.string().nullable(),
  dataset: z.object({ name: z.string(), hash: sha256Schema }).nullable(),
  prompts: z.object({ questions: sha256Schema.nullable(), critic: sha256Schema.nullable() }),
  /** The aid that clicks and drags were asked with; null: none. */
  aid: usedAidSchema.nullable().default(null),
  critic: z
    .object({
      model: z.string(),
      asked: z.int(),
      /** Answers that came from the cache. */
      cached: z.int(),
      /** Scores that came from a file of cases, and cost nothing here. */
      loaded: z.int().default(0),
      /** Asked once more because the answer could not be read. */
      again: z.int(),
      unreadable: z.int(),
      tokens: z.object({ input: z.int(), output: z.int() }),
      cost: z.number(),
    })
    .nullable(),
  options: evaluateOptionsSchema,
  rows: z.array(evaluationRowSchema),
  /** The scores that chance gets on the same questions (M30); absent in results by rules 1 and of whole tasks. */
  random: z.array(metricSchema).optional(),
  counts: z.object({
    cases: z.int(),
    answered: z.int(),
    missing: z.int(),
    unreadable: z.int(),
    refused: z.int(),
    /** Predictions for questions of another level, which were passed over. */
    otherLevel: z.int(),
  }),
  /** With `--perform`: answers whose keys were performed on a stage. Absent without. */
  performed: z
    .object({
      /** Answers of which performing and reading gave the same keys, and of which not. */
      same: z.int(),
      otherwise: z.int(),
      /** Answers that press something and could not be performed. */
      not: z.int(),
      /** Means over what was performed; null where nothing was. */
      recall: z.number().nullable(),
      precision: z.number().nullable(),
    })
    .optional(),
  /** The first thousand; `counts` knows all. */
  reports: z.array(reportSchema),
  /** Where each case's score was written. */
  caseFile: z.string().nullable(),
});
export type Evaluation = z.infer<typeof evaluationSchema>;
