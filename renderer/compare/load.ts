import { toRecords } from '../../core/annotate/document.ts';
import { viewDocument } from '../../core/annotate/view.ts';
import type { StoredTransaction } from '../../schemas/annotation.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { Comparison } from '../../schemas/api/review-models.ts';
import { client } from '../client/api.ts';
import type { ComparedSide } from './sides.ts';
import { type WrittenValue, writtenIn } from './standing.ts';

export type Loaded = { comparison: Comparison; sides: ComparedSide[]; written: WrittenValue };

/** The number of newest transactions that are read to find what was written before the page was opened. */
const HISTORY = 1000;

/** The differences between the replicas, each replica itself for its boxes and subtasks, and what was written since. */
export async function loadComparison(of: {
  ws: string;
  person: string;
  opened: OpenedRecording;
  documents: readonly string[];
}): Promise<Loaded> {
  const { ws, person, opened, documents } = of;
  const recording = opened.row.id;
  const asked = { ws, recording, person };
  const comparison = await client.review.compare({
    ...asked,
    ...(documents.length > 1 && { documents: [...documents] }),
  });
  const [found, history] = await Promise.all([
    Promise.all(comparison.documents.map(({ id }) => client.annotation.get({ ...asked, document: id }))),
    client.annotation.history({ ...asked, document: recording, limit: HISTORY }),
  ]);
  const sides = found.map((document, place): ComparedSide => {
    const { id, person: whose } = comparison.documents[place]!; // found in this order
    const records = toRecords(document.records);
    const view = viewDocument(opened.steps, records, { frames: opened.frames, views: opened.views });
    return { document: id, person: whose, place, records, view };
  });
  const oldestFirst = history.toReversed().filter((one) => !begins(one));
  return { comparison, sides, written: writtenIn(oldestFirst, opened.steps, comparison.differences) };
}

/** The studio itself begins the main document with what all agree on; nobody decided that. */
function begins({ person }: StoredTransaction): boolean {
  return person === 'studio';
}
