import { z } from 'zod';

/** Microphones before a recording starts: which there are, and how loud one is now. */

export const microphonesSchema = z.object({
  microphones: z.array(
    z.object({
      /** As `recorder.start` takes it. */
      device: z.string(),
      name: z.string(),
      /** The one that is taken where none is named. */
      usual: z.boolean(),
    }),
  ),
  /** Why there is none; empty where there is one. */
  why: z.string(),
});
export type MicrophonesFound = z.infer<typeof microphonesSchema>;

export const microphoneLevelSchema = z.object({
  /** The loudest since it was asked last, 0 to 1 of what can be heard; null while nothing is heard. */
  level: z.number().min(0).max(1).nullable(),
  /** Why nothing can be heard; null where that is not known yet. */
  problem: z.string().nullable(),
});
export type MicrophoneLevel = z.infer<typeof microphoneLevelSchema>;
