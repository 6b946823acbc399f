import { setImmediate as nextTurn } from 'node:timers/promises';

/** A question whose answer belongs to a moment: what was stored before it was asked is in it. */
type Look<T> = (recording: string, version: number, document: string | undefined) => Promise<T>;

/**
 * The same question of many at once is asked once. When a gesture is stored, everybody who follows the document looks for what is
 * new after the version that they have, which is the same for nearly all of them: fifty readers would be fifty questions, which
 * other gestures wait behind. Whoever asks while such a look is under way shares the next one: the one under way may have begun
 * before what they were told of was stored.
 */
export function sharedLook<T>(look: Look<T>): Look<T> {
  /** The look that is under way for each question, and the one that comes after it. */
  const running = new Map<string, Promise<unknown>>();
  const next = new Map<string, Promise<T>>();
  return (recording, version, document) => {
    const key = JSON.stringify([recording, version, document ?? null]);
    const known = next.get(key);
    if (known) return known;
    const mine = (async (): Promise<T> => {
      // Behind whatever else was woken in this turn, so that all of it shares one look.
      await nextTurn();
      await running.get(key)?.catch(() => undefined);
      next.delete(key);
      const found = look(recording, version, document);
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
