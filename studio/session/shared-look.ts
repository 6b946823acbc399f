import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * A question that many have at once is asked once. Its answer belongs to a moment: what was stored before it was asked is in it.
 * When a gesture is stored, everybody who follows the document looks for what is new after the version that they have, which is
 * the same for nearly all of them: fifty readers would be fifty questions, which other gestures wait behind. Whoever asks while
 * such a look is under way shares the next one: the one under way may have begun before what they were told of was stored.
 *
 * `before`: what a look waits for; default: whatever else was woken in this turn, so that all of it shares one look.
 */
export function sharedLook<A extends readonly (string | number | undefined)[], T>(
  look: (...asked: A) => Promise<T>,
  before: () => unknown = nextTurn,
): (...asked: A) => Promise<T> {
  /** The look that is under way for each question, and the one that comes after it. */
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<T>>();
  return (...asked) => {
    const key = JSON.stringify(asked.map((one) => one ?? null));
    const known = next.get(key);
    if (known) return known;
    const mine = (async (): Promise<T> => {
      await before();
      await running.get(key)?.catch(() => undefined);
      next.delete(key);
      const found = look(...asked);
      running.set(key, found);
      try {
        return await found;
      } finally {
        if (running.get(key) === found) running.delete(key);
      }
    })();
    next.set(key, mine);
    return mine;
  };
}
