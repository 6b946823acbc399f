import { applyChanges, type Records, toRecords } from '../../../core/annotate/document.ts';
import type { AnnotationDocument, Change, StoredTransaction, Transaction } from '../../../schemas/annotation.ts';

/**
 * The page's own state of a document: the server's state at `version`, the gestures that wait in order, and `view`, the
 * records that are shown: the server's with the waiting gestures on top.
 */
export type Pending = {
  version: number;
  server: Records;
  view: Records;
  queue: readonly Item[];
  /** Transactions that came before one of an earlier version did (a reply overtook the watch). */
  early: readonly StoredTransaction[];
};

/** One gesture that waits. `acked`: the version that the server gave it; it stays until that version is reached. */
export type Item =
  | { kind: 'tx'; tx: Transaction; acked: number | null }
  | {
      kind: 'undo' | 'redo';
      id: string /** Version when it was first sent: tells whether it was done. */;
      since: number | null;
    };

export function itemId(item: Item): string {
  return item.kind === 'tx' ? item.tx.id : item.id;
}

export function pendingOf(document: AnnotationDocument, queue: readonly Item[]): Pending {
  const server = toRecords(document.records);
  return { version: document.version, server, view: viewOver(server, queue), queue, early: [] };
}

/** Adds a gesture. Throws CONFLICT when its changes do not fit what is shown: nothing is queued then. */
export function enqueue(state: Pending, item: Item): Pending {
  const queue = [...state.queue, item];
  const view = item.kind === 'tx' ? applyChanges(state.view, item.tx.changes) : viewOver(state.server, queue);
  return { ...state, queue, view };
}

/** Takes a gesture out: the server refused it, or it was an undo that is done. */
export function dropItem(state: Pending, id: string): Pending {
  const queue = state.queue.filter((item) => itemId(item) !== id);
  if (queue.length === state.queue.length) return state;
  return { ...state, queue, view: viewOver(state.server, queue) };
}

export function replaceItem(state: Pending, item: Item): Pending {
  const id = itemId(item);
  return { ...state, queue: state.queue.map((old) => (itemId(old) === id ? item : old)) };
}

/** A transaction as the server stored it, from a reply or from the watch; received twice it counts once. */
export function receive(state: Pending, stored: StoredTransaction): Pending {
  if (stored.version <= state.version) return withoutApplied(state, stored);
  if (stored.version > state.version + 1) {
    const known = state.early.some((other) => other.version === stored.version);
    return known ? state : { ...state, early: [...state.early, stored] };
  }
  const next = step(state, stored);
  const following = next.early.find((other) => other.version === next.version + 1);
  return following
    ? receive({ ...next, early: next.early.filter((other) => other !== following) }, following)
    : { ...next, early: next.early.filter((other) => other.version > next.version) };
}

/** The server's whole state, read again: gestures that it already holds leave the queue. */
export function replaceServer(state: Pending, document: AnnotationDocument): Pending {
  if (document.version < state.version) return state;
  const queue = state.queue.filter((i) => !(i.kind === 'tx' && i.acked !== null && i.acked <= document.version));
  const fresh = pendingOf(document, queue);
  return state.early
    .filter((stored) => stored.version > document.version)
    .sort((a, b) => a.version - b.version)
    .reduce(receive, fresh);
}

function step(state: Pending, stored: StoredTransaction): Pending {
  const own = state.queue.find((item) => item.kind === 'tx' && item.tx.id === stored.id);
  // Our own changes rather than their copy from the wire: records keep their identity, so nothing is drawn anew.
  const changes = own?.kind === 'tx' ? own.tx.changes : stored.changes;
  const server = applyChanges(state.server, changes);
  const queue = own ? state.queue.filter((item) => item !== own) : state.queue;
  const first = own !== undefined && own === state.queue[0];
  return { ...state, version: stored.version, server, queue, view: first ? state.view : viewOver(server, queue) };
}

function withoutApplied(state: Pending, stored: StoredTransaction): Pending {
  return dropItem(state, stored.id);
}

/**
 * The records with every waiting gesture on top. One that no longer fits is left out: the server, which has the last
 * word, will refuse it. An undo takes back the gesture that waits before it; one of what is stored shows when it is done.
 */
function viewOver(server: Records, queue: readonly Item[]): Records {
  const done: Change[][] = [];
  const undone: Change[][] = [];
  for (const item of queue) {
    if (item.kind === 'tx') {
      done.push(item.tx.changes);
      undone.length = 0;
    } else if (item.kind === 'undo') {
      const last = done.pop();
      if (last) undone.push(last);
    } else {
      const last = undone.pop();
      if (last) done.push(last);
    }
  }
  return done.reduce((records, changes) => applyIfFits(records, changes), server);
}

function applyIfFits(records: Records, changes: Change[]): Records {
  try {
    return applyChanges(records, changes);
  } catch {
    return records;
  }
}
