import type { RouteName } from '../../core/team/rights.ts';
import { rightOfRoute } from '../../core/team/rights.ts';
import { plural } from '../../core/words.ts';
import { StudioError } from '../../schemas/errors.ts';
import { fairTurns } from '../recordings/fair-turns.ts';
import type { Principal } from './members/principal.ts';

/**
 * How many calls of one member of a team are at work at the same time; the rest wait for them, and keep nobody else waiting. A page asks
 * for a dozen things at once, a script for hundreds, and one thread answers everybody.
 */

/** Calls of one member at work at the same time. */
const AT_ONCE = 4;
/** Calls of one member that read a whole data set, in a thread that all share. Their other calls do not wait for these. */
const DEAR_AT_ONCE = 2;
/** Calls of one member that read a whole data set, at work and waiting. */
const MOST_DEAR = 20;

const DEAR: ReadonlySet<string> = new Set<RouteName>([
  'dataset.rows',
  'dataset.statistics',
  'dataset.leaks',
  'dataset.planSplit',
  'dataset.applySplit',
  'dataset.version',
  'dataset.compare',
  'exports.preview',
  'skills.preview',
  'play.differences',
]);

type Asked = { principal: Principal; name: string; signal?: AbortSignal | undefined };
/** Does the work when it is the caller's turn. Throws TOO_MANY_TRIES, and what `signal` says while it waits. */
export type Turns = <T>(asked: Asked, work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const turns = fairTurns(Number.POSITIVE_INFINITY, AT_ONCE);
  const dear = fairTurns(Number.POSITIVE_INFINITY, DEAR_AT_ONCE);
  /** Dear calls of each member, at work and waiting. */
  const asking = new Map<string, number>();

  async function inTurn<T>(line: typeof turns, who: string, signal: AbortSignal | undefined, work: () => Promise<T>) {
    const release = await line.take(who);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      release();
    }
  }

  async function dearly<T>(who: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const own = asking.get(who) ?? 0;
    if (own >= MOST_DEAR) throw tooMany(own);
    asking.set(who, own + 1);
    try {
      return await inTurn(dear, who, signal, work);
    } finally {
      const left = (asking.get(who) ?? 0) - 1;
      if (left > 0) asking.set(who, left);
      else asking.delete(who);
    }
  }

  return ({ principal, name, signal }, work) => {
    if (principal.kind === 'account') return work();
    if (DEAR.has(name)) return dearly(principal.id, signal, work);
    // Work on a stage that an owner begins takes minutes; the page that shows it goes on asking meanwhile.
    if (rightOfRoute(name) === 'run') return work();
    return inTurn(turns, principal.id, signal, work);
  };
}

function tooMany(own: number): StudioError {
  const message = `${plural(own, 'question')} of yours that read the whole data set are under way. Wait for their answers, then ask more.`;
  return new StudioError('TOO_MANY_TRIES', message, { seconds: 5 });
}
