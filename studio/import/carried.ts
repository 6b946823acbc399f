import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorBody } from '../../schemas/errors.ts';
import { type HistoryHead, type HistoryTransaction, travellerSchema } from '../../schemas/history.ts';
import type { Documents } from '../annotate/documents.ts';
import { type Db, fromRow, readDocument } from '../annotate/log.ts';
import { readEvents } from '../review/log.ts';
import { listPeople } from '../store/people.ts';
import type { Workspace } from '../store/workspace.ts';
import { ANNOTATION_FILE, annotationText, takeAnnotation } from './annotation-file.ts';
import { CURATION_FILE, curationText, takeCuration } from './curation-file.ts';
import { eventLine, HISTORY_FILE, headLine, openHistory, transactionLines } from './history-file.ts';
import { LIMITS } from './limits.ts';

/** What the database says of a recording, as files that go along with it and are gone once they are taken. */
export type CarriedText = { name: string; text: string };
export type Carrier = (recording: string) => Promise<CarriedText[]>;

const NAMES = [ANNOTATION_FILE, HISTORY_FILE, CURATION_FILE];

/** Made anew for every export; one that lies in a recording's folder was left by an import that was killed. */
export const isCarried = (parts: readonly string[]): boolean => parts.length === 1 && NAMES.includes(parts[0]!);

/** The annotation as it is and its whole history, both of one moment. Empty while nobody has said anything. */
export async function carriedTexts({ db }: Pick<Workspace, 'db'>, recording: string): Promise<CarriedText[]> {
  return db.transaction().execute(async (trx) => {
    const main = await readDocument(trx, recording);
    const history = await historyText(trx, recording);
    return [
      ...(main ? [{ name: ANNOTATION_FILE, text: annotationText(recording, main.records) }] : []),
      ...(history === null ? [] : [{ name: HISTORY_FILE, text: history }]),
    ];
  });
}

/** The same for a recording that travels without a library: with its tags and its task's split. */
export async function carriedAlone(workspace: Pick<Workspace, 'db'>, recording: string): Promise<CarriedText[]> {
  const curation = await curationText(workspace, recording);
  return [
    ...(await carriedTexts(workspace, recording)),
    ...(curation === null ? [] : [{ name: CURATION_FILE, text: curation }]),
  ];
}

async function historyText(db: Db, recording: string): Promise<string | null> {
  const documents = await db
    .selectFrom('documents')
    .selectAll()
    .where('recording_id', '=', recording)
    .where('version', '>', 0)
    .orderBy('id')
    .execute();
  const events = await readEvents(db, recording);
  if (documents.length === 0 && events.length === 0) return null;
  const lines: string[] = [];
  const named = new Set(events.flatMap(({ person, facts }) => [person, ...(facts.authors ?? [])]));
  for (const { id, person } of documents) {
    if (person !== null) named.add(person);
    const rows = await db
      .selectFrom('annotation_transactions')
      .selectAll()
      .where('document_id', '=', id)
      .orderBy('version')
      .execute();
    for (const row of rows) {
      named.add(row.person);
      const transaction: HistoryTransaction = { document: id, ...fromRow(row), state: row.state };
      lines.push(...transactionLines(transaction));
    }
  }
  lines.push(...events.map(eventLine));
  const { state } = await db
    .selectFrom('recordings')
    .select('state')
    .where('id', '=', recording)
    .executeTakeFirstOrThrow();
  const head: HistoryHead = {
    schema: 'trajectory-studio/history',
    version: 1,
    recording,
    state,
    people: (await listPeople(db))
      .filter(({ id }) => named.has(id))
      .map(({ id, name }) => travellerSchema.parse({ id, name }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    documents: documents.map(({ id, person, version, created_at }) => ({ id, person, version, createdAt: created_at })),
  };
  return headLine(head) + lines.join('');
}

/**
 * Makes what came with a recording this workspace's, and removes the files. With a history, it is as if the work had been
 * done here: undo, review and state go on where they stood. Where the recording has a history of its own here, or the
 * archive brought none, the annotation comes as one change. `arriving`: the state of the work came along (library.json).
 * Gives what did not fit, in words.
 */
export async function takeCarried(
  workspace: Workspace,
  documents: Documents,
  recording: string,
  folder: string,
  { arriving = false } = {},
): Promise<string[]> {
  const warnings: string[] = [];
  const file = join(folder, HISTORY_FILE);
  let whole = false;
  if (existsSync(file)) {
    try {
      // It was checked as it came in; nobody else writes in the folder.
      const history = await openHistory(file, LIMITS, new AbortController().signal);
      await documents.arriveWith(recording, history);
      whole = true;
      rmSync(join(folder, ANNOTATION_FILE), { force: true });
    } catch (error) {
      warnings.push(`its history was not taken: ${errorBody(error).message}`);
    }
    rmSync(file);
  }
  if (!whole) {
    const odd = await takeAnnotation(documents, recording, folder, { arriving });
    if (odd !== null) warnings.push(odd);
  }
  warnings.push(...(await takeCuration(workspace, recording, folder)));
  return warnings;
}
