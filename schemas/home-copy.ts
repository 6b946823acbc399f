import { z } from 'zod';

/** A copy of a stage's home as it was after a task (copy.json of its folder); its entries are a file of lines beside it. */

export const HOME_COPY_SCHEMA = 'trajectory-studio/home-copy';
export const HOME_COPY_VERSION = 1;

/** What of a home is in no copy: sockets, pipes, what may not be read, what programs were writing all the time. */
const leftOutSchema = z.object({ path: z.string(), why: z.string() });

export const homeCopySchema = z.object({
  schema: z.literal(HOME_COPY_SCHEMA),
  version: z.literal(HOME_COPY_VERSION),
  id: z.string().regex(/^[0-9a-f]{12}$/),
  at: z.iso.datetime(),
  stage: z.string(),
  /** The task that the stage was set up for. */
  task: z.string().nullable(),
  /** Why it was made, in a person's or a run's words. */
  note: z.string().nullable(),
  files: z.int().min(0),
  /** Of all its files, and of those that no earlier copy had. */
  bytes: z.int().min(0),
  newBytes: z.int().min(0),
  leftOut: z.array(leftOutSchema),
});
export type HomeCopy = z.infer<typeof homeCopySchema>;

const entry = { path: z.string().min(1), mode: z.int().min(0).max(0o7777), changed: z.number() };
/** A line of entries.jsonl, a folder before what is in it. `changed`: when it was changed last, ms since 1970. */
export const homeEntrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), ...entry }),
  z.object({ kind: z.literal('file'), ...entry, size: z.int().min(0) }),
  z.object({ kind: z.literal('link'), ...entry, to: z.string().min(1) }),
]);
export type HomeEntry = z.infer<typeof homeEntrySchema>;
