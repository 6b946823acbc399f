import { z } from 'zod';
import { boxSchema } from './questions.ts';

/** Elements that a detector found in pictures, for questions with an aid (docs/metrics.md): JSON Lines, the first line a head. */

export const AIDS_SCHEMA = 'trajectory-studio/aids';
export const AIDS_VERSION = 1;

export const aidsHeadSchema = z.object({
  schema: z.literal(AIDS_SCHEMA),
  version: z.int().min(1),
  /** The detector's name, which results repeat. */
  source: z.string().trim().min(1).max(100).default('file'),
});

const aidElementSchema = z.object({
  /** Pixels of the picture. */
  box: boxSchema.refine(([x, y, width, height]) => x >= 0 && y >= 0 && width > 0 && height > 0, {
    error: 'must be [x, y, width, height] inside of the picture, with a width and a height',
  }),
  /** The text in it; needed for `ocr`. */
  text: z.string().optional(),
});
export type AidElement = z.infer<typeof aidElementSchema>;

export const aidsLineSchema = z.object({
  /** A question's id, or a picture's: its name in the folder of pictures, with or without `.png`. */
  id: z.string().min(1),
  elements: z.array(aidElementSchema).max(2000),
});
