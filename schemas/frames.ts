import { z } from 'zod';
import { rectSchema } from './events.ts';

/**
 * frames.jsonl: one line a video frame, the truth about time (C3, V2). Frames that equal the one before are not recorded,
 * but for a rare heartbeat, so a frame stands on the screen until the next one's time.
 */
export const frameSchema = z.object({
  /** Index over the whole recording, from 0, in capture order. */
  i: z.int().min(0),
  /** Presentation time in the master segment, milliseconds. */
  pts: z.int().min(0),
  /** When the screen was read, microseconds on the session clock. */
  t: z.int(),
  /** The last time before `t` at which the screen was seen to be still the frame before; absent for the first. */
  seen: z.int().optional(),
  /** Pixels that differ from the frame before (an estimate for large changes); absent when the grabber cannot tell. */
  changed: z.int().min(0).optional(),
  /** The master segment that holds it; absent = 0. */
  seg: z.int().min(0).optional(),
  /** The line was damaged: a recovery made it anew, `t` by the master's own time, good to a millisecond. */
  rebuilt: z.literal(true).optional(),
});
export type Frame = z.infer<typeof frameSchema>;

/** windows.jsonl: the active window, one line a change (I3). */
export const windowLineSchema = z.object({
  t: z.int(),
  title: z.string(),
  app: z.string(),
  pid: z.int(),
  id: z.string(),
  bounds: rectSchema.nullable(),
});
export type WindowLine = z.infer<typeof windowLineSchema>;
