import { z } from 'zod';
import { attachmentRoleSchema, taskKindSchema } from './task.ts';

/** Everything that a task holds beside its recordings. Empty texts: nobody said. */
export const frozenTaskSchema = z.object({
  kind: taskKindSchema,
  answer: z.string(),
  /** The link to its source video. */
  source: z.string(),
  /** Where it is to be done, in words. */
  platform: z.string(),
  /** The purpose of its software, in words. */
  category: z.string(),
  files: z.array(
    z.object({
      id: z.string(),
      role: attachmentRoleSchema,
      name: z.string(),
      /** Inside the workspace, with `/`: attachments/<task>/<file>. */
      file: z.string(),
      mime: z.string(),
      bytes: z.int(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type FrozenTask = z.infer<typeof frozenTaskSchema>;
