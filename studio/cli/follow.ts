import type { Job } from '../../schemas/api/models.ts';
import { type ErrorBody, StudioError } from '../../schemas/errors.ts';
import type { Call } from './calls.ts';
import { untilStopped } from './stop.ts';

type Following = {
  /** Gives the job: one that it begins, or that is at work already; null when there is none any more. */
  begin(): Promise<unknown>;
  report(share: number, message: string): void;
  /** Whether Ctrl+C stops the job as well, not only the waiting. */
  stops?: boolean;
};

/**
 * Waits for long work and says how far it is; gives its result, where it has one. Throws why it failed; CANCELLED at Ctrl+C,
 * or when somebody stopped it.
 */
export function followJob(call: Call, { begin, report, stops = true }: Following): Promise<unknown> {
  return untilStopped(async (signal) => {
    // Before it is begun, so that its end is heard however soon it comes. Answers are of the contract.
    const changes = (await call(['jobs', 'watch'], {})) as AsyncIterableIterator<Job>;
    const begun = (await begin()) as Job | null;
    if (begun === null) return null;
    const stopped = Promise.withResolvers<never>();
    const stop = (): void => {
      if (stops) call(['jobs', 'cancel'], { job: begun.id }).catch(stopped.reject);
      else stopped.reject(signal.reason);
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    return Promise.race([ended(call, changes, begun.id, report), stopped.promise]);
  });
}

async function ended(
  call: Call,
  changes: AsyncIterable<Job>,
  id: string,
  report: Following['report'],
): Promise<unknown> {
  for await (const { id: of, state, progress, message } of changes) {
    if (of !== id) continue;
    if (state === 'running' && message !== null) report(progress, message);
    if (state === 'done') return call(['jobs', 'result'], { job: id });
    if (state === 'cancelled') throw new StudioError('CANCELLED', 'It was stopped.', {});
    if (state !== 'failed') continue;
    const why = (await call(['jobs', 'failure'], { job: id })) as ErrorBody; // Known while the program runs that did it.
    throw new StudioError(why.code, why.message, why.details);
  }
  throw new StudioError('INTERRUPTED', 'The running studio ended before the work did. Run the command again.', {});
}
