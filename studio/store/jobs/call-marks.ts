import { createHmac, timingSafeEqual } from 'node:crypto';
import { log } from '../../../native/log/log.ts';
import { makeOwnKey, readOwnKey } from '../../files/own-key.ts';

/**
 * Marks of the calls that this user's program noted. A workspace may come from somebody else, with jobs in its database that
 * failed; one of them begun again with a click would write where they chose, or send a key to their server. The key is in the
 * user's own folder, which no workspace holds.
 */
export type CallMarks = {
  of(job: MarkedJob): string | null;
  isOwn(job: MarkedJob, mark: string | null): boolean;
};
type MarkedJob = { id: string; name: string; input: Readonly<Record<string, unknown>> };

/** Where no folder is given: nothing is marked, and nothing begun again. */
export const NO_MARKS: CallMarks = { of: () => null, isOwn: () => false };

const KEY_FILE = 'jobs-key';

/** `folder`: the user's own (Home.config). The key is made when something is marked for the first time. */
export function callMarks(folder: string): CallMarks {
  const markBy = (key: string, { id, name, input }: MarkedJob): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, name, input]))
      .digest('hex');
  let known: string | null = null;
  const read = (): string | null => {
    known ??= readOwnKey(folder, KEY_FILE);
    return known;
  };
  return {
    of(job) {
      try {
        return markBy(read() ?? makeOwnKey(folder, KEY_FILE), job);
      } catch (error) {
        // The work is what matters: it is done all the same, and cannot be begun again from the list.
        log.warn('job not marked', { job: job.id, error });
        return null;
      }
    },
    isOwn(job, mark) {
      const key = mark === null ? null : read();
      if (mark === null || key === null) return false;
      const [own, given] = [Buffer.from(markBy(key, job)), Buffer.from(mark)];
      return own.length === given.length && timingSafeEqual(own, given);
    },
  };
}
