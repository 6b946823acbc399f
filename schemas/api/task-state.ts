import { z } from 'zod';

/** Whether a task is complete, sound and proven (core/tasks/RULES.md). */

const partSchema = z.object({
  holds: z.boolean(),
  /** A sentence for each rule that is broken, with its id. */
  missing: z.array(z.object({ rule: z.string(), why: z.string() })),
});
export type TaskStatePart = z.infer<typeof partSchema>;

export const wholeTaskSchema = z.object({ complete: partSchema, sound: partSchema, proven: partSchema });
export type WholeTask = z.infer<typeof wholeTaskSchema>;
