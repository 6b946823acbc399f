import { applyChanges, invert, type Records, toRecords } from '../../../core/annotate/document.ts';
import type { AnnotationRecord, StoredTransaction, Transaction } from '../../../schemas/annotation.ts';
import { queueStorage } from './storage.ts';
import { openSync, type Sync, type Transport } from './sync.ts';

/** A studio in memory for tests: one document, several pages on it, and a line that can be cut. */
type MemoryStudio = {
  /** A page's own line to it. */
  line(): Transport & {
    cut(): void;
    heal(): void /** The next answer is lost after the work was done. */;
    loseAnswer(): void;
    /** Until null, nothing is stored: what is thrown instead. */
    failWith(error: Error | null): void;
    /** How often something was to be stored. */
    asked(): number;
  };
  records(): Records;
  applied(): readonly StoredTransaction[];
};

export function memoryStudio(initial: readonly AnnotationRecord[]): MemoryStudio {
  let records = toRecords([...initial]);
  const log: StoredTransaction[] = [];
  const undoable: StoredTransaction[] = [];
  const redoable: StoredTransaction[] = [];
  const watchers = new Set<() => void>();

  function store(tx: Transaction, undoes: string | null, redoes: string | null): StoredTransaction {
    records = applyChanges(records, tx.changes);
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, log.length)).toISOString();
    const stored = { ...tx, version: log.length + 1, person: 'me', at, undoes, redoes };
    log.push(stored);
    for (const wake of watchers) wake();
    return stored;
  }

  const uuid = () => `00000000-0000-4000-8000-${String(log.length + 1).padStart(12, '0')}`;

  function line() {
    let open = true;
    let loses = false;
    let failure: Error | null = null;
    let asked = 0;
    const storing = <T>(work: () => T): Promise<T> =>
      through(() => {
        asked++;
        if (failure) throw failure;
        return work();
      });
    const breaks = new Set<() => void>();
    const through = async <T>(work: () => T): Promise<T> => {
      await Promise.resolve();
      if (!open) throw new TypeError('Failed to fetch');
      const answer = work();
      if (loses) {
        loses = false;
        throw new TypeError('Failed to fetch');
      }
      return answer;
    };
    return {
      get: () =>
        through(() => ({
          recording: 'r',
          version: log.length,
          records: [...records.values()],
          undo: undoable.at(-1)?.label ?? null,
          redo: redoable.at(-1)?.label ?? null,
        })),
      apply: (tx: Transaction) =>
        storing(() => {
          const known = log.find((stored) => stored.id === tx.id);
          if (known) return known;
          const stored = store(structuredClone(tx), null, null);
          undoable.push(stored);
          redoable.length = 0;
          return stored;
        }),
      undo: () =>
        storing(() => {
          const last = undoable.pop();
          if (!last) return null;
          redoable.push(last);
          return store({ id: uuid(), label: last.label, changes: invert(last.changes) }, last.id, null);
        }),
      redo: () =>
        storing(() => {
          const last = redoable.pop();
          if (!last) return null;
          undoable.push(last);
          return store({ id: uuid(), label: last.label, changes: last.changes }, null, last.id);
        }),
      history: (limit: number) => through(() => log.toReversed().slice(0, limit)),
      async watch(since: number, signal: AbortSignal) {
        if (!open) throw new TypeError('Failed to fetch');
        return follow(since, signal);
      },
      cut() {
        open = false;
        for (const one of breaks) one();
      },
      heal() {
        open = true;
      },
      loseAnswer() {
        loses = true;
      },
      failWith(error: Error | null) {
        failure = error;
      },
      asked: () => asked,
    };

    async function* follow(since: number, signal: AbortSignal): AsyncGenerator<StoredTransaction> {
      for (let next = since; ; ) {
        if (next < log.length) {
          yield log[next++]!;
          continue;
        }
        await new Promise<void>((resolve) => {
          watchers.add(resolve);
          breaks.add(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
        if (signal.aborted) return;
        if (!open) throw new TypeError('network error');
      }
    }
  }

  return { line, records: () => records, applied: () => log };
}

/** Storage of a browser tab, in memory. */
export function memoryStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

type Heard = Partial<Pick<Parameters<typeof openSync>[0], 'newId' | 'onChange' | 'onUndone'>>;

/** A page's sync over its line to it, with an empty queue; of what happens it tells who asks. */
export async function memorySync(line: Transport, heard: Heard = {}): Promise<Sync> {
  return openSync({
    transport: line,
    storage: queueStorage(memoryStorage(), 'w', 'r', null),
    document: await line.get(),
    newId: () => crypto.randomUUID(),
    onNotice: () => {},
    onUndone: () => {},
    onChange: () => {},
    ...heard,
  });
}
