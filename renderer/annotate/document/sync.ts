import type { AnnotationDocument, Change, StoredTransaction, Transaction } from '../../../schemas/annotation.ts';
import { follow, retrying } from '../../app/follow.ts';
import type { KeptQueue } from '../../app/kept-queue.ts';
import {
  dropItem,
  enqueue,
  type Item,
  itemId,
  type Pending,
  pendingOf,
  receive,
  replaceItem,
  replaceServer,
} from './pending.ts';
import { refusalOf } from './refusal.ts';
import { followLabels, labelsOf, nothingMore, type UndoLabels } from './undo-labels.ts';

/** The procedures of the API that a document needs, bound to one recording. */
export type Transport = {
  get(): Promise<AnnotationDocument>;
  apply(transaction: Transaction): Promise<StoredTransaction>;
  undo(): Promise<StoredTransaction | null>;
  redo(): Promise<StoredTransaction | null>;
  history(limit: number): Promise<StoredTransaction[]>;
  watch(since: number, signal: AbortSignal): Promise<AsyncIterable<StoredTransaction>>;
};

export type SyncState = {
  pending: Pending;
  labels: UndoLabels;
  /** Null while the studio answers; else what is wrong, in words. */
  lost: string | null;
  /** What waits could not be kept over a reload (no room). */
  unkept: boolean;
};

export type Sync = {
  state(): SyncState;
  /** Does a gesture at once and queues it. Throws CONFLICT when it does not fit what is shown. */
  gesture(label: string, changes: Change[]): void;
  undo(): void;
  redo(): void;
  /** Tries now rather than when the next wait is over. */
  retry(): void;
  /** A hidden tab keeps no stream open (a browser has six connections to a server for all tabs); shown, it catches up. */
  follow(shown: boolean): void;
  close(): void;
};

type Options = {
  transport: Transport;
  storage: KeptQueue<Item>;
  document: AnnotationDocument;
  newId: () => string;
  onChange: (state: SyncState) => void;
  /** An undo or a redo of this page is done. */
  onUndone: (stored: StoredTransaction) => void;
  /** Something the person must know, in words. */
  onNotice: (text: string) => void;
};

const DEFECT_TRIES = 3;
/** A reply may overtake the watch by this much before the whole document is read again. */
const GAP_MS = 1_000;

/**
 * Keeps one document the same in the page and in the studio: gestures go out one at a time and in order, under ids that
 * make a second sending harmless; what others do comes in; what is refused is taken back and told.
 */
export function openSync({ transport, storage, document, newId, onChange, onUndone, onNotice }: Options): Sync {
  const controller = new AbortController();
  let state: SyncState = {
    pending: pendingOf(document, storage.load()),
    labels: labelsOf(document),
    lost: null,
    unkept: false,
  };
  let sending = false;
  let defects = 0;
  const tries = retrying(() => void pump());
  let gap: ReturnType<typeof setTimeout> | null = null;

  function set(next: Partial<SyncState>): void {
    const queueChanged = next.pending !== undefined && next.pending.queue !== state.pending.queue;
    state = { ...state, ...next };
    if (queueChanged) state = { ...state, unkept: !storage.save(state.pending.queue) };
    onChange(state);
  }

  function take(stored: StoredTransaction): void {
    const before = state.pending;
    let pending: Pending;
    try {
      pending = receive(before, stored);
    } catch {
      // The page's copy does not fit what the studio says: read it again rather than guess.
      void reread();
      return;
    }
    const seen = [stored, ...before.early].filter((t) => t.version > before.version && t.version <= pending.version);
    const labels = seen.sort((a, b) => a.version - b.version).reduce(followLabels, state.labels);
    set({ pending, labels });
    if (pending.early.length > 0) {
      gap ??= setTimeout(() => {
        gap = null;
        if (state.pending.early.length > 0) void reread();
      }, GAP_MS);
    }
  }

  async function reread(): Promise<void> {
    const fresh = await transport.get().catch(() => null);
    if (!fresh || controller.signal.aborted || fresh.version < state.pending.version) return;
    set({ pending: replaceServer(state.pending, fresh), labels: labelsOf(fresh) });
  }

  async function pump(): Promise<void> {
    if (sending || tries.waiting() || controller.signal.aborted) return;
    sending = true;
    try {
      for (let item = nextToSend(); item && !controller.signal.aborted; item = nextToSend()) {
        if (!(await send(item))) break;
      }
    } finally {
      sending = false;
      if (nextToSend() && !tries.waiting() && !controller.signal.aborted && state.lost === null) void pump();
    }
  }

  function nextToSend(): Item | undefined {
    return state.pending.queue.find((item) => item.kind !== 'tx' || item.acked === null);
  }

  /** True: go on with the next one. */
  async function send(item: Item): Promise<boolean> {
    try {
      if (item.kind === 'tx') acknowledge(item.tx.id, await transport.apply(item.tx));
      else await sendUndo(item);
      tries.reset();
      defects = 0;
      if (state.lost !== null) set({ lost: null });
      return true;
    } catch (error) {
      if (controller.signal.aborted) return false;
      const { what, message } = refusalOf(error);
      if (what === 'conflict' || what === 'refused' || (what === 'defect' && ++defects >= DEFECT_TRIES)) {
        defects = 0;
        set({ pending: dropItem(state.pending, itemId(item)) });
        onNotice(
          what === 'conflict'
            ? `${named(item)} was not kept: the same thing was changed elsewhere first, and is now shown as it stands. (${message})`
            : `${named(item)} was not kept. ${message}`,
        );
        await reread();
        return true;
      }
      if (controller.signal.aborted) return false;
      set({ lost: message });
      tries.later();
      return false;
    }
  }

  function acknowledge(id: string, stored: StoredTransaction): void {
    const item = state.pending.queue.find((one) => itemId(one) === id);
    // The watch may have told it already: then it has left the queue.
    if (item?.kind === 'tx') set({ pending: replaceItem(state.pending, { ...item, acked: stored.version }) });
    take(stored);
  }

  /** Undo has no id of its own: one whose answer was lost is looked up in the history before it is sent again. */
  async function sendUndo(item: Exclude<Item, { kind: 'tx' }>): Promise<void> {
    if (item.since !== null && (await wasDone(item.kind, item.since))) {
      set({ pending: dropItem(state.pending, item.id) });
      await reread();
      return;
    }
    set({ pending: replaceItem(state.pending, { ...item, since: state.pending.version }) });
    const stored = await (item.kind === 'undo' ? transport.undo() : transport.redo());
    set({ pending: dropItem(state.pending, item.id) });
    if (stored) {
      take(stored);
      onUndone(stored);
    } else {
      set({ labels: nothingMore(state.labels, item.kind) });
      onNotice(item.kind === 'undo' ? 'There is nothing to undo.' : 'There is nothing to redo.');
    }
  }

  async function wasDone(kind: 'undo' | 'redo', since: number): Promise<boolean> {
    const recent = await transport.history(50);
    return recent.some((t) => t.version > since && (kind === 'undo' ? t.undoes !== null : t.redoes !== null));
  }

  /** The studio answered: what waits goes out now. */
  function reached(): void {
    if (state.lost !== null) set({ lost: null });
    retry();
  }

  function retry(): void {
    tries.reset();
    watch.wake();
    void pump();
  }

  function add(item: Item): void {
    set({ pending: enqueue(state.pending, item) });
    void pump();
  }

  const watch = follow({
    open: (signal) => transport.watch(state.pending.version, signal),
    onOpen: reached,
    onItem: take,
    onLost: () => set({ lost: state.lost ?? 'The studio does not answer.' }),
  });
  void pump();

  return {
    state: () => state,
    gesture(label, changes) {
      if (changes.length === 0) return;
      add({ kind: 'tx', tx: { id: newId(), label, changes }, acked: null });
    },
    undo: () => add({ kind: 'undo', id: newId(), since: null }),
    redo: () => add({ kind: 'redo', id: newId(), since: null }),
    retry,
    follow: watch.show,
    close() {
      controller.abort();
      watch.close();
      tries.reset();
      if (gap) clearTimeout(gap);
    },
  };
}

function named(item: Item): string {
  return item.kind === 'tx' ? `"${item.tx.label}"` : item.kind === 'undo' ? 'Undo' : 'Redo';
}
