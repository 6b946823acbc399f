import { oc } from '@orpc/contract';
import { z } from 'zod';
import { evaluateOptionsSchema, evaluationSchema, scoredCaseSchema } from '../evaluate.ts';
import { datasetSchema, QUESTION_LEVELS } from '../questions.ts';

/** The evaluation page's part of the contract: question sets, runs (scored predictions of one model) and their cases. */

const ws = z.object({ ws: z.string() });
const name = z.string().trim().min(1).max(100);
const done = z.object({ ok: z.literal(true) });

/** Questions with their truth that lie in the workspace: made from it, or taken from files. */
export const questionSetSchema = z.object({
  id: z.string(),
  name: z.string(),
  madeAt: z.string(),
  source: z.enum(['workspace', 'files']),
  /** Null: the files had no first line that names it. */
  dataset: datasetSchema.nullable(),
  files: z.array(
    z.object({
      file: z.string(),
      level: z.enum(QUESTION_LEVELS).nullable(),
      /** Questions by kind. */
      counts: z.record(z.string(), z.int()),
    }),
  ),
  /** What could not be asked; the first two hundred of `leftOutCount`. */
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

export const CASE_CHOICES = ['all', 'wrong', 'right', 'noted'] as const;
export const caseFilterSchema = z.object({
  /** Wrong: less than the full score; noted: missing, unreadable, refused, stopped. */
  only: z.enum(CASE_CHOICES).default('all'),
  kind: z.string().nullable().default(null),
  software: z.string().nullable().default(null),
  /** Of the case's main score, from 0 to 1, both ends inside. */
  least: z.number().min(0).max(1).default(0),
  most: z.number().min(0).max(1).default(1),
  /** Part of the id, in any case. */
  text: z.string().max(200).default(''),
  order: z.enum(['file', 'worst']).default('file'),
});
export type CaseFilter = z.infer<typeof caseFilterSchema>;

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
  /** Throws NOTHING_TO_EXPORT when no level has a question. */
  makeQuestions: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/question-sets', summary: 'Make questions from the data set' })
    .input(
      ws.extend({
        name: name.optional(),
        levels: z.array(z.enum(QUESTION_LEVELS)).min(1),
        /** Recordings of every state, not only approved ones. */
        everyState: z.boolean().default(false),
        /** A folder on this machine that gets a copy of the files; null: none. It must not exist. */
        out: z.string().nullable().default(null),
      }),
    )
    .output(questionSetSchema),
  /** Files on this machine that `questions` wrote, with the truth in them; copied with their pictures. */
  takeQuestions: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/question-sets/take', summary: 'Take questions from files' })
    .input(ws.extend({ name: name.optional(), paths: z.array(z.string().min(1)).min(1).max(20) }))
    .output(questionSetSchema),
  /** With every run that was scored on it. */
  removeQuestions: oc
    .route({ method: 'DELETE', path: '/workspaces/{ws}/question-sets/{set}', summary: 'Remove a question set' })
    .input(ws.extend({ set: z.string() }))
    .output(done),
  runs: oc
    .route({ method: 'GET', path: '/workspaces/{ws}/runs', summary: 'Scored predictions, newest first' })
    .input(ws)
    .output(z.array(runSchema)),
  /** Throws BAD_FILE with every wrong line in `details.problems`; nothing is scored then. */
  score: oc
    .route({ method: 'POST', path: '/workspaces/{ws}/runs', summary: 'Score predictions' })
    .input(
      ws.extend({
        /** Empty: what the file's first line says, else the file's name. */
        name: z.string().trim().max(100).default(''),
        set: z.string(),
        files: z.array(z.string()).min(1),
        predictions: z.discriminatedUnion('from', [
          z.object({ from: z.literal('path'), path: z.string().min(1) }),
          /** `upload` is what POST /files/{ws}/predictions answered. */
          z.object({ from: z.literal('upload'), upload: z.string(), name: z.string().max(300) }),
        ]),
        options: evaluateOptionsSchema,
      }),
    )
    .output(runSchema),
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
