import { z } from 'zod';
import { datasetTermsSchema } from './dataset-terms.ts';

/** manifest.json of an export: what was made from what, what is not in it, and every file with its hash. */
export const EXPORT_SCHEMA = 'trajectory-studio/export';
export const EXPORT_VERSION = 1;

export const leftOutSchema = z.object({
  /** `TASK`, `TASK/SUBTASK` or `TASK/SUBTASK/ACTION`, by id and ranks. */
  item: z.string(),
  /** The part of the export that lacks it, `*` for all of it. */
  from: z.string(),
  reason: z.string(),
});

const manifestFileSchema = z.object({
  /** Inside the export, with `/`. */
  path: z.string(),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type ManifestFile = z.infer<typeof manifestFileSchema>;

export const exportManifestSchema = z.object({
  schema: z.literal(EXPORT_SCHEMA),
  version: z.literal(EXPORT_VERSION),
  format: z.string(),
  /** Parts of the format that were written. */
  parts: z.array(z.string()),
  tool: z.object({ name: z.string(), version: z.string() }),
  /** Versions of the rules behind what is derived: actions, keyframes. */
  rules: z.record(z.string(), z.int()),
  /** Choices that change values, by name: `scrollSign`. */
  options: z.record(z.string(), z.string()),
  filters: z.record(z.string(), z.unknown()),
  /** Start of the newest recording in it (ISO 8601): the export's date comes from the data, so that bytes repeat. */
  newestRecording: z.string().nullable(),
  /** Tasks by the split that they stand in; absent when the data set is not split. A task in none is in no list. */
  splits: z.record(z.string(), z.array(z.string())).optional(),
  /** Folders of the splits, and of tasks in none, by name; absent: no split has a folder of its own. */
  splitFolders: z.array(z.string()).optional(),
  /** Tasks by the word of `verify`; one that nobody tried is in no list. Absent where nobody tried any. */
  proof: z
    .object({ proven: z.array(z.string()), failed: z.array(z.string()), said: z.array(z.string()).optional() })
    .optional(),
  /** Tasks that are runs of models, and whose their steps are; absent: all of it was done by people. */
  runs: z
    .array(
      z.object({
        task: z.string(),
        recording: z.string(),
        agent: z.string(),
        model: z.string(),
        how: z.string(),
        /** What its checks say. */
        success: z.boolean(),
        score: z.number(),
        /** How often a person took it over. */
        helped: z.int(),
        agentSteps: z.int(),
        /** Steps of a person, as `TASK/SUBTASK/ACTION`. */
        personSteps: z.array(z.string()),
      }),
    )
    .optional(),
  /** Fields whose words a person took from a model's draft; absent: there is none. */
  drafts: z
    .array(
      z.object({
        /** `TASK/SUBTASK` of a title, else `TASK/SUBTASK/ACTION`. */
        item: z.string(),
        field: z.string(),
        /** `model@hash of the prompts`. */
        by: z.string(),
        /** Its id among the recording's drafts. */
        draft: z.string(),
        /** A person changed its words since. */
        edited: z.boolean(),
      }),
    )
    .optional(),
  /** Licence, citation and sources; absent where nobody said any. */
  terms: datasetTermsSchema.optional(),
  /** Rows by part and data set. */
  counts: z.record(z.string(), z.int()),
  leftOut: z.array(leftOutSchema),
  /** Every file but the manifest itself, by path. */
  files: z.array(manifestFileSchema),
});
export type ExportManifest = z.infer<typeof exportManifestSchema>;
