import { oc } from '@orpc/contract';
import { z } from 'zod';

/** Recordings that come to a team's server from other machines (docs/team.md). The bytes go by tus, see FILE_ROUTES.uploads. */

/** The version of what both sides say to each other: raised when an older one would misunderstand. */
export const UPLOAD_PROTOCOL = 1;

const ws = z.object({ ws: z.string() });
const at = (path: string) => `/workspaces/{ws}/uploads${path}` as const;

const welcomeSchema = z.object({
  /** The workspace that this server is for. */
  ws: z.string(),
  workspace: z.string(),
  /** The versions of the program, of the talk about uploads, and of the newest archive that it reads. */
  version: z.string(),
  protocol: z.int(),
  archives: z.int(),
  person: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  /** When the token ends that asked; null for a session. */
  tokenEndsAt: z.string().nullable(),
  /** Annotation and its history, tags, splits and files of tasks are taken too. */
  whole: z.boolean(),
  /** The largest upload, bytes. */
  mostBytes: z.number(),
  /** The server's clock. */
  now: z.iso.datetime(),
});
export type UploadWelcome = z.infer<typeof welcomeSchema>;

const uploadReceiptSchema = z.object({
  upload: z.string(),
  bytes: z.number(),
  /** How many of them are there. */
  offset: z.number(),
  /** `checking`: all bytes are there; every hash is compared and the recordings are taken in. */
  state: z.enum(['receiving', 'checking', 'taken', 'refused']),
  /** While it is checked: how far, 0 to 1, and in words. */
  progress: z.number(),
  message: z.string().nullable(),
  /** Why it was refused for good; or, while it is checked, why it has to wait and is tried again. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  recordings: z.array(z.string()),
  known: z.array(z.string()),
  forked: z.array(z.string()),
  warnings: z.array(z.string()),
  /** The hash of archive.json as it arrived; null before it was taken. */
  manifest: z.string().nullable(),
  /** Files as they lie in the server's workspace, with the hashes of what was read there. */
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
});
export type UploadReceipt = z.infer<typeof uploadReceiptSchema>;

export const uploadsContract = {
  uploads: {
    welcome: oc
      .route({
        method: 'GET',
        path: '/uploads/welcome',
        summary: 'How recordings are sent to this server, and who asks',
      })
      .output(welcomeSchema),
    /** One's own, by the hash of its archive.json: so that whoever lost its id goes on with it. */
    find: oc
      .route({ method: 'GET', path: at('/find'), summary: 'The upload of an archive, by the hash of its manifest' })
      .input(ws.extend({ manifest: z.string().regex(/^[0-9a-f]{64}$/) }))
      .output(uploadReceiptSchema.nullable()),
    receipt: oc
      .route({ method: 'GET', path: at('/{upload}'), summary: 'How far an upload is, and what was confirmed' })
      .input(ws.extend({ upload: z.string().max(100) }))
      .output(uploadReceiptSchema),
  },
};
