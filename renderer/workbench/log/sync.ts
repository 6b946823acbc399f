import type { ReviewState } from '../../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import type { KeptQueue } from '../../client/kept-queue.ts';
import { Outbox, type OutboxState } from '../../client/outbox.ts';
import { tr } from '../../language/tr.ts';
import { withWaiting } from './overlay.ts';
import type { QueuedAct } from './storage.ts';

/** The procedures of the API that a review needs, bound to one recording and one person. */
export type ReviewTransport = {
  get(): Promise<ReviewState>;
  send(id: string, act: ReviewAct): Promise<ReviewState>;
  watch(signal: AbortSignal): Promise<AsyncIterable<ReviewState>>;
};

export type ReviewSyncState = OutboxState & {
  /** The review as the studio last sent it, with the waiting acts on top. */
  view: ReviewState;
  waiting: number;
};

export type ReviewSync = {
  state(): ReviewSyncState;
  /** Does an act at once and queues it; one that is refused is taken back and reported. */
  act(act: ReviewAct): void;
  /** The same for who waits for it: resolves with the state after it, rejects with the studio's words when refused. */
  ask(act: ReviewAct): Promise<ReviewState>;
  /** Tries now, also what is stuck: the connection is back, or the person asks for it. */
  retry(): void;
  /** The annotation's gestures have gone out: what waited for them goes too. */
  wake(): void;
  /** Gives up what is stuck, so that what waits behind it goes on. */
  leaveOut(): void;
  /** The waiting acts, in their order. */
  waiting(): readonly QueuedAct[];
  follow(shown: boolean): void;
  close(): void;
};

type Options = {
  transport: ReviewTransport;
  storage: KeptQueue<QueuedAct>;
  person: string;
  review: ReviewState;
  newId: () => string;
  now: () => string;
  /**
   * The version of a decision is known only when every gesture before it is stored: gives the act as it goes out, or null
   * while it has to wait.
   */
  finish: (act: ReviewAct) => ReviewAct | null;
  onChange: (state: ReviewSyncState) => void;
  onNotice: (text: string) => void;
};

/**
 * Keeps the page's review the same as the studio's: acts go out one at a time and in order, each under its own id, so that
 * sending one twice does it once; what others do comes in; what is refused is taken back and reported.
 */
export function openReviewSync(options: Options): ReviewSync {
  const { transport, storage, person, newId, now, finish, onNotice } = options;
  const answers = new Map<string, { resolve: (state: ReviewState) => void; reject: (error: Error) => void }>();
  let server = options.review;
  let queue: readonly QueuedAct[] = storage.load();
  let view = withWaiting(server, queue, person);

  const state = (): ReviewSyncState => ({ view, waiting: queue.length, ...outbox.state });

  function update(next: { server?: ReviewState; queue?: readonly QueuedAct[] }): void {
    // The log only grows: an answer that was overtaken by a newer one is old news.
    if (next.server && next.server.n >= server.n) server = next.server;
    if (next.queue) {
      queue = next.queue;
      outbox.keep();
    }
    view = withWaiting(server, queue, person);
    options.onChange(state());
  }

  /** The first act, once its document version is known: stored with it, so that it is the same when it goes out again. */
  function next(): QueuedAct | undefined {
    const [first, ...others] = queue;
    if (!first || first.ready) return first;
    const act = finish(first.act);
    if (!act) return undefined;
    const finished = { ...first, act, ready: true };
    update({ queue: [finished, ...others] });
    return finished;
  }

  async function send({ id, act }: QueuedAct): Promise<void> {
    update({ server: await transport.send(id, act), queue: without(id) });
    answers.get(id)?.resolve(view);
    answers.delete(id);
  }

  function refused(id: string, message: string): void {
    const asked = answers.get(id);
    answers.delete(id);
    if (asked) asked.reject(new Error(message));
    else onNotice(tr('What you did was not kept. {message}', { message }));
  }

  const without = (id: string): QueuedAct[] => queue.filter((one) => one.id !== id);

  function add(id: string, act: ReviewAct): void {
    update({ queue: [...queue, { id, act, at: now(), ready: false }] });
    outbox.send();
  }

  const outbox = new Outbox<QueuedAct, ReviewState>({
    payload: {
      idOf: ({ id }) => id,
      nameOf: () => tr('What you did'),
      waiting: () => queue,
      next,
      send,
      drop: (id) => update({ queue: without(id) }),
      refused: ({ id }, { message }) => refused(id, message),
      // Who waits for an answer still has what was typed; anything else would be gone.
      isAwaited: ({ id }) => answers.has(id),
      async reread() {
        const fresh = await transport.get().catch(() => null);
        if (fresh && !outbox.closed) update({ server: fresh });
      },
    },
    storage,
    stream: {
      open: transport.watch,
      onItem(next) {
        update({ server: next });
        outbox.reached();
      },
    },
    onChange: () => options.onChange(state()),
    onNotice,
  });

  return {
    state,
    act: (act) => add(newId(), act),
    ask(act) {
      const id = newId();
      const answer = new Promise<ReviewState>((resolve, reject) => answers.set(id, { resolve, reject }));
      add(id, act);
      return answer;
    },
    retry: () => outbox.retry(),
    wake: () => outbox.wake(),
    leaveOut: () => outbox.leaveOut(),
    waiting: () => queue,
    follow: (shown) => outbox.follow(shown),
    close: () => outbox.close(),
  };
}
