import { errorBody } from '../../schemas/errors.ts';
import { findFolder } from '../files/inside.ts';
import { isPlainName } from '../files/names.ts';
import type { Workspace } from '../store/workspace.ts';

/** A look that came to its end is new for so long, ms. */
const FRESH_MS = 3000;

export type Looks = {
  /** Looks at the folders, at most every `FRESH_MS`; with `now` in any case, by a look that begins after the call. Throws what the look throws. */
  refresh(options?: { now: boolean }): Promise<void>;
  /** When the look that goes on is over, however it ends. */
  over(): Promise<void>;
};

/** Looks through the folders of recordings/, one look at a time. `look` throws where it did not come to its end. */
export function looksAt(look: () => Promise<void>): Looks {
  let seen: number | null = null;
  let goesOn: Promise<void> | null = null;
  /** The look after the one that goes on. */
  let next: Promise<void> | null = null;

  async function once(): Promise<void> {
    await look();
    // Not the wall clock: one that is set back would end the looking for hours.
    seen = performance.now();
  }
  function begin(): Promise<void> {
    goesOn = once().finally(() => {
      goesOn = null;
    });
    return goesOn;
  }
  return {
    async refresh({ now } = { now: false }) {
      // A look that has begun may have passed what is asked for: all who want to see what is there now share the next one.
      if (now && goesOn) {
        next ??= goesOn
          .catch(() => undefined)
          .then(() => {
            next = null;
            return begin();
          });
        return next;
      }
      if (goesOn) await goesOn;
      if (!now && seen !== null && performance.now() - seen < FRESH_MS) return;
      await (goesOn ?? begin());
    },
    over: async () => goesOn?.catch(() => undefined),
  };
}

/**
 * A page asks for all that it shows of a recording at once, each by its own question; the folder may have come since the last
 * look, and none of them may be told that there is no such recording. Throws UNKNOWN_RECORDING, and what the look throws.
 */
export function lookedForAgain(
  { recordingsDir, getRecording }: Workspace,
  { refresh }: Pick<Looks, 'refresh'>,
): Workspace['getRecording'] {
  return async (recording) => {
    try {
      return await getRecording(recording);
    } catch (error) {
      const mayHaveCome =
        errorBody(error).code === 'UNKNOWN_RECORDING' && isPlainName(recording) && findFolder(recordingsDir, recording);
      if (!mayHaveCome) throw error;
      await refresh({ now: true });
      return getRecording(recording);
    }
  };
}
