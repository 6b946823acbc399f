import { z } from 'zod';
import { TEXT_LIMITS } from './limits.ts';

/** derived/texts.jsonl: what was read in the picture before each press of which no program told a name. */

/** Raise it when what is read, where, or how it is chosen changes: files of other versions are made again. */
export const TEXT_RULES_VERSION = 2;

const readTextSchema = z.object({
  text: z.string().min(1).max(TEXT_LIMITS.name),
  /** The box of its letters, px of the picture. */
  box: z.object({
    x: z.int().min(0),
    y: z.int().min(0),
    width: z.int().min(1),
    height: z.int().min(1),
  }),
  /** How sure the reading is, 0 to 1. */
  confidence: z.number().min(0).max(1),
});
export type ReadText = z.infer<typeof readTextSchema>;

/** The first line: of which files, rules and languages the rest was made. */
export const textHeadSchema = z.object({
  key: z.string().max(4000),
  languages: z.array(z.string().max(40)).max(20),
  /** How long the start of the reading program took, ms. */
  startMs: z.number().min(0),
});

export const stepTextSchema = z.object({
  action: z.string().min(1).max(200),
  /** The nearest; null: there is none around the press. */
  text: readTextSchema.nullable(),
  /** The press is in that text, and not only near it. */
  at: z.boolean().default(false),
  /** How long the reading took, ms. */
  ms: z.number().min(0),
  /** Why it could not be read. */
  problem: z.string().max(500).optional(),
});
export type StepText = z.infer<typeof stepTextSchema>;
