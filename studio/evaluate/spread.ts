import { Worker } from 'node:worker_threads';
import type { AidElement } from '../../schemas/aids.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { SpreadAnswer } from './spread-worker.ts';

/** Finds elements by edges in one picture after the other. `close` ends its thread. */
export type ElementFinder = { find(file: string): Promise<AidElement[]>; close(): Promise<void> };

export function edgeFinder(signal: AbortSignal | undefined): ElementFinder {
  const worker = new Worker(new URL('./spread-worker.ts', import.meta.url));
  const stop = () => void worker.terminate();
  signal?.addEventListener('abort', stop, { once: true });
  return {
    find: (file) =>
      new Promise((found, fail) => {
        signal?.throwIfAborted();
        const done = () => {
          worker.off('message', answered);
          worker.off('error', fail);
          worker.off('exit', gone);
        };
        const answered = (answer: SpreadAnswer) => {
          done();
          if ('elements' in answer) found(answer.elements);
          else fail(new StudioError('BAD_FILE', `The picture ${file} cannot be read: ${answer.problem}`, { file }));
        };
        const gone = () => {
          done();
          fail(signal?.aborted ? signal.reason : new StudioError('INTERNAL', 'The search for elements ended.', {}));
        };
        worker.on('message', answered);
        worker.on('error', fail);
        worker.on('exit', gone);
        worker.postMessage(file);
      }),
    async close() {
      signal?.removeEventListener('abort', stop);
      await worker.terminate();
    },
  };
}
