import type { ReviewState } from '../../../schemas/api/review-models.ts';
import type { ReviewAct } from '../../../schemas/review.ts';
import { refusalOf } from '../../annotate/document/refusal.ts';
import { follow, retrying } from '../../app/follow.ts';
import type { KeptQueue } from '../../app/kept-queue.ts';
import { withWaiting } from './overlay.ts';
import type { QueuedAct } from './storage.ts';

/** The procedures of the API that a review needs, bound to one recording and one person. */
export type ReviewTransport = {
  get(): Promise<ReviewState>;
  send(id: string, act: ReviewAct): Promise<ReviewState>;
  watch(signal: AbortSignal): Promise<AsyncIterable<ReviewState>>;
};

export type ReviewSyncState = {
  /** As the studio last said, with what waits on top. */
  view: ReviewState;
  waiting: number;
  /** Null while the studio answers; else what is wrong, in words. */
  lost: string | null;
  /** What waits could not be kept over a reload. */
  unkept: boolean;
};

export type ReviewSync = {
  state(): ReviewSyncState;
  /** Does an act at once and queues it; one that is refused is taken back and told. */
  act(act: ReviewAct): void;
  /** The same for who waits for it: resolves with the state after it, rejects with the studio's words when refused. */
  ask(act: ReviewAct): Promise<ReviewState>;
  /** Tries now: the connection is back, or the annotation's gestures have gone out. */
  retry(): void;
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

const DEFECT_TRIES = 3;

/**
 * Keeps the page's review the same as the studio's: acts go out one at a time and in order, each under its own id, so that
 * sending one twice does it once; what others do comes in; what is refused is taken back and told.
 */
export function openReviewSync(options: Options): ReviewSync {
  const { transport, storage, person, newId, now, finish, onChange, onNotice } = options;
  const controller = new AbortController();
  const answers = new Map<string, { resolve: (state: ReviewState) => void; reject: (error: Error) => void }>();
  let server = options.review;
  let queue: readonly QueuedAct[] = storage.load();
  let lost: string | null = null;
  let unkept = false;
  let view = withWaiting(server, queue, person);
  let sending = false;
  let again = false;
  let defects = 0;
  const tries = retrying(() => void pump());

  const state = (): ReviewSyncState => ({ view, waiting: queue.length, lost, unkept });

  function update(next: { server?: ReviewState; queue?: readonly QueuedAct[]; lost?: string | null }): void {
    // The log only grows: an answer that was overtaken by a newer one is old news.
    if (next.server && next.server.n >= server.n) server = next.server;
    if (next.queue) {
      queue = next.queue;
      unkept = !storage.save(queue);
    }
    if (next.lost !== undefined) lost = next.lost;
    view = withWaiting(server, queue, person);
    onChange(state());
  }

  async function pump(): Promise<void> {
    // Asked for while one is on its way: once more when it is done, or what failed just then would wait for ever.
    again = sending;
    if (sending || tries.waiting() || controller.signal.aborted) return;
    sending = true;
    try {
      for (let item = queue[0]; item && !controller.signal.aborted; item = queue[0]) {
        if (!(await send(item))) break;
      }
    } finally {
      sending = false;
      if (again) void pump();
    }
  }

  /** True: go on with the next one. */
  async function send(item: QueuedAct): Promise<boolean> {
    let { act } = item;
    if (!item.ready) {
      const finished = finish(act);
      if (!finished) return false;
      act = finished;
      // Stored before it goes out, so that it is the same when it has to go out again.
      update({ queue: queue.map((one) => (one.id === item.id ? { ...one, act: finished, ready: true } : one)) });
    }
    try {
      const next = await transport.send(item.id, act);
      tries.reset();
      defects = 0;
      update({ server: next, queue: without(item.id), lost: null });
      answers.get(item.id)?.resolve(view);
      answers.delete(item.id);
      return true;
    } catch (error) {
      if (controller.signal.aborted) return false;
      return refused(item, error);
    }
  }

  async function refused(item: QueuedAct, error: unknown): Promise<boolean> {
    const { what, message } = refusalOf(error);
    if (what === 'retry' || (what === 'defect' && ++defects < DEFECT_TRIES)) {
      update({ lost: message });
      tries.later();
      return false;
    }
    defects = 0;
    update({ queue: without(item.id) });
    const asked = answers.get(item.id);
    answers.delete(item.id);
    if (asked) asked.reject(new Error(message));
    else onNotice(`What you did was not kept. ${message}`);
    const fresh = await transport.get().catch(() => null);
    if (fresh && !controller.signal.aborted) update({ server: fresh });
    return true;
  }

  const without = (id: string): QueuedAct[] => queue.filter((one) => one.id !== id);

  function retry(): void {
    tries.reset();
    void pump();
  }

  function add(id: string, act: ReviewAct): void {
    update({ queue: [...queue, { id, act, at: now(), ready: false }] });
    void pump();
  }

  const watch = follow({
    open: transport.watch,
    onItem(next) {
      update({ server: next, lost: null });
      retry();
    },
    onLost: () => update({ lost: lost ?? 'The studio does not answer.' }),
  });
  void pump();

  return {
    state,
    act: (act) => add(newId(), act),
    ask(act) {
      const id = newId();
      const answer = new Promise<ReviewState>((resolve, reject) => answers.set(id, { resolve, reject }));
      add(id, act);
      return answer;
    },
    retry() {
      watch.wake();
      retry();
    },
    follow: watch.show,
    close() {
      controller.abort();
      watch.close();
      tries.reset();
    },
  };
}
