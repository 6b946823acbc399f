import type { ReduceContext, ReduceOptions } from '../../schemas/actions.ts';
import type { RawEvent } from '../../schemas/events.ts';
import type { ReduceResult } from './finish.ts';
import { createReducer } from './reducer.ts';

/**
 * Raw events to atomic actions by RULES.md. The raw index of an event is its position in `events`, state lines counted. Pure
 * and total: any stream gives a result; what was wrong with it stands in `warnings` (A14). Reads `events` twice, first for
 * `own` lines, which may name any line (A12). A source that can be read only once (a generator) is kept in memory for that.
 */
export function reduce(events: Iterable<RawEvent>, context: ReduceContext, options: ReduceOptions = {}): ReduceResult {
  const lines = readsAgain(events) ? events : [...events];
  const own = new Set<number>();
  for (const event of lines) {
    if (event.type === 'own') for (const index of event.events) own.add(index);
  }
  const reducer = createReducer(context, options, own);
  for (const event of lines) reducer.push(event);
  return reducer.finish();
}

/** An iterator that is its own iterable gives its values once. */
function readsAgain(events: Iterable<RawEvent>): boolean {
  const first: unknown = events[Symbol.iterator]();
  return first !== events;
}
