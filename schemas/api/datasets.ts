import { oc } from '@orpc/contract';
import { z } from 'zod';
import { runFilterSchema } from '../agents.ts';
import {
  dataRowSchema,
  datasetFilterSchema,
  datasetStatisticsSchema,
  datasetVersionSchema,
  duplicatesSchema,
  duplicateWishesSchema,
  knownVersionNameSchema,
  leakSchema,
  proofSchema,
  splitPlanSchema,
  splitRuleSchema,
  splitSchema,
  tagSchema,
  versionComparisonSchema,
  versionNameSchema,
} from '../dataset.ts';
import { datasetTermsSchema } from '../dataset-terms.ts';
import { leftOutSchema } from '../export.ts';
import { command } from './command.ts';
import { jobSchema } from './models.ts';

/** Data sets: choosing them, and writing them out. */

const ws = z.object({ ws: z.string() });
/** The person who asks: a hidden check of theirs does not give itself away. */
const asker = z.string().min(1).optional();
const done = z.object({ ok: z.literal(true) });
const at = (path: string) => `/workspaces/{ws}${path}` as const;

/** A frozen version, or what the filter finds now. */
export const sourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('version'), name: knownVersionNameSchema }),
  z.object({ kind: z.literal('filter'), filter: datasetFilterSchema }),
]);
/** The same, or runs of models: demonstrations and runs are never mixed. */
const exportSourceSchema = z.discriminatedUnion('kind', [
  ...sourceSchema.options,
  z.object({ kind: z.literal('runs'), filter: runFilterSchema }),
]);
export type DatasetSource = z.infer<typeof sourceSchema>;

const choice = z.object({ name: z.string(), what: z.string() });
export const formatSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** Its purpose, in a sentence. */
  purpose: z.string(),
  parts: z.array(choice),
  defaultParts: z.array(z.string()),
  options: z.array(choice.extend({ values: z.array(choice), default: z.string() })),
});
export type ExportFormat = z.infer<typeof formatSchema>;

/** The export that is wished for. `parts` and `options` that are left out are the format's own. */
const exportWishesSchema = z.object({
  formats: z
    .array(
      z.object({
        name: z.string(),
        parts: z.array(z.string()).optional(),
        options: z.record(z.string(), z.string()).optional(),
      }),
    )
    .min(1)
    .max(20),
  source: exportSourceSchema,
  /** Every state, not approved alone. */
  all: z.boolean().default(false),
  /** Which recordings of a task go out where several may: the furthest one (the default), or all. */
  recordings: z.enum(['one', 'every']).optional(),
  /** Words of `verify`: recordings of others stay behind. Also of a frozen version, by the word that it was frozen with. */
  proof: z.array(proofSchema).min(1).max(4).optional(),
  /** Steps of a run that are the agent's, or a person's who took it over. All steps of a demonstration are a person's. */
  steps: z.enum(['agent', 'person']).optional(),
});
export type ExportWishes = z.infer<typeof exportWishesSchema>;
export const previewInput = ws.extend({ person: asker, wishes: exportWishesSchema });

export const exportPreviewSchema = z.object({
  tasks: z.int(),
  subtasks: z.int(),
  actions: z.int(),
  /** The number of the tasks that `verify` proved, and of those that it tried and did not. */
  proof: z.object({ proven: z.int(), failed: z.int(), said: z.int() }),
  /** For every format: tasks that do not go out, removed steps, other recordings of a task. */
  leftOut: z.array(leftOutSchema),
  formats: z.array(
    z.object({
      format: z.string(),
      /** Rows by part and data set. */
      counts: z.record(z.string(), z.int()),
      /** The things that this format alone cannot hold. */
      leftOut: z.array(leftOutSchema),
    }),
  ),
});
export type ExportPreview = z.infer<typeof exportPreviewSchema>;

export const pastExportSchema = z.object({
  id: z.string(),
  format: z.string(),
  folder: z.string(),
  /** Whether the folder is still there. */
  exists: z.boolean(),
  version: z.string().nullable(),
  counts: z.record(z.string(), z.int()),
  createdAt: z.iso.datetime(),
  /** The result of the last check; null when nobody has checked it. */
  validation: z
    .object({
      at: z.iso.datetime(),
      ok: z.boolean(),
      /** The first 200. */
      problems: z.array(z.object({ code: z.string(), file: z.string(), where: z.string(), message: z.string() })),
      count: z.int(),
    })
    .nullable(),
});
export type PastExport = z.infer<typeof pastExportSchema>;

export const datasets = {
  /** Every row; filters are pure (core/curate/filter.ts) and run where they are asked. `uncounted` > 0: a job counts them now. */
  rows: oc
    .route({ method: 'GET', path: at('/dataset'), summary: 'Every recording as a row of the data set' })
    .input(ws.extend({ person: asker }))
    .output(z.object({ rows: z.array(dataRowSchema), uncounted: z.int() })),
  tag: oc
    .route({ method: 'POST', path: at('/dataset/tags'), summary: 'Add and remove tags of many recordings' })
    .input(
      ws.extend({
        recordings: z.array(z.string()).min(1).max(20_000),
        add: z.array(tagSchema).max(50).default([]),
        remove: z.array(z.string()).max(50).default([]),
      }),
    )
    .output(done),
  /** All recordings of a task share its split. */
  split: oc
    .route({ method: 'POST', path: at('/dataset/split'), summary: 'Put tasks into a split by hand; null: into none' })
    .input(ws.extend({ tasks: z.array(z.string()).min(1).max(20_000), split: splitSchema.nullable() }))
    .output(done),
  /** Nothing is changed. */
  planSplit: oc
    .route({ method: 'POST', path: at('/dataset/split/plan'), summary: 'What splitting by a rule would do' })
    .input(ws.extend({ rule: splitRuleSchema, filter: datasetFilterSchema.default({}) }))
    .output(splitPlanSchema),
  applySplit: oc
    .route({ method: 'POST', path: at('/dataset/split/rule'), summary: 'Split automatically' })
    .input(ws.extend({ rule: splitRuleSchema, filter: datasetFilterSchema.default({}) }))
    .output(splitPlanSchema),
  /** Screens are those that were looked at when duplicates were last searched. `screens`: most differing bits; null: not asked. */
  leaks: oc
    .route({ method: 'POST', path: at('/dataset/leaks'), summary: 'What stands in two splits' })
    .input(
      ws.extend({
        filter: datasetFilterSchema.default({}),
        goals: duplicateWishesSchema.shape.goals,
        screens: duplicateWishesSchema.shape.screens,
        /** Looks at the other screens too, which takes minutes the first time. */
        look: z.boolean().default(false),
        /** A frozen version instead, as a whole and without its screens. */
        version: z.string().max(200).optional(),
      }),
    )
    .output(z.object({ leaks: z.array(leakSchema), screensUnseen: z.int() })),
  findDuplicates: oc
    .route({ method: 'POST', path: at('/dataset/duplicates'), summary: 'Search near duplicates; a job' })
    .input(ws.extend({ wishes: duplicateWishesSchema }))
    .output(jobSchema),
  duplicates: oc
    .route({ method: 'GET', path: at('/dataset/duplicates'), summary: 'Near duplicates as last found' })
    .input(ws)
    .output(duplicatesSchema),
  dismiss: oc
    .route({ method: 'POST', path: at('/dataset/duplicates/dismiss'), summary: 'A group is none; kept' })
    .input(ws.extend({ group: z.string(), dismissed: z.boolean() }))
    .output(done),
  statistics: oc
    .route({ method: 'POST', path: at('/dataset/statistics'), summary: 'The figures that the paper shows' })
    .input(ws.extend({ person: asker, source: sourceSchema }))
    .output(datasetStatisticsSchema),
  terms: oc
    .route({ method: 'GET', path: at('/dataset/terms'), summary: 'Licence, citation and sources of the data set' })
    .input(ws)
    .output(datasetTermsSchema),
  /**
   * The terms of everything that is exported, frozen and archived from now on; versions keep those that they were frozen
   * with.
   */
  setTerms: oc
    .route({ method: 'PUT', path: at('/dataset/terms'), summary: 'Set licence, citation and sources' })
    .input(ws.extend({ terms: datasetTermsSchema }))
    .output(datasetTermsSchema),
  freeze: oc
    .route({ method: 'POST', path: at('/versions'), summary: 'Freeze a version; a job' })
    .input(
      ws.extend({
        name: versionNameSchema,
        changelog: z.string().max(20_000).default(''),
        /** Every recording that fits (the default), or of each task the one whose work is furthest. */
        recordings: z.enum(['one', 'every']).optional(),
        /** Also when nothing changed since the newest version, which has the same content then. */
        again: z.boolean().optional(),
        filter: datasetFilterSchema.default({}),
      }),
    )
    .output(jobSchema),
  /** The newest first. */
  versions: command('dataset versions', 'list frozen versions', [
    ['dataset versions --workspace W', 'the newest first'],
  ])
    .route({ method: 'GET', path: at('/versions'), summary: 'Frozen versions' })
    .input(ws)
    .output(
      z.object({
        versions: z.array(datasetVersionSchema),
        unreadable: z.array(z.object({ name: z.string(), message: z.string() })),
      }),
    ),
  /** Reads the snapshot and compares it with its hash. */
  version: oc
    .route({ method: 'GET', path: at('/versions/{name}'), summary: 'One version with its rows, verified' })
    .input(ws.extend({ name: z.string() }))
    .output(z.object({ version: datasetVersionSchema, rows: z.array(dataRowSchema) })),
  compare: command('dataset compare <from> <to>', 'the changes between two versions', [
    ['dataset compare v1.0 v1.1 --workspace W', 'tasks, recordings and steps'],
  ])
    .route({ method: 'GET', path: at('/versions/{from}/compare/{to}'), summary: 'What changed between two versions' })
    .input(ws.extend({ from: z.string(), to: z.string() }))
    .output(versionComparisonSchema),
};

export const exportsContract = {
  formats: oc
    .route({ method: 'GET', path: '/formats', summary: 'Formats of exports, and their choices' })
    .output(z.array(formatSchema)),
  /** Where an export would go by default. */
  suggest: oc
    .route({ method: 'GET', path: at('/exports/suggest'), summary: 'A folder for a new export' })
    .input(ws)
    .output(z.object({ out: z.string() })),
  preview: oc
    .route({
      method: 'POST',
      path: at('/exports/preview'),
      summary: 'What goes out and what does not, without writing',
    })
    .input(previewInput)
    .output(exportPreviewSchema),
  /** One format goes into `out` itself, several into a folder each in it; `out` must be missing or empty. */
  start: oc
    .route({ method: 'POST', path: at('/exports'), summary: 'Export; a job' })
    .input(ws.extend({ wishes: exportWishesSchema, out: z.string().min(1).max(4000) }))
    .output(jobSchema),
  /** The newest first. */
  list: oc
    .route({ method: 'GET', path: at('/exports'), summary: 'Exports that were made' })
    .input(ws)
    .output(z.array(pastExportSchema)),
  /** The result is in the list when the job is done. */
  validate: oc
    .route({ method: 'POST', path: at('/exports/{export}/validate'), summary: 'Read an export back; a job' })
    .input(ws.extend({ export: z.string() }))
    .output(jobSchema),
};
