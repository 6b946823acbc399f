import { z } from 'zod';

/**
 * Backups of workspaces in one place (a folder, or a prefix of a bucket). `place.json` says that it is such a place; each backup
 * is one list, `backups/<id>.json`, of files that are kept once by their hash, `files/<first two digits>/<sha256>`.
 */

export const BACKUP_SCHEMA = 'trajectory-studio/backup';
export const BACKUP_VERSION = 1;
export const BACKUP_PLACE_SCHEMA = 'trajectory-studio/backup-place';

export const backupPlaceSchema = z.object({
  schema: z.literal(BACKUP_PLACE_SCHEMA),
  version: z.literal(BACKUP_VERSION),
});

/** `20261128T070504Z-0a1b`: in the order of their time. */
export const BACKUP_ID = /^\d{8}T\d{6}Z-[0-9a-f]{4}$/;
const backupIdSchema = z.string().regex(BACKUP_ID);

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const content = { sha256, bytes: z.int().min(0) };

const backedUpFileSchema = z.object({
  /** In the workspace, with `/`. */
  path: z.string().min(1).max(4000),
  ...content,
  /** When it was changed last, ms since 1970. */
  changed: z.number(),
  /** Another one when the file may have changed: a file of the same path and mark is not read again. */
  mark: z.string().max(200),
});
export type BackedUpFile = z.infer<typeof backedUpFileSchema>;

export const backupSchema = z.object({
  schema: z.literal(BACKUP_SCHEMA),
  version: z.literal(BACKUP_VERSION),
  id: backupIdSchema,
  /** When it was begun. */
  at: z.iso.datetime(),
  tool: z.string(),
  /** The name of the workspace's folder. */
  workspace: z.string(),
  /** The database as it was at one moment, before any other file was read; `schema` is its own version. */
  database: z.object({ ...content, schema: z.int().min(1) }),
  files: z.array(backedUpFileSchema),
  /** Parts of the workspace that are not in it, and why. */
  leftOut: z.array(z.object({ path: z.string(), why: z.string() })),
});
export type Backup = z.infer<typeof backupSchema>;
