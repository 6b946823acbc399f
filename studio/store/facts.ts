import { type Store, sqlOf } from './store.ts';
import type { Tables } from './tables.ts';

/** Figures that take long to work out, kept while what they are of stays as it is. */

/** The figures of recordings for statistics, as JSON. */
export async function readFigures(store: Store): Promise<Map<string, string>> {
  const rows = await sqlOf(store).selectFrom('dataset_facts').select(['recording_id', 'figures']).execute();
  return new Map(rows.map((one) => [one.recording_id, one.figures]));
}

/** Each recording of the index with what was counted of it, and of what that was counted. */
export const listFacts = (store: Store) =>
  sqlOf(store)
    .selectFrom('recordings')
    .leftJoin('documents', 'documents.id', 'recordings.id')
    .leftJoin('dataset_facts', 'dataset_facts.recording_id', 'recordings.id')
    .select(['recordings.id', 'recordings.stamp', 'documents.version', 'dataset_facts.facts'])
    .select(['dataset_facts.stamp as counted', 'dataset_facts.document_version as at'])
    .execute();

export async function keepFacts(
  store: Store,
  recording: string,
  values: Omit<Tables['dataset_facts'], 'recording_id'>,
): Promise<void> {
  await sqlOf(store)
    .insertInto('dataset_facts')
    .values({ recording_id: recording, ...values })
    .onConflict((conflict) => conflict.column('recording_id').doUpdateSet(values))
    .execute();
}

/** A program's counts beside those of newer rules: by recording, of what it was counted and the values as JSON. */
export async function countsBeside(store: Store, about: string): Promise<Map<string, Beside>> {
  const rows = await sqlOf(store)
    .selectFrom('review_figures')
    .select(['recording_id', 'versions', 'value'])
    .where('about', '=', about)
    .execute();
  return new Map(rows.map(({ recording_id, ...beside }) => [recording_id, beside]));
}

type Beside = { versions: string; value: string };

/** Which figures of a review: of which recording, what, and the versions of the documents that they hold for. */
type About = { recording: string; about: string; versions: string };

/** As JSON; null where they are not known for these versions. */
export async function readReviewFigures(store: Store, { recording, about, versions }: About): Promise<string | null> {
  const row = await sqlOf(store)
    .selectFrom('review_figures')
    .select('value')
    .where('recording_id', '=', recording)
    .where('about', '=', about)
    .where('versions', '=', versions)
    .executeTakeFirst();
  return row?.value ?? null;
}

export async function keepReviewFigures(
  store: Store,
  { recording, about, versions }: About,
  value: string,
): Promise<void> {
  await sqlOf(store)
    .insertInto('review_figures')
    .values({ recording_id: recording, about, versions, value })
    .onConflict((conflict) => conflict.columns(['recording_id', 'about']).doUpdateSet({ versions, value }))
    .execute();
}
