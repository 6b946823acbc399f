import { draftStates, draftsNow, everyDraft, type ModelDraft, originsOfAnswers } from '../../core/agents/draft/fold.ts';
import type { Records } from '../../core/annotate/document.ts';
import type { DraftShown } from '../../schemas/api/drafts.ts';
import { readDraftLogs, readRejected } from '../recordings/draft-log.ts';
import { documentsOf, readDocumentLog } from '../store/documents.ts';
import { readHistory } from '../store/transactions.ts';
import type { Workspace } from '../store/workspace.ts';

/** The drafts of a recording, and what became of each in a document of it. */

type Place = { id: string; folder: string };

/** Every draft that there ever was, with its state in each document of the recording. Throws BAD_FILE, FUTURE_VERSION. */
export async function draftAnswers(
  { store }: Pick<Workspace, 'store'>,
  { id, folder }: Place,
): Promise<{ drafts: ModelDraft[]; states: ReadonlyMap<string, ReadonlyMap<string, DraftShown['state']>> }> {
  const drafts = everyDraft(readDraftLogs(folder)).filter(({ text }) => text !== null);
  const states = new Map<string, Map<string, DraftShown['state']>>();
  if (drafts.length === 0) return { drafts, states };
  const rejected = readRejected(folder);
  const documents = await documentsOf(store, id);
  const ids = new Set([id, ...documents.map((row) => row.id)]);
  for (const document of ids) {
    const records = (await readDocumentLog(store, document))?.records ?? new Map();
    const history = await readHistory(store, document, { limit: MOST_LINES });
    const own = rejected.filter((line) => line.document === document);
    states.set(document, draftStates(drafts, records, history, own));
  }
  return { drafts, states };
}

/** More gestures than anybody makes on one recording. */
const MOST_LINES = 1_000_000;

/** Those that stand, as one document has answered them. */
export async function draftsIn(
  workspace: Pick<Workspace, 'store'>,
  place: Place,
  document: string,
): Promise<DraftShown[]> {
  const { drafts, states } = await draftAnswers(workspace, place);
  const answered = answeredIn(states);
  const own = states.get(document);
  return draftsNow(drafts, ({ id }) => answered.has(id)).map(({ text, ...draft }) => ({
    ...draft,
    text: text ?? '',
    state: own?.get(draft.id) ?? 'open',
  }));
}

/**
 * The records with whose words they hold: also where a draft's very words were written by hand after it was made, or by a
 * program that knew nothing of origins. Never written into the document. Throws BAD_FILE, FUTURE_VERSION.
 */
export async function withDraftOrigins(
  workspace: Pick<Workspace, 'store'>,
  place: Place,
  document: string,
  records: Records,
): Promise<Records> {
  const { drafts, states } = await draftAnswers(workspace, place);
  const own = states.get(document);
  return own ? originsOfAnswers(records, drafts, own) : records;
}

/** Ids of drafts that somebody has answered, in whatever document. */
export function answeredIn(states: ReadonlyMap<string, ReadonlyMap<string, DraftShown['state']>>): Set<string> {
  const answered = new Set<string>();
  for (const one of states.values()) for (const [id, state] of one) if (state !== 'open') answered.add(id);
  return answered;
}
