import { compareDocuments } from '../../core/review/compare.ts';
import type { Step } from '../../schemas/api/models.ts';
import { withDraftOrigins } from '../documents/drafts.ts';
import { documentsOf, readDocumentLog } from '../store/documents.ts';
import { eventsOfKind } from '../store/review-events.ts';
import type { Store } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';

/**
 * How well the blind replicas of a recording agree over all kinds of data, 0 to 1 (core/review/AGREEMENT.md); null where
 * fewer than two were made. Hidden checks are no replicas. Only asked where the main document stands: until the replicas
 * have become one, nobody is told anything of them.
 */
export async function replicaAgreement(
  { store }: Pick<Workspace, 'store'>,
  { id: recording, folder }: { id: string; folder: string },
  steps: readonly Step[],
): Promise<number | null> {
  const documents = (await documentsOf(store, recording)).filter(({ id }) => id !== recording);
  if (documents.length < 2) return null;
  const checks = await checksOf(store, recording);
  const compared = [];
  for (const { id, person } of documents) {
    const document = checks.has(id) ? null : await store.reading((trx) => readDocumentLog(trx, id));
    if (!document) continue;
    const records = await withDraftOrigins({ store }, { id: recording, folder }, id, document.records);
    compared.push({ id, person, records });
  }
  if (compared.length < 2) return null;
  return compareDocuments(steps, compared, { resamples: 0 }).agreement.overall.value;
}

/** Documents that were begun as hidden checks. */
async function checksOf(store: Store, recording: string): Promise<Set<string>> {
  const events = await eventsOfKind(store, recording, 'begin');
  return new Set(
    events.flatMap(({ facts: { check, document } }) => (check === true && document !== null ? [document] : [])),
  );
}
