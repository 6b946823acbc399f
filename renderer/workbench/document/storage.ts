import { type KeptQueue, keptQueue, type TabStore } from '../../client/kept-queue.ts';
import type { Item } from './pending.ts';

/** Reads the kept text as gestures. Throws when it holds something else. */
export type QueueCheck = (kept: unknown) => Item[];

const keyOf = (ws: string, recording: string): string => `annotate:queue:${ws}:${recording}`;

/** The check of what this tab kept, loaded only when there is something: the schemas are a third of the page. */
export async function queueCheck(store: TabStore, ws: string, recording: string): Promise<QueueCheck | null> {
  return store.getItem(keyOf(ws, recording)) === null ? null : (await import('./check-queue.ts')).checkQueue;
}

/** Gestures that wait. `check` null: nothing was kept. */
export const queueStorage = (
  store: TabStore,
  ws: string,
  recording: string,
  check: QueueCheck | null,
): KeptQueue<Item> => keptQueue(store, keyOf(ws, recording), check);
