import { z } from 'zod';

/** What somebody else's recipe or checks would do on this machine, shown before a person agrees to it (docs/play.md). */
export const askedSetupSchema = z.object({
  kind: z.enum(['recipe', 'checks']),
  task: z.string(),
  /** Of everything that it consists of: its own text, and the files that it puts on a stage. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  programs: z.array(
    z.object({ command: z.string(), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  ),
  /**
   * What is put into the home. `from`: one of the task's files; null: a text of the recipe, whose beginning is `text`. `bytes`:
   * null where it is missing.
   */
  files: z.array(
    z.object({
      to: z.string(),
      from: z.string().nullable(),
      bytes: z.int().nullable(),
      text: z.string().nullable(),
      /** `folder`: empty; `unpacked`: what the file, an archive, holds is put into it. Absent: a file. */
      as: z.enum(['folder', 'unpacked']).optional(),
    }),
  ),
  network: z.boolean(),
  /** With the network its programs reach the servers on this machine, too: nothing keeps them apart here. */
  ownServers: z.boolean().optional(),
  /** What the checks look at, a line each. */
  checks: z.array(z.object({ id: z.string(), kind: z.string(), at: z.string() })),
});
export type AskedSetup = z.infer<typeof askedSetupSchema>;
