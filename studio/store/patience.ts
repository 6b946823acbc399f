import { setTimeout as sleep } from 'node:timers/promises';
import { BUSY_MS, isDatabaseBusy } from './errors.ts';

/** Between two tries, ms; the last one is repeated. As SQLite's own, but nothing else of the process waits meanwhile. */
const WAITS_MS = [1, 2, 5, 10, 15, 20, 25, 50];

/**
 * Does `work` again while another program holds the database, for BUSY_MS at most. Throws what it threw last: WORKSPACE_BUSY
 * of a lock of SQLite; any other error at once.
 */
export async function whileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + BUSY_MS;
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseBusy(error) || performance.now() >= until) throw error;
    }
    await sleep(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]);
  }
}
