import { z } from 'zod';
import { markKindSchema } from './events.ts';
import { MOST_MARK_WORDS } from './limits.ts';

/**
 * marks.json beside a recording: the words that people gave to its marks afterwards, and the marks that they took away. The marks
 * themselves are lines of events.jsonl, which is not edited. Absent: nobody said anything.
 */
export const MARKS_VERSION = 1;
export const MARKS_SCHEMA = 'trajectory-studio/marks';

const words = z.string().max(MOST_MARK_WORDS);

export const marksFileSchema = z.object({
  schema: z.literal(MARKS_SCHEMA),
  version: z.literal(MARKS_VERSION),
  /** By the time of the mark, µs. One with `removed` is shown no more. */
  marks: z.array(z.object({ t: z.int(), words: words.default(''), removed: z.literal(true).optional() })).max(100_000),
});
export type MarksFile = z.infer<typeof marksFileSchema>;

export const markSchema = z.object({
  /** Its number from 1, in the order of time; of all that were made, so that it stays when another one is taken away. */
  number: z.int().min(1),
  /** Session time, µs. */
  t: z.int(),
  kind: markKindSchema,
  words,
});
export type RecordingMark = z.infer<typeof markSchema>;
export const givenWordsSchema = z.string().trim().max(MOST_MARK_WORDS);
