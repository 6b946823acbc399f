import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import { partOf } from '../../../core/review/parts.ts';
import type { ReviewState } from '../../../schemas/api/review-models.ts';

/** States that pages hold, kept so that they can be told what changed: one of 500 decided steps takes about 300 kB. */
const KEPT = 48;

/** Answers with what changed since a state that the asker names; with the whole where that is not known any more. */
export function stateParts() {
  const kept = new LRUCache<string, ReviewState>({ max: KEPT });

  /** `whose`: recording and person; a tag is of nobody else's use. */
  const nameOf = (whose: string, tag: string): string => `${whose} ${tag}`;

  return {
    /** `since`: undefined = who knows of no parts; '' = who has nothing yet. */
    answer(now: ReviewState, whose: string, since: string | undefined): ReviewState {
      if (since === undefined) return now;
      const before = kept.get(nameOf(whose, since));
      // The same again keeps its tag, so that a page that only looks does not push others' states out.
      const tag = before && isDeepStrictEqual(before, now) ? since : randomUUID();
      kept.set(nameOf(whose, tag), now);
      return { ...(before ? partOf(before, now, since) : now), tag };
    },
  };
}
export type StateParts = ReturnType<typeof stateParts>;
