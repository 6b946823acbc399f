import { z } from 'zod';
import { buttonSchema } from './events.ts';

/** What a person in the page does on a stage: places are px of its screen, keys by the names of our actions, or characters. */

const at = z.tuple([z.int().min(0).max(32_767), z.int().min(0).max(32_767)]);
const notches = z.int().min(-100).max(100);

export const stageActSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('key'), key: z.string().min(1).max(40), down: z.boolean() }),
  z.object({ do: z.literal('move'), at }),
  z.object({ do: z.literal('button'), at, button: buttonSchema, down: z.boolean() }),
  /** dy > 0 scrolls down, dx > 0 to the right. */
  z.object({ do: z.literal('scroll'), at, dx: notches, dy: notches }),
]);
export type StageAct = z.infer<typeof stageActSchema>;

/** Acts that are sent at once. */
export const MOST_STAGE_ACTS = 2000;
