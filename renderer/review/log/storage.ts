import { z } from 'zod';
import { reviewActSchema } from '../../../schemas/review.ts';
import { type KeptQueue, keptQueue, type TabStore } from '../../app/kept-queue.ts';

/** An act that waits to be sent. `ready`: its document version is known; until then it waits for the annotation's gestures. */
const itemSchema = z.object({
  id: z.uuid(),
  act: reviewActSchema,
  at: z.iso.datetime(),
  ready: z.boolean(),
});
export type QueuedAct = z.infer<typeof itemSchema>;

/** Acts that wait, for each tab, recording and person apart. */
export const actStorage = (store: TabStore, ws: string, recording: string, person: string): KeptQueue<QueuedAct> =>
  keptQueue(store, `review:queue:${ws}:${recording}:${person}`, (kept) => z.array(itemSchema).parse(kept));
