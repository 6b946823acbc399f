import { randomUUID } from 'node:crypto';
import type { Transaction as Sql } from 'kysely';
import { applyChanges, invert } from '../../core/annotate/document.ts';
import { initialRecords } from '../../core/annotate/initial.ts';
import type { Change, StoredTransaction, Transaction } from '../../schemas/annotation.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Tables } from '../store/tables.ts';
import type { Workspace } from '../store/workspace.ts';
import { checkChanges, checkShape } from './check.ts';
import type { Context } from './contexts.ts';
import { type DocumentState, findLine, type Line, readDocument, readVersion, writeLine } from './log.ts';
import { clearRedo, nextOf, setState, undoConflict, type Way } from './undo.ts';

/** Who begins documents; nobody's gestures are its. */
const STUDIO = 'studio';
/** Documents kept in memory. */
const KEPT = 6;
const EMPTY: DocumentState = { version: 0, records: new Map() };

/** What a write did: `stored` null when there was nothing to do, `isNew` false when it was there before. */
export type Written = { stored: StoredTransaction | null; isNew: boolean; state: DocumentState };

type Work = (
  trx: Sql<Tables>,
  state: DocumentState,
  write: (line: Line) => Promise<StoredTransaction>,
) => Promise<StoredTransaction | null>;

/**
 * The one door by which documents change. Each call is one SQL transaction that first takes the document's row, so that
 * nobody writes between the look and the change, and a kill at any moment leaves the whole of it or nothing (N3).
 */
export function documentWriter({ db }: Pick<Workspace, 'db'>) {
  const kept = new Map<string, DocumentState>();

  function keep(document: string, state: DocumentState): void {
    kept.delete(document);
    kept.set(document, state);
    for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
  }

  /** The state in memory when it is still the newest. */
  async function load(trx: Sql<Tables>, document: string): Promise<DocumentState | null> {
    const version = await readVersion(trx, document);
    const known = kept.get(document);
    return known && known.version === version ? known : readDocument(trx, document);
  }

  async function run(context: Context, work: Work): Promise<Written> {
    const { id, entry, opened } = context;
    const written = await db.transaction().execute(async (trx): Promise<Written> => {
      await lock(trx, context);
      let state = (await load(trx, id)) ?? EMPTY;
      const write = async (line: Line): Promise<StoredTransaction> => {
        const { stored, after } = await writeLine(trx, id, { opened, software: entry.app }, state, line);
        state = after;
        return stored;
      };
      if (state.version === 0) await write(beginning(context));
      const before = state.version;
      const stored = await work(trx, state, write);
      return { stored, isNew: state.version > before, state };
    });
    keep(id, written.state);
    return written;
  }

  return {
    /** The document, begun when it was not. */
    async read(context: Context): Promise<DocumentState> {
      const found = await db.transaction().execute((trx) => load(trx, context.id));
      if (!found) return (await run(context, async () => null)).state;
      keep(context.id, found);
      return found;
    },

    apply(context: Context, given: Transaction, person: string): Promise<Written> {
      checkPerson(person);
      const { id, label, changes } = checkShape(given);
      return run(context, async (trx, state, write) => {
        const known = await findLine(trx, id);
        if (known) return sameDocument(known, context.id);
        checkChanges(context.opened, applyChanges(state.records, changes), changes);
        await clearRedo(trx, context.id, person);
        return write(lineOf(id, label, changes, person, 'done'));
      });
    },

    /** Undo or redo. Throws CONFLICT with who was there since. */
    step(context: Context, way: Way, person: string): Promise<Written> {
      checkPerson(person);
      return run(context, async (trx, state, write) => {
        const target = await nextOf(way, trx, context.id, person);
        if (!target) return null;
        const changes = way === 'undo' ? invert(target.changes) : target.changes;
        try {
          checkChanges(context.opened, applyChanges(state.records, changes), changes);
        } catch (error) {
          throw await undoConflict(trx, context.id, way, target, error);
        }
        await setState(trx, context.id, target.version, way === 'undo' ? 'undone' : 'done');
        const line = lineOf(randomUUID(), target.label, changes, person, 'fixed');
        return write({ ...line, [way === 'undo' ? 'undoes' : 'redoes']: target.id });
      });
    },
  };
}

/** Takes the document's row for this SQL transaction, and makes it when it is not there. A write, so that it waits its turn. */
async function lock(trx: Sql<Tables>, { id }: Context): Promise<void> {
  await trx
    .insertInto('documents')
    .values({ id, recording_id: id, version: 0, steps: 0, done: 0, created_at: new Date().toISOString() })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ recording_id: id }))
    .execute();
}

/** Version 1 (N6). */
function beginning({ opened }: Context): Line {
  const { steps, marks } = opened.page;
  const records = initialRecords(steps, marks, opened.goal);
  const changes = records.map((record): Change => ({ op: 'add', record }));
  return lineOf(randomUUID(), 'Begin', changes, STUDIO, 'fixed');
}

function lineOf(id: string, label: string, changes: Change[], person: string, state: Line['state']): Line {
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
