import { append } from '../../core/lists.ts';
import { type HistoryHead, type HistoryTransaction, travellerSchema } from '../../schemas/history.ts';
import type { ReviewAct } from '../../schemas/review.ts';
import { documentsOf, readDocumentLog } from '../store/documents.ts';
import { listPeople } from '../store/people.ts';
import { recordingState } from '../store/recording-states.ts';
import { readReviewEvents } from '../store/review-events.ts';
import type { Store } from '../store/store.ts';
import { wholeLog } from '../store/transactions.ts';
import type { Workspace } from '../store/workspace.ts';
import { ANNOTATION_FILE, annotationText } from './annotation-file.ts';
import { ARRIVAL_FILE } from './arrival-file.ts';
import { CURATION_FILE, curationText } from './curation-file.ts';
import { eventLine, HISTORY_FILE, headLine, transactionLines } from './history-file.ts';

/** The database's facts about a recording, as files that travel with it and are removed once they are taken. */
export type CarriedText = { name: string; text: string };
export type Carrier = (recording: string) => Promise<CarriedText[]>;

export const CARRIED_NAMES: readonly string[] = [ARRIVAL_FILE, ANNOTATION_FILE, HISTORY_FILE, CURATION_FILE];
/** Before the name of one that this workspace refused and keeps. */
export const REFUSED_PREFIX = 'refused-';

/** Made anew for every export; one that is in a recording's folder waits to be taken, or was refused here. */
export const isCarried = (parts: readonly string[]): boolean =>
  parts.length === 1 && (CARRIED_NAMES.includes(parts[0]!) || parts[0]!.startsWith(REFUSED_PREFIX));

/** The annotation as it is and its whole history, both of one moment. Empty while nobody has said anything. */
export async function carriedTexts({ store }: Pick<Workspace, 'store'>, recording: string): Promise<CarriedText[]> {
  return store.reading(async (trx) => {
    const main = await readDocumentLog(trx, recording);
    const history = await historyText(trx, recording);
    return [
      ...(main ? [{ name: ANNOTATION_FILE, text: annotationText(recording, main.records) }] : []),
      ...(history === null ? [] : [{ name: HISTORY_FILE, text: history }]),
    ];
  });
}

/** The same for a recording that travels without a library: with its tags and its task's split. */
export async function carriedAlone(workspace: Pick<Workspace, 'store'>, recording: string): Promise<CarriedText[]> {
  const curation = await curationText(workspace, recording);
  return [
    ...(await carriedTexts(workspace, recording)),
    ...(curation === null ? [] : [{ name: CURATION_FILE, text: curation }]),
  ];
}

/** The first version whose readers know all of these acts. */
function versionFor(acts: readonly ReviewAct[]): HistoryHead['version'] {
  if (acts.some(({ type }) => type === 'assign')) return 3;
  return acts.some(saysMissingBox) ? 2 : 1;
}

/** A reason that readers of version 1 do not know. */
function saysMissingBox(act: ReviewAct): boolean {
  if (act.type === 'decide') return act.reason === 'missing-box';
  return act.type === 'verdict' && act.reasons.includes('missing-box');
}

async function historyText(store: Store, recording: string): Promise<string | null> {
  const documents = (await documentsOf(store, recording)).filter(({ version }) => version > 0);
  const events = await readReviewEvents(store, recording);
  if (documents.length === 0 && events.length === 0) return null;
  const lines: string[] = [];
  const named = new Set(
    events.flatMap(({ person, facts, act }) => [
      person,
      ...(facts.authors ?? []),
      ...(act.type === 'assign' ? act.to : []),
    ]),
  );
  for (const { id, person } of documents) {
    if (person !== null) named.add(person);
    for (const line of await wholeLog(store, id)) {
      named.add(line.person);
      const transaction: HistoryTransaction = { document: id, ...line };
      append(lines, transactionLines(transaction));
    }
  }
  append(lines, events.map(eventLine));
  const state = await recordingState(store, recording);
  if (state === null) throw new Error(`recording ${recording} has a history and is not in the index`);
  const head: HistoryHead = {
    schema: 'trajectory-studio/history',
    version: versionFor(events.map(({ act }) => act)),
    recording,
    state,
    people: (await listPeople(store))
      .filter(({ id }) => named.has(id))
      .map(({ id, name }) => travellerSchema.parse({ id, name }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    documents: documents.map(({ id, person, version, created_at }) => ({ id, person, version, createdAt: created_at })),
  };
  return headLine(head) + lines.join('');
}
