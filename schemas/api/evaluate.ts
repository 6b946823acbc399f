import { oc } from '@orpc/contract';
import { z } from 'zod';
import { evaluateOptionsSchema, evaluationSchema, scoredCaseSchema, TASK_LEVELS } from '../evaluate.ts';
import { AIDS, datasetSchema, QUESTION_LEVELS, usedAidSchema } from '../questions.ts';
import { givenKeySchema } from './given-key.ts';
import { jobSchema } from './models.ts';

/** The evaluation page's part of the contract: question sets, runs (scored predictions of one model) and their cases. */

const ws = z.object({ ws: z.string() });
const name = z.string().trim().min(1).max(100);
const done = z.object({ ok: z.literal(true) });

/** Questions with their truth that are in the workspace: made from it, or taken from files. */
export const questionSetSchema = z.object({
  id: z.string(),
  name: z.string(),
  madeAt: z.string(),
  source: z.enum(['workspace', 'files']),
  /** Whole tasks, whose runs are scored; null: questions. */
  tasks: z.enum(TASK_LEVELS).nullable().default(null),
  /** Null: the files had no first line that names it. */
  dataset: datasetSchema.nullable(),
  files: z.array(
    z.object({
      file: z.string(),
      level: z.enum(QUESTION_LEVELS).nullable(),
      aid: usedAidSchema.nullable().default(null),
      /** Questions by kind. */
      counts: z.record(z.string(), z.int()),
      /** For clicks and drags with an aid: the targets that are in one of its elements. */
      reach: z.object({ reachable: z.int(), of: z.int() }).nullable().default(null),
    }),
  ),
  /** The questions that could not be asked; the first two hundred of `leftOutCount`. */
  leftOut: z.array(z.object({ item: z.string(), reason: z.string() })),
  leftOutCount: z.int(),
});
export type QuestionSet = z.infer<typeof questionSetSchema>;

/** The predictions of one model, scored. `evaluation` comes without its reports: each case tells the same. */
export const runSchema = z.object({
  id: z.string(),
  name: z.string(),
  madeAt: z.string(),
  /** The question set, and those of its files that were scored. */
  set: z.string(),
  files: z.array(z.string()),
  /** The name of the predictions' file as the person gave it. */
  predictions: z.string(),
  evaluation: evaluationSchema,
});
export type Run = z.infer<typeof runSchema>;

const CASE_CHOICES = ['all', 'wrong', 'right', 'noted', 'missing'] as const;
export const caseFilterSchema = z.object({
  /** Wrong: answered, with less than the full score; noted: missing, unreadable, refused, stopped; missing: not answered. */
  only: z.enum(CASE_CHOICES).default('all'),
  kind: z.string().nullable().default(null),
  software: z.string().nullable().default(null),
  /** Bounds of the case's main score, from 0 to 1, both ends inside. */
  least: z.number().min(0).max(1).default(0),
  most: z.number().min(0).max(1).default(1),
  /** Part of the id, in any case. */
  text: z.string().max(200).default(''),
  order: z.enum(['file', 'worst']).default('file'),
});
export type CaseFilter = z.infer<typeof caseFilterSchema>;

/** A file as a page gives it: on this machine, or sent by POST /files/{ws}/predictions, whose answer is `upload`. */
const givenFileSchema = z.discriminatedUnion('from', [
  z.object({ from: z.literal('path'), path: z.string().min(1) }),
  z.object({ from: z.literal('upload'), upload: z.string(), name: z.string().max(300) }),
]);
export type GivenFile = z.infer<typeof givenFileSchema>;

/** Scores of plans: from cases that `evaluate --critic --cases` wrote, or from a model that is asked now. */
const givenCriticSchema = z.discriminatedUnion('from', [
  z.object({ from: z.literal('file'), file: givenFileSchema }),
  z.object({
    from: z.literal('endpoint'),
    endpoint: z.string().min(1).max(2000),
    model: z.string().trim().min(1).max(200),
    key: givenKeySchema,
    /** The price of a million tokens, in whatever currency. */
    prices: z.object({ input: z.number().min(0), output: z.number().min(0) }).default({ input: 0, output: 0 }),
    /** Requests at once, and most a minute. */
    concurrency: z.int().min(1).max(64).default(4),
    rate: z.int().min(1).nullable().default(null),
  }),
]);
export type GivenCritic = z.infer<typeof givenCriticSchema>;

/** Work that was begun, and the id of the set or run that will be there when it is done. */
const madeSet = z.object({ job: jobSchema, set: z.string() });
const madeRun = z.object({ job: jobSchema, run: z.string() });

const casePageSchema = z.object({
  /** Cases that fit the filter, and all. */
  total: z.int(),
  all: z.int(),
  kinds: z.array(z.string()),
  software: z.array(z.string()),
  cases: z.array(scoredCaseSchema),
});
export type CasePage = z.infer<typeof casePageSchema>;

export const evaluateContract = {
  questionSets: oc
    .route({ method: 'GET', path: '/workspaces/{ws}/question-sets', summary: 'Question sets, newest first' })
    .input(ws)
    .output(z.array(questionSetSchema)),
  /** The job fails with NOTHING_TO_EXPORT when no level has a question. */
  makeQuestions: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/question-sets', summary: 'Make questions from the data set' })
    .input(
      ws.extend({
        name: name.optional(),
        levels: z.array(z.enum(QUESTION_LEVELS)).default([]),
        /** Further files of clicks and drags, each with one of these aids. One level or aid is needed. */
        aids: z.array(z.enum(AIDS)).default([]),
        /** So many frames show a visual query that is a video. */
        frames: z.int().min(2).max(64).default(8),
        /** Which recordings of a task are asked about: one (the default), or all, where plans have several ways. */
        recordings: z.enum(['one', 'every']).optional(),
        /** Recordings of every state, not only approved ones. */
        everyState: z.boolean().default(false),
        /** A folder on this machine that gets a copy of the files; null: none. It must not exist. */
        out: z.string().nullable().default(null),
      }),
    )
    .output(madeSet),
  /** Files on this machine that `questions` wrote, with the truth in them; copied with their pictures. Or whole tasks. */
  takeQuestions: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/question-sets/take', summary: 'Take questions from files' })
    .input(
      ws.extend({
        name: name.optional(),
        paths: z.array(z.string().min(1)).min(1).max(20),
        tasks: z.enum(TASK_LEVELS).nullable().default(null),
      }),
    )
    .output(madeSet),
  /** With every run that was scored on it. */
  removeQuestions: oc
    .route({ method: 'DELETE', path: '/workspaces/{ws}/question-sets/{set}', summary: 'Remove a question set' })
    .input(ws.extend({ set: z.string() }))
    .output(done),
  runs: oc
    .route({ method: 'GET', path: '/workspaces/{ws}/runs', summary: 'Scored predictions, newest first' })
    .input(ws)
    .output(z.array(runSchema)),
  /** The job fails with BAD_FILE and every wrong line in `details.problems` of its failure; nothing is scored then. */
  score: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/runs', summary: 'Score predictions' })
    .input(
      ws.extend({
        /** Empty: what the file's first line says, else the file's name. */
        name: z.string().trim().max(100).default(''),
        set: z.string(),
        files: z.array(z.string()).min(1),
        predictions: givenFileSchema,
        options: evaluateOptionsSchema,
      }),
    )
    .output(madeRun),
  /** The run is scored again with a critic's scores of its plans; the new run takes the place of the old one. */
  judge: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/runs/{run}/judge', summary: "Score a run's plans by a critic" })
    .input(ws.extend({ run: z.string(), critic: givenCriticSchema }))
    .output(madeRun),
  removeRun: oc
    .route({ method: 'DELETE', path: '/workspaces/{ws}/runs/{run}', summary: 'Remove a run' })
    .input(ws.extend({ run: z.string() }))
    .output(done),
  cases: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/runs/{run}/cases', summary: 'Cases of a run, a page at a time' })
    .input(
      ws.extend({
        run: z.string(),
        filter: caseFilterSchema,
        from: z.int().min(0).default(0),
        count: z.int().min(1).max(200).default(50),
      }),
    )
    .output(casePageSchema),
  /** The same question in another run; null when it was not asked there. */
  caseOf: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/runs/{run}/case', summary: 'One case of a run' })
    .input(ws.extend({ run: z.string(), id: z.string() }))
    .output(scoredCaseSchema.nullable()),
};
