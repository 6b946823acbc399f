import { applyChanges } from '../../../core/annotate/document.ts';
import type { AnnotationDocument, StoredTransaction } from '../../../schemas/annotation.ts';
import type { Documents } from '../documents.ts';

/** A main document as if nobody had written in it: what somebody is shown of it who must not know that others have (RV12). */

export async function beginningOf(documents: Documents, recording: string): Promise<AnnotationDocument> {
  // Begun, when nobody has opened it: then there is a first line.
  const { recording: id } = await documents.get(recording);
  const lines = await firstLines(documents, recording, 0);
  const records = lines.reduce(
    (now, { changes }) => applyChanges(now, changes),
    new Map() as ReturnType<typeof applyChanges>,
  );
  const list = [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { recording: id, version: 1, records: list, undo: null, redo: null };
}

/** The lines after `since` with which a document begins; no step of them was touched by anybody. */
export async function firstLines(documents: Documents, recording: string, since: number): Promise<StoredTransaction[]> {
  return (await documents.since(recording, since)).filter(({ version }) => version === 1);
}
