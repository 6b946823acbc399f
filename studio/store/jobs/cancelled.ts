import { StudioError } from '../../../schemas/errors.ts';

/** For work of an export that was stopped. Throws CANCELLED. */
export function refuseCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new StudioError('CANCELLED', 'The export was cancelled. Nothing was left of it.');
}
