import { oc } from '@orpc/contract';
import { z } from 'zod';
import { proofSchema } from '../dataset.ts';

/** Demonstrations as skills for agents (docs/formats/skill.md), as the page asks for them. */

const wishesSchema = z.object({
  /** Of the task: the first is shown, the others are further examples of it. */
  recordings: z.array(z.string().min(1).max(200)).min(1).max(200),
  /** Of the skill and its folder; made of the goal where it is left out. */
  name: z.string().max(200).optional(),
});
export type SkillRequest = z.infer<typeof wishesSchema>;

const problemSchema = z.object({ file: z.string(), message: z.string() });

const previewSchema = z.object({
  name: z.string(),
  /** SKILL.md, as it would be written. */
  document: z.string(),
  steps: z.int(),
  pictures: z.int(),
  recordings: z.array(z.string()),
  /** `examples`: a value for each of `recordings`, null where it has none; empty for a secret. */
  inputs: z.array(z.object({ name: z.string(), kind: z.string(), examples: z.array(z.string().nullable()) })),
  /** Steps that came to nothing. */
  leftOut: z.array(z.object({ steps: z.array(z.string()), why: z.string() })),
  /** What else is not in it, and why. */
  withheld: z.array(z.string()),
  proof: proofSchema,
  /** What the validator finds in it; empty: it is sound. */
  problems: z.array(problemSchema),
});
export type SkillPreview = z.infer<typeof previewSchema>;

const ofTask = z.object({ ws: z.string(), task: z.string(), person: z.string().min(1).max(100).optional() });

export const skillsContract = {
  skills: {
    preview: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/skill/preview',
        summary: 'A task as a skill for agents, without writing it',
      })
      .input(ofTask.extend(wishesSchema.shape))
      .output(previewSchema),
    /** The folder of the skill. Throws TARGET_EXISTS where `out` has something in it. */
    write: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/tasks/{task}/skill',
        summary: 'Write a task as a skill for agents into a new folder',
      })
      .input(ofTask.extend({ ...wishesSchema.shape, out: z.string().min(1).max(4000) }))
      .output(z.object({ folder: z.string(), problems: z.array(problemSchema) })),
  },
};
