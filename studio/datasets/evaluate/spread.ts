import { openCaller } from '../../../native/process/calls.ts';
import { startThread } from '../../../native/process/start-thread.ts';
import type { AidElement } from '../../../schemas/aids.ts';
import type { SpreadCalls } from './spread-worker.ts';

/** Finds elements by edges in one picture after the other. `close` ends its thread. */
export type ElementFinder = { find(file: string): Promise<AidElement[]>; close(): Promise<void> };

export function edgeFinder(signal: AbortSignal | undefined): ElementFinder {
  const entry = new URL('./spread-worker.ts', import.meta.url);
  const thread = openCaller<SpreadCalls>((wishes) => startThread(entry, { ...wishes, signal }));
  return {
    find: (file) => thread.call('find', file),
    async close() {
      await thread.kill();
    },
  };
}
