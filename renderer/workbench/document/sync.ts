import type { AnnotationDocument, Change, StoredTransaction, Transaction } from '../../../schemas/annotation.ts';
import type { KeptQueue } from '../../client/kept-queue.ts';
import { Outbox, type OutboxState } from '../../client/outbox.ts';
import { tr } from '../../language/tr.ts';
import { labelWords } from '../labels.ts';
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

export type SyncState = OutboxState & { pending: Pending; labels: UndoLabels };

export type Sync = {
  state(): SyncState;
  /** Does a gesture at once and queues it. Throws CONFLICT when it does not fit what is shown. */
  gesture(label: string, changes: Change[]): void;
  undo(): void;
  redo(): void;
  /** Tries now rather than when the next wait is over, also what is stuck. */
  retry(): void;
  /** Gives up what is stuck, so that what waits behind it goes on. */
  leaveOut(): void;
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

/** A reply may overtake the watch by this much before the whole document is read again. */
const GAP_MS = 1_000;

/**
 * Keeps one document the same in the page and in the studio: gestures go out one at a time and in order, under ids that
 * make a second sending harmless; what others do comes in; what is refused is taken back and reported.
 */
export function openSync({ transport, storage, document, newId, onChange, onUndone, onNotice }: Options): Sync {
  let own = { pending: pendingOf(document, storage.load()), labels: labelsOf(document) };
  let shown: SyncState | null = null;
  let gap: ReturnType<typeof setTimeout> | null = null;

  const state = (): SyncState => {
    shown ??= { ...own, ...outbox.state };
    return shown;
  };

  function changed(): void {
    shown = null;
    onChange(state());
  }

  function set(next: Partial<typeof own>): void {
    const queueChanged = next.pending !== undefined && next.pending.queue !== own.pending.queue;
    own = { ...own, ...next };
    if (queueChanged) outbox.keep();
    changed();
  }

  function take(stored: StoredTransaction): void {
    const before = own.pending;
    let pending: Pending;
    try {
      pending = receive(before, stored);
    } catch {
      // The page's copy does not fit what the studio says: read it again rather than guess.
      void reread();
      return;
    }
    const seen = [stored, ...before.early].filter((t) => t.version > before.version && t.version <= pending.version);
    const labels = seen.sort((a, b) => a.version - b.version).reduce(followLabels, own.labels);
    set({ pending, labels });
    if (pending.early.length > 0) {
      gap ??= setTimeout(() => {
        gap = null;
        if (own.pending.early.length > 0) void reread();
      }, GAP_MS);
    }
  }

  async function reread(): Promise<void> {
    const fresh = await transport.get().catch(() => null);
    if (!fresh || outbox.closed || fresh.version < own.pending.version) return;
    set({ pending: replaceServer(own.pending, fresh), labels: labelsOf(fresh) });
  }

  async function sendGesture(item: Extract<Item, { kind: 'tx' }>): Promise<void> {
    const stored = await transport.apply(item.tx);
    const waiting = own.pending.queue.find((one) => itemId(one) === item.tx.id);
    // The stream may have brought it already: then it has left the queue.
    if (waiting?.kind === 'tx') set({ pending: replaceItem(own.pending, { ...waiting, acked: stored.version }) });
    take(stored);
  }

  /** Undo has no id of its own: one whose answer was lost is looked up in the history before it is sent again. */
  async function sendUndo(item: Exclude<Item, { kind: 'tx' }>): Promise<void> {
    if (item.since !== null && (await wasDone(item.kind, item.since))) {
      drop(item.id);
      await reread();
      return;
    }
    set({ pending: replaceItem(own.pending, { ...item, since: own.pending.version }) });
    const stored = await (item.kind === 'undo' ? transport.undo() : transport.redo());
    drop(item.id);
    if (stored) {
      take(stored);
      onUndone(stored);
    } else {
      set({ labels: nothingMore(own.labels, item.kind) });
      onNotice(item.kind === 'undo' ? tr('There is nothing to undo.') : tr('There is nothing to redo.'));
    }
  }

  async function wasDone(kind: 'undo' | 'redo', since: number): Promise<boolean> {
    const recent = await transport.history(50);
    return recent.some((t) => t.version > since && (kind === 'undo' ? t.undoes !== null : t.redoes !== null));
  }

  function drop(id: string): void {
    set({ pending: dropItem(own.pending, id) });
  }

  function add(item: Item): void {
    set({ pending: enqueue(own.pending, item) });
    outbox.send();
  }

  const outbox = new Outbox<Item, StoredTransaction>({
    payload: {
      idOf: itemId,
      nameOf: named,
      waiting: () => own.pending.queue,
      // A gesture that is stored stays until the version that it got has come.
      next: () => own.pending.queue.find((item) => item.kind !== 'tx' || item.acked === null),
      send: (item) => (item.kind === 'tx' ? sendGesture(item) : sendUndo(item)),
      drop,
      refused: (item, { what, message }) =>
        onNotice(
          what === 'conflict'
            ? tr(
                '{item} was not kept: the same thing was changed elsewhere first, and is now shown as it stands. ({message})',
                { item: named(item), message },
              )
            : tr('{item} was not kept. {message}', { item: named(item), message }),
        ),
      isAwaited: () => false,
      reread,
    },
    storage,
    stream: {
      open: (signal) => transport.watch(own.pending.version, signal),
      onOpen() {
        outbox.retry();
        outbox.reached();
      },
      onItem: take,
    },
    onChange: changed,
    onNotice,
  });

  return {
    state,
    gesture(label, changes) {
      if (changes.length === 0) return;
      add({ kind: 'tx', tx: { id: newId(), label, changes }, acked: null });
    },
    undo: () => add({ kind: 'undo', id: newId(), since: null }),
    redo: () => add({ kind: 'redo', id: newId(), since: null }),
    retry: () => outbox.retry(),
    leaveOut: () => outbox.leaveOut(),
    follow: (shown) => outbox.follow(shown),
    close() {
      outbox.close();
      if (gap) clearTimeout(gap);
    },
  };
}

function named(item: Item): string {
  return item.kind === 'tx' ? `"${labelWords(item.tx.label)}"` : item.kind === 'undo' ? tr('Undo') : tr('Redo');
}
