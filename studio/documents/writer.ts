import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { applyChanges, difference, invert, type Records } from '../../core/annotate/document.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import type { Change, StoredTransaction, Transaction } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import { keepStepsByHand } from '../recordings/by-hand.ts';
import { breathe } from '../store/breathe.ts';
import { type DocumentState, readDocumentLog, readDocumentVersion, takeDocument } from '../store/documents.ts';
import { personOf } from '../store/people.ts';
import { hasReview } from '../store/review-events.ts';
import type { StoreTransaction } from '../store/store.ts';
import { clearRedo, findLine, type LogLine, nextOf, setLineState, type Way } from '../store/transactions.ts';
import type { Workspace } from '../store/workspace.ts';
import { checkChanges, checkShape } from './check.ts';
import type { Context } from './contexts.ts';
import { writeLine } from './log.ts';
import { undoConflict } from './undo.ts';

/** The author of a document's beginning; no person's gestures are its. */
const STUDIO = 'studio';
/** The author of what an imported recording brought along. */
const ARRIVAL = 'import';
/** Documents kept in memory: so many records in all; one counts as some of them at least, and the largest as so many. */
const KEPT_RECORDS = 60_000;
const [LEAST_RECORDS, MOST_RECORDS] = [200, 10_000];
const EMPTY: DocumentState = { version: 0, records: new Map() };

/** Decides who may write: the rules of the review (studio/documents/review/gate.ts), which this room does not know. */
export type WriterGate = {
  /** Gives the person's id; the event that begins their work is written in this transaction. Throws CONFLICT. */
  admit(trx: StoreTransaction, place: { recording: string; document: string; person: string }): Promise<string>;
};

/** The result of a write: `stored` null when there was nothing to do, `isNew` false when it was there before. */
export type Written = { stored: StoredTransaction | null; isNew: boolean; state: DocumentState };

type Work = (
  trx: StoreTransaction,
  state: DocumentState,
  write: (line: LogLine) => Promise<StoredTransaction>,
) => Promise<StoredTransaction | null>;

/**
 * The one door by which documents change. Each call is one SQL transaction that first takes the document's row, so that
 * nobody writes between the look and the change, and a kill at any moment leaves the whole of it or nothing (N3).
 */
export function documentWriter({ store }: Pick<Workspace, 'store'>, gate: WriterGate) {
  const kept = new LRUCache<string, DocumentState>({
    maxSize: KEPT_RECORDS,
    sizeCalculation: ({ records }) => Math.min(Math.max(records.size, LEAST_RECORDS), MOST_RECORDS),
  });

  /** The state in memory when it is the one of this version. */
  function keptAt(document: string, version: number): DocumentState | undefined {
    const known = kept.get(document);
    return known?.version === version ? known : undefined;
  }

  async function run(context: Context, work: Work): Promise<Written> {
    const { document, entry, opened } = context;
    const written = await store.transaction(async (trx): Promise<Written> => {
      const found = await lock(trx, context);
      let state = keptAt(document, found) ?? (await readDocumentLog(trx, document, found)) ?? EMPTY;
      const write = async (line: LogLine): Promise<StoredTransaction> => {
        const { stored, after } = await writeLine(trx, document, { opened, software: entry.app }, state, line);
        state = after;
        return stored;
      };
      if (state.version === 0) await write(beginning(context));
      const before = state.version;
      const stored = await work(trx, state, write);
      return { stored, isNew: state.version > before, state };
    });
    kept.set(document, written.state);
    keepSteps(context, written.state);
    return written;
  }

  return {
    /** The document, begun when it was not. */
    async read(context: Context): Promise<DocumentState> {
      // Most often nothing has changed, which one question tells.
      const known = keptAt(context.document, await readDocumentVersion(store, context.document));
      if (known) return known;
      const found = await store.reading((trx) => readDocumentLog(trx, context.document));
      if (!found) return (await run(context, async () => null)).state;
      kept.set(context.document, found);
      // After a kill between the log and the file.
      keepSteps(context, found);
      return found;
    },

    /**
     * Makes the document stand as `records` say, as one line of the studio's that nobody can undo, inside a transaction of
     * the caller's: what an adjudicated document begins with (RV10). The state in memory follows at the next read.
     */
    async begin(trx: StoreTransaction, context: Context, label: string, records: Records): Promise<number> {
      const { document, entry, opened } = context;
      let state = (await readDocumentLog(trx, document, await lock(trx, context))) ?? EMPTY;
      const place = { opened, software: entry.app };
      if (state.version === 0) state = (await writeLine(trx, document, place, state, beginning(context))).after;
      const changes = difference(state.records, records);
      if (changes.length === 0) return state.version;
      checkChanges(opened, applyChanges(state.records, changes), changes);
      const line = lineOf(randomUUID(), label, changes, STUDIO, 'fixed');
      return (await writeLine(trx, document, place, state, line)).after.version;
    },

    async apply(context: Context, given: Transaction, person: string): Promise<Written> {
      checkPerson(person);
      const { id, label, changes } = await checkShape(given);
      return run(context, async (trx, state, write) => {
        const known = await findLine(trx, id);
        if (known) return sameDocument(known, context.document);
        // First of all: what a refusal says of the records is for those who may write there.
        const who = await gate.admit(trx, placeOf(context, person));
        refuseStepsElsewhere(context, changes);
        checkChanges(context.opened, applyChanges(state.records, changes), changes);
        await breathe();
        await clearRedo(trx, context.document, who);
        return write(lineOf(id, label, changes, who, 'done'));
      });
    },

    /**
     * For an annotation that came with an imported recording whose work had gone on elsewhere: it arrives in the state that
     * it had there, so nobody begins anything. Throws CONFLICT when the recording has a history of its own here.
     */
    async arrive(context: Context, given: Transaction): Promise<Written> {
      const { id, label, changes } = await checkShape(given);
      return run(context, async (trx, state, write) => {
        const known = await findLine(trx, id);
        if (known) return sameDocument(known, context.document);
        await refuseReviewed(trx, context.id);
        checkChanges(context.opened, applyChanges(state.records, changes), changes);
        return write(lineOf(id, label, changes, ARRIVAL, 'fixed'));
      });
    },

    /** Undo or redo. Throws CONFLICT with who was there since. */
    step(context: Context, way: Way, person: string): Promise<Written> {
      checkPerson(person);
      return run(context, async (trx, state, write) => {
        const who = (await personOf(trx, person)).id;
        const target = await nextOf(way, trx, context.document, who);
        if (!target) return null;
        await gate.admit(trx, placeOf(context, person));
        const changes = way === 'undo' ? invert(target.changes) : target.changes;
        try {
          checkChanges(context.opened, applyChanges(state.records, changes), changes);
        } catch (error) {
          throw await undoConflict(trx, context.document, way, target, error);
        }
        await setLineState(trx, context.document, target.version, way === 'undo' ? 'undone' : 'done');
        const line = lineOf(randomUUID(), target.label, changes, who, 'fixed');
        return write({ ...line, [way === 'undo' ? 'undoes' : 'redoes']: target.id });
      });
    },
  };
}

/** Steps by hand are the main document's: the recording has them beside its raw files (N12). */
function keepSteps({ owner, entry }: Context, { records }: DocumentState): void {
  if (owner === null) keepStepsByHand(entry.folder, records);
}

function refuseStepsElsewhere({ owner, id }: Context, changes: readonly Change[]): void {
  if (owner === null) return;
  const step = changes.find((change) => (change.op === 'change' ? change.after : change.record).kind === 'step');
  if (!step) return;
  throw new StudioError('USAGE', `Steps are added to recording ${id} itself, before people annotate it separately.`, {
    recording: id,
  });
}

async function refuseReviewed(trx: StoreTransaction, recording: string): Promise<void> {
  if (!(await hasReview(trx, recording))) return;
  throw new StudioError('CONFLICT', `The work on recording ${recording} goes on here already. Nothing was changed.`, {
    recording,
  });
}

/** Gives the document's version. */
const lock = (trx: StoreTransaction, { id, document, owner }: Context): Promise<number> =>
  takeDocument(trx, { document, recording: id, person: owner });

const placeOf = ({ id, document }: Context, person: string) => ({ recording: id, document, person });

/** Version 1 (N6). */
function beginning({ opened }: Context): LogLine {
  const { steps, marks } = opened.page;
  const records = initialRecords(steps, marks, opened.meta.task.goal);
  const changes = records.map((record): Change => ({ op: 'add', record }));
  return lineOf(randomUUID(), 'Begin', changes, STUDIO, 'fixed');
}

function lineOf(id: string, label: string, changes: Change[], person: string, state: LogLine['state']): LogLine {
  return { id, label, changes, person, at: new Date().toISOString(), undoes: null, redoes: null, state };
}

function sameDocument(known: NonNullable<Awaited<ReturnType<typeof findLine>>>, document: string): StoredTransaction {
  if (known.document === document) return known.stored;
  throw new StudioError(
    'USAGE',
    `The transaction ${known.stored.id} is another recording's (${known.document}). Give each gesture an id of its own.`,
    { transaction: known.stored.id, recording: known.document },
  );
}

function checkPerson(person: string): void {
  if (person.trim() !== '' && person !== STUDIO) return;
  throw new StudioError(
    'USAGE',
    `"${person}" cannot be the person of a change: give a name, and another than "${STUDIO}".`,
    {
      person,
    },
  );
}
