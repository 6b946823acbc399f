import { LRUCache } from 'lru-cache';
import { StudioError } from '../../../schemas/errors.ts';

/** So many tries within this time; by somebody's address on the network, or for an address that is signed in with. */
type Limit = { most: number; ms: number };

export type Tries = {
  /** Throws TOO_MANY_TRIES when `who` has none left. */
  refuse(who: string): void;
  /** One that failed. */
  failed(who: string): void;
  /** It went well after all: one fewer. */
  undo(who: string): void;
  /** Forgets earlier tries that failed. */
  forget(who: string): void;
};

/** Whom it has counted; the one that has tried nothing for longest is forgotten first. */
const MOST_KNOWN = 50_000;

/**
 * In the memory of this process: a restart forgets, which nobody but the administrator can make happen. `now`: ms, by default of a
 * clock that nobody sets, or one that is set ahead would forget all guesses.
 */
export function countTries({ most, ms }: Limit, now: () => number = () => performance.now()): Tries {
  const known = new LRUCache<string, { count: number; until: number }>({ max: MOST_KNOWN });
  const find = (who: string) => {
    const found = known.get(who);
    return found && now() < found.until ? found : undefined;
  };
  return {
    refuse(who) {
      const found = find(who);
      if (!found || found.count < most) return;
      const seconds = Math.max(1, Math.ceil((found.until - now()) / 1000));
      throw new StudioError(
        'TOO_MANY_TRIES',
        `That was tried too often. Try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
        { seconds },
      );
    },
    failed(who) {
      const found = find(who);
      // The time begins with the first: whoever goes on trying is not kept out for ever.
      if (found) found.count++;
      else known.set(who, { count: 1, until: now() + ms });
    },
    undo(who) {
      const found = find(who);
      if (found) found.count--;
    },
    forget: (who) => void known.delete(who),
  };
}
