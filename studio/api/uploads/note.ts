import { z } from 'zod';

/** The note beside the bytes of an upload, uploads/<id>.json: whose it is, how long it will be, and how it ended. */

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** How an upload ended: its archive is in the workspace, or was refused for good. */
const uploadEndSchema = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('taken'),
    /** The hash of archive.json. */
    manifest: sha256,
    /** Came with it, and were here already. */
    recordings: z.array(z.string()),
    known: z.array(z.string()),
    /** Those of them whose work went on differently here, where it stays as it is. */
    forked: z.array(z.string()),
    /** Files as they lie in this workspace now, each with the hash of what was read there. */
    files: z.array(z.object({ path: z.string(), sha256 })),
    warnings: z.array(z.string()),
  }),
  z.object({ state: z.literal('refused'), code: z.string(), message: z.string() }),
]);
export type UploadEnd = z.infer<typeof uploadEndSchema>;

export const uploadNoteSchema = z.object({
  version: z.literal(1),
  id: z.uuid(),
  /** The person whose upload it is: nobody else can see that there is one. */
  owner: z.string(),
  /** Bytes of the whole archive. */
  bytes: z.int().min(1),
  /** The hash of its archive.json, as the sender says it: by it an upload is found again. Empty: not said. */
  manifest: z.union([sha256, z.literal('')]),
  /** The sender may bring annotation, tags, splits and tasks' files too. */
  whole: z.boolean(),
  createdAt: z.iso.datetime(),
  end: uploadEndSchema.nullable(),
});
export type UploadNote = z.infer<typeof uploadNoteSchema>;
