import { tr } from '../language/tr.ts';
import { type Followed, follow, retrying } from './follow.ts';
import type { KeptQueue } from './kept-queue.ts';
import { DEFECT_TRIES, documentRefusal, NO_ANSWER, type Refusal, type Stuck } from './refusal.ts';

export type OutboxState = {
  /** Null while the studio answers; else what is wrong, in words. */
  lost: string | null;
  /** The waiting items could not be stored over a reload (no room). */
  unkept: boolean;
  /**
   * An item that cannot be stored through no fault of its own: all others wait behind it until it is tried again or left
   * out.
   */
  stuck: Stuck | null;
};

/** One kind of items that are sent later (gestures on a document, acts of a review): it owns its queue and shows it. */
export type Payload<Item> = {
  idOf(item: Item): string;
  /** The item as a message names it. */
  nameOf(item: Item): string;
  /** The items that are not stored by the studio yet, in their order. */
  waiting(): readonly Item[];
  /** The item to send now; undefined while there is none, or while it waits for something else. */
  next(): Item | undefined;
  /** Sends an item and shows the answer. Throws what the API throws. */
  send(item: Item): Promise<void>;
  /** Takes an item out of the queue, and out of what is shown. */
  drop(id: string): void;
  /** Tells the person that the item was refused; it is dropped already. */
  refused(item: Item, refusal: Refusal): void;
  /** True for an item whose answer is awaited: after a defect it is refused rather than held. */
  isAwaited(item: Item): boolean;
  /** Reads the studio's state again. Does not throw. */
  reread(): Promise<void>;
};

type Options<Item, News> = {
  payload: Payload<Item>;
  storage: KeptQueue<Item>;
  /** The changes that others make. */
  stream: Pick<Followed<News>, 'open' | 'onItem' | 'onOpen'>;
  onChange: () => void;
  /** Something the person must know, in words. */
  onNotice: (text: string) => void;
};

/**
 * Sends what a page did, however long the studio is away: one item at a time and in order, each under an id that makes a
 * second sending harmless. What is refused is dropped and reported, what fails inside the studio is held for the person to
 * decide. Beside it a stream brings what others do, and shows that the studio answers again.
 */
export class Outbox<Item, News> {
  readonly #options: Options<Item, News>;
  readonly #watch: ReturnType<typeof follow>;
  readonly #tries = retrying(() => void this.#pump());
  #state: OutboxState = { lost: null, unkept: false, stuck: null };
  #sending = false;
  #again = false;
  #defects = 0;
  #closed = false;

  /** Opens the stream, and sends what waits from an earlier page, once the caller's own code has run. */
  constructor(options: Options<Item, News>) {
    this.#options = options;
    this.#watch = follow({
      ...options.stream,
      onLost: () => this.#set({ lost: this.#state.lost ?? NO_ANSWER }),
    });
    queueMicrotask(() => void this.#pump());
  }

  get state(): OutboxState {
    return this.#state;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Stores the queue after a change. The payload reports the change itself. */
  keep(): void {
    const { storage, payload } = this.#options;
    this.#state = { ...this.#state, unkept: !storage.save(payload.waiting()) };
  }

  /** Sends what can be sent: something was added. */
  send(): void {
    void this.#pump();
  }

  /** Sends now rather than when the next wait is over: what an item waited for is done. */
  wake(): void {
    this.#tries.reset();
    void this.#pump();
  }

  /** The studio answered: what waits is sent now. A stuck item stays so. */
  reached(): void {
    if (this.#state.lost !== null && !this.#state.stuck) this.#set({ lost: null });
    this.wake();
  }

  /** Tries now, also what is stuck: the connection is back, or the person asks for it. */
  retry(): void {
    this.#defects = 0;
    if (this.#state.stuck) this.#set({ stuck: null });
    this.#watch.wake();
    this.wake();
  }

  /** Gives up what is stuck, so that what waits behind it goes on. */
  leaveOut(): void {
    const { stuck } = this.#state;
    if (!stuck) return;
    const { payload, onNotice } = this.#options;
    this.#defects = 0;
    this.#state = { ...this.#state, stuck: null, lost: null };
    payload.drop(stuck.id);
    onNotice(tr('{label} was left out. {message}', { label: stuck.label, message: stuck.message }));
    void payload.reread().then(() => this.#pump());
  }

  /** A hidden tab keeps no stream open (a browser has six connections to a server for all tabs); shown, it catches up. */
  follow(shown: boolean): void {
    this.#watch.show(shown);
  }

  close(): void {
    this.#closed = true;
    this.#watch.close();
    this.#tries.reset();
  }

  #set(next: Partial<OutboxState>): void {
    this.#state = { ...this.#state, ...next };
    this.#options.onChange();
  }

  async #pump(): Promise<void> {
    // Asked for while one is on its way: once more when it is done, or what was added just then would wait for ever.
    this.#again = this.#sending;
    if (this.#sending || this.#state.stuck || this.#tries.waiting() || this.#closed) return;
    const { payload } = this.#options;
    this.#sending = true;
    try {
      for (let item = payload.next(); item && !this.#closed; item = payload.next()) {
        if (!(await this.#sendOne(item))) break;
      }
    } finally {
      this.#sending = false;
      if (this.#again) void this.#pump();
    }
  }

  /** True: go on with the next one. */
  async #sendOne(item: Item): Promise<boolean> {
    try {
      await this.#options.payload.send(item);
      this.#tries.reset();
      this.#defects = 0;
      if (this.#state.lost !== null) this.#set({ lost: null });
      return true;
    } catch (error) {
      return !this.#closed && this.#failed(item, documentRefusal(error));
    }
  }

  async #failed(item: Item, refusal: Refusal): Promise<boolean> {
    const { payload } = this.#options;
    const { what, message } = refusal;
    if (what === 'retry' || (what === 'defect' && ++this.#defects < DEFECT_TRIES)) {
      this.#set({ lost: message });
      this.#tries.later();
      return false;
    }
    this.#defects = 0;
    if (what === 'defect' && !payload.isAwaited(item)) {
      this.#set({ lost: message, stuck: { id: payload.idOf(item), label: payload.nameOf(item), message } });
      return false;
    }
    payload.drop(payload.idOf(item));
    payload.refused(item, refusal);
    await payload.reread();
    return true;
  }
}
