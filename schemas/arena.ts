import { z } from 'zod';

/** arena.jsonl of a workspace: what people said of outcomes that they saw without names, one ranking a line, the newest last. */
export const ARENA_FILE = 'arena.jsonl';
export const NEWEST_ARENA_VERSION = 1;

const rankedRunSchema = z.object({
  recording: z.string().min(1).max(200),
  /** The agent's and the model's name when it was ranked. */
  name: z.string().max(500),
});

export const ballotSchema = z.object({
  version: z.literal(NEWEST_ARENA_VERSION),
  at: z.iso.datetime(),
  task: z.string().min(1).max(200),
  /** The ids of the set's recordings, joined. */
  set: z.string().min(1).max(1200),
  /** The person's id. */
  person: z.string().min(1).max(100),
  /** Groups of runs, the best first; those of one group are as good as each other. */
  order: z.array(z.array(rankedRunSchema).min(1)).min(1),
});
export type Ballot = z.infer<typeof ballotSchema>;
