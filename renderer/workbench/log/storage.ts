import type { ReviewAct } from '../../../schemas/review.ts';
import { type KeptQueue, keptQueue, type TabStore } from '../../client/kept-queue.ts';

/**
 * An act that waits to be sent. `id`: a UUID. `at`: ISO 8601, the page's own clock. `ready`: its document version is known;
 * until then it waits for the annotation's gestures.
 */
export type QueuedAct = { id: string; act: ReviewAct; at: string; ready: boolean };

/** Reads the kept text as acts. Throws when it holds something else. */
export type ActCheck = (kept: unknown) => QueuedAct[];

const keyOf = (ws: string, recording: string, person: string): string => `review:queue:${ws}:${recording}:${person}`;

/** The check of what this tab kept, loaded only when there is something, as `queueCheck` does for gestures. */
export async function actCheck(
  store: TabStore,
  ws: string,
  recording: string,
  person: string,
): Promise<ActCheck | null> {
  return store.getItem(keyOf(ws, recording, person)) === null ? null : (await import('./check-acts.ts')).checkActs;
}

/** Acts that wait, for each tab, recording and person apart. `check` null: nothing was kept. */
export const actStorage = (
  store: TabStore,
  ws: string,
  recording: string,
  person: string,
  check: ActCheck | null,
): KeptQueue<QueuedAct> => keptQueue(store, keyOf(ws, recording, person), check);
