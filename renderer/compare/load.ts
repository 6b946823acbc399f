import { toRecords } from '../../core/annotate/document.ts';
import { viewDocument } from '../../core/annotate/view.ts';
import type { StoredTransaction } from '../../schemas/annotation.ts';
import type { OpenedRecording } from '../../schemas/api/models.ts';
import type { Comparison } from '../../schemas/api/review-models.ts';
import { client } from '../app/api.ts';
import type { Side } from './sides.ts';
import { type Written, writtenIn } from './standing.ts';

export type Loaded = { comparison: Comparison; sides: Side[]; written: Written };

/** As many of the newest transactions as are read to find what was written before the page was opened. */
const HISTORY = 1000;

/** What the replicas say differently, each replica itself for its boxes and subtasks, and what was written since. */
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
  const sides = found.map((document, place): Side => {
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
