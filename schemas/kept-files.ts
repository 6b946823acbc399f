import { z } from 'zod';

/**
 * Large files of closed recordings in a place of their own, a folder or a bucket: each once by its hash,
 * `content/<first two digits>/<sha256>`. `place.json` gives the place an id. `.kept.json` in a recording's folder says which of its
 * files are there.
 */

export const FILES_PLACE_SCHEMA = 'trajectory-studio/files-place';
export const KEPT_FILES_SCHEMA = 'trajectory-studio/kept-files';
export const KEPT_VERSION = 1;

export const filesPlaceSchema = z.object({
  schema: z.literal(FILES_PLACE_SCHEMA),
  version: z.literal(KEPT_VERSION),
  id: z.uuid(),
});

export const keptFilesSchema = z.object({
  schema: z.literal(KEPT_FILES_SCHEMA),
  version: z.literal(KEPT_VERSION),
  /** The place's id, and its address when this was written. */
  place: z.uuid(),
  where: z.string().max(4000),
  files: z
    .array(
      z.object({
        /** In the folder, with `/`. */
        path: z.string().min(1).max(1000),
        bytes: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        /** When it was sent. */
        at: z.iso.datetime(),
      }),
    )
    .max(100_000),
});
export type KeptFiles = z.infer<typeof keptFilesSchema>;
export type FarFile = KeptFiles['files'][number];
