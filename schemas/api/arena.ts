import { oc } from '@orpc/contract';
import { z } from 'zod';

/** Outcomes of one task that people rank without knowing whose they are (docs/agents.md, "The arena"). */
const ofPerson = z.object({ ws: z.string(), person: z.string().min(1).max(100) });

const outcomeSchema = z.object({
  /** By which the person names it: A, B, … in an order of their own. */
  letter: z.string(),
  /** The screen at the end as a data: address; null: nothing was recorded. */
  picture: z.string().nullable(),
  /** What was answered; null: nothing. */
  answer: z.string().nullable(),
  /** Files that it wrote, as far as they were kept. */
  files: z.array(z.string()),
});
export type ArenaOutcome = z.infer<typeof outcomeSchema>;

const setSchema = z.object({
  id: z.string(),
  task: z.string(),
  goal: z.string(),
  /** What a person came to; null: nobody demonstrated the task. */
  demonstration: outcomeSchema.omit({ letter: true }).nullable(),
  outcomes: z.array(outcomeSchema),
});
export type ArenaSetShown = z.infer<typeof setSchema>;

const boundsSchema = z.object({ low: z.number(), high: z.number() }).nullable();
const tableSchema = z.object({
  rows: z.array(
    z.object({
      name: z.string(),
      rankings: z.int(),
      meanRank: z.number(),
      meanRankBounds: boundsSchema,
      strength: z.number(),
      strengthBounds: boundsSchema,
    }),
  ),
  rankings: z.int(),
  people: z.int(),
  agreement: z.number().nullable(),
});
export type ArenaTableShown = z.infer<typeof tableSchema>;

export const arenaContract = {
  arena: {
    next: oc
      .route({
        method: 'GET',
        path: '/workspaces/{ws}/arena/next',
        summary: 'The next outcomes that a person has not ranked yet, without names',
      })
      .input(ofPerson)
      .output(z.object({ done: z.int(), left: z.int(), set: setSchema.nullable() })),
    /** `order`: groups of letters, the best first. Throws USAGE for other letters; CONFLICT for a set that is none any more. */
    rank: oc
      .route({ method: 'POST', path: '/workspaces/{ws}/arena/rank', summary: 'Rank the outcomes of one set' })
      .input(
        ofPerson.extend({ set: z.string().max(1200), order: z.array(z.array(z.string()).min(1).max(5)).min(1).max(5) }),
      )
      .output(z.object({ ok: z.literal(true) })),
    /** Takes the person's newest ranking back. */
    undo: oc
      .route({
        method: 'POST',
        path: '/workspaces/{ws}/arena/undo',
        summary: 'Take back the ranking that was made last',
      })
      .input(ofPerson)
      .output(z.object({ ok: z.literal(true) })),
    /** `table` is null while the person has something to rank: names would speak for what comes. */
    result: oc
      .route({ method: 'GET', path: '/workspaces/{ws}/arena/result', summary: 'What all rankings come to' })
      .input(ofPerson)
      .output(z.object({ left: z.int(), table: tableSchema.nullable() })),
  },
};
