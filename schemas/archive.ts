import { z } from 'zod';
import { knownVersionNameSchema } from './dataset.ts';
import { datasetTermsSchema } from './dataset-terms.ts';
import { travellerSchema } from './history.ts';
import { recordingIdSchema } from './names.ts';
import { taskKindSchema } from './task.ts';

/**
 * A workspace, some of its recordings, or a frozen version of its data set, as one .tar: one folder that holds archive.json
 * (first), library.json, then recordings/<id>/…, attachments/…, compositions/<id>.json with composition-verification/<id>.jsonl,
 * composition-runs/<id>.json, and versions/<name>/….
 */
export const ARCHIVE_SCHEMA = 'trajectory-studio/archive';
export const ARCHIVE_VERSION = 4;
/** One with compositions, and without runs of them, is written as this. */
export const VERSION_WITHOUT_RUNS = 3;
/** One without compositions is written as this, which older programs read. */
export const VERSION_WITHOUT_COMPOSITIONS = 2;
/** Versions that are read. 2 added histories, people and frozen versions, 3 compositions, 4 runs of them; every older archive is one of a newer version. */
const ARCHIVE_VERSIONS_READ = [1, VERSION_WITHOUT_COMPOSITIONS, VERSION_WITHOUT_RUNS, ARCHIVE_VERSION] as const;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** archive.json: every other file with its hash, in the order in which they stand. No time, so that bytes repeat. */
export const archiveManifestSchema = z.object({
  schema: z.literal(ARCHIVE_SCHEMA),
  version: z.literal(ARCHIVE_VERSIONS_READ),
  tool: z.object({ name: z.string(), version: z.string() }),
  /** Ids, sorted. */
  recordings: z.array(recordingIdSchema),
  /** The frozen version that it was made of; `hash` is of its snapshot. */
  dataset: z.object({ name: knownVersionNameSchema, hash: sha256 }).optional(),
  files: z.array(
    z.object({
      /** Inside the folder, with `/`. */
      path: z.string().min(1).max(400),
      bytes: z.int().min(0),
      sha256,
    }),
  ),
});
export type ArchiveManifest = z.infer<typeof archiveManifestSchema>;

const words = z.string().max(20_000);
const short = z.string().min(1).max(300);

/** library.json: what the database says of what is in the archive. */
export const archiveLibrarySchema = z.object({
  /** The people who demonstrated the recordings; others who worked on one are in its history. */
  people: z.array(travellerSchema).max(10_000).optional(),
  /** Licence, citation and sources of the data set, where somebody said any. */
  terms: datasetTermsSchema.optional(),
  software: z.array(
    z.object({
      id: short,
      name: short,
      prefix: short,
      platforms: words,
      aliases: z.array(short).max(1000),
      executables: z.array(short).max(1000),
      category: z.string().max(300).optional(),
    }),
  ),
  tasks: z.array(
    z.object({
      id: short,
      software: short,
      goal: words,
      state: z.enum(['open', 'closed']),
      platform: words,
      sourceUrl: words,
      notes: words,
      answer: words.optional(),
      kind: taskKindSchema.optional(),
      /** The split that all its recordings stand in. */
      split: z.string().max(40).optional(),
    }),
  ),
  recordings: z.array(
    z.object({
      id: recordingIdSchema,
      state: z.string().max(40),
      tags: z.array(z.string().max(50)).max(1000).optional(),
    }),
  ),
  attachments: z.array(
    z.object({
      id: z.string().regex(/^[\w-]{1,60}$/),
      task: short,
      role: z.string().max(40),
      name: short,
      /** In the archive and in the workspace alike. */
      file: z.string().min(1).max(400),
      createdAt: z.iso.datetime(),
    }),
  ),
});
export type ArchiveLibrary = z.infer<typeof archiveLibrarySchema>;
