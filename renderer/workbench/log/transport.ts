import { LRUCache } from 'lru-cache';
import { wholeReview } from '../../../core/review/parts.ts';
import type { ReviewState } from '../../../schemas/api/review-models.ts';
import type { client } from '../../client/api.ts';
import type { ReviewTransport } from './sync.ts';

type Procedures = Pick<typeof client.review, 'get' | 'send' | 'watch'>;

/** How many states are stored for a partial answer to build on: answers and the stream overtake each other. */
const KEPT = 8;

/**
 * The review procedures of one recording, asked by one person. Each request names the state that is here, and the studio sends what changed
 * since; what comes out is whole again. `first`: the state that the page was opened with.
 */
export function reviewTransportOf(
  review: Procedures,
  of: { ws: string; recording: string; person: string },
  first: ReviewState,
): ReviewTransport {
  const kept = new LRUCache<string, ReviewState>({ max: KEPT });
  let newest = '';

  function keep(state: ReviewState): ReviewState {
    const { tag } = state;
    if (tag === undefined) return state;
    newest = tag;
    kept.set(tag, state);
    return state;
  }

  async function whole(answer: ReviewState): Promise<ReviewState> {
    if (!answer.part) return keep(answer);
    const before = kept.get(answer.part.since);
    return keep(before ? wholeReview(before, answer) : await review.get({ ...of, since: '' }));
  }

  async function* wholes(stream: AsyncIterable<ReviewState>): AsyncGenerator<ReviewState> {
    for await (const answer of stream) yield await whole(answer);
  }

  keep(first);
  return {
    get: async () => whole(await review.get({ ...of, since: newest })),
    send: async (id, act) => whole((await review.send({ ...of, id, act, since: newest })).state),
    watch: async (signal) => wholes(await review.watch({ ...of, since: newest }, { signal })),
  };
}
