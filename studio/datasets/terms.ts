import { licenceId } from '../../core/export/licences.ts';
import { type DatasetTerms, datasetTermsSchema, hasTerms } from '../../schemas/dataset-terms.ts';
import { StudioError } from '../../schemas/errors.ts';
import { readMeta, writeMeta } from '../store/meta.ts';
import type { Store } from '../store/store.ts';

/** Licence, citation and sources of the data set, in the workspace's database. */
const KEY = 'dataset-terms';

/** Empty fields where nobody said anything. */
export async function readTerms(store: Store): Promise<DatasetTerms> {
  return datasetTermsSchema.parse(await readMeta(store, KEY));
}

/** Licences that are known are kept by their SPDX identifier. Throws USAGE. */
export async function writeTerms(store: Store, wanted: unknown): Promise<DatasetTerms> {
  const parsed = datasetTermsSchema.safeParse(wanted);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    throw new StudioError('USAGE', `The field ${field} of the data set's terms ${issue?.message ?? 'does not fit'}.`, {
      field,
    });
  }
  const terms: DatasetTerms = {
    ...parsed.data,
    licence: licenceId(parsed.data.licence),
    sources: parsed.data.sources.map((source) => ({ ...source, licence: licenceId(source.licence) })),
  };
  await writeMeta(store, KEY, terms);
  return terms;
}

/** Those that came with an archive: taken where nobody has said anything here. False when others stand here, and stay. */
export async function takeTerms(store: Store, coming: DatasetTerms): Promise<boolean> {
  const here = await readTerms(store);
  if (hasTerms(here)) return JSON.stringify(here) === JSON.stringify(coming);
  await writeTerms(store, coming);
  return true;
}
