import type { KnownCrop } from '../../core/annotate/proposals/seen.ts';
import { type Store, sqlOf } from './store.ts';
import type { Tables } from './tables.ts';

/** What annotated steps teach of a software: the pixels of named boxes, its names, and which follows which. */

type Place = { document: string; action: string };
type Crop = Omit<Tables['crops'], 'document_id' | 'action'>;

export async function keepCrop(store: Store, { document, action }: Place, crop: Crop): Promise<void> {
  await sqlOf(store)
    .insertInto('crops')
    .values({ document_id: document, action, ...crop })
    .onConflict((conflict) => conflict.columns(['document_id', 'action']).doUpdateSet(crop))
    .execute();
}

export async function forgetCrop(store: Store, { document, action }: Place): Promise<void> {
  await sqlOf(store).deleteFrom('crops').where('document_id', '=', document).where('action', '=', action).execute();
}

/**
 * The documents that `person` may learn from: the main ones and their own, so that blind replicas stay blind (RV6). Not
 * the main one of a recording of which they have their own: it may hold what others, or the known answers, say. Null:
 * whoever works in main documents, the main ones.
 */
const learntFrom = (store: Store, person: string | null) => {
  const all = sqlOf(store).selectFrom('documents').select('id');
  if (person === null) return all.where('person', 'is', null);
  const own = sqlOf(store).selectFrom('documents').select('recording_id').where('person', '=', person);
  return all.where((eb) =>
    eb.or([eb('person', '=', person), eb.and([eb('person', 'is', null), eb('recording_id', 'not in', own)])]),
  );
};

/** Every crop that was named in a software, each name of it once, with how often. Not those of `except`. */
export async function knownCrops(
  store: Store,
  software: string,
  except: Place & { owner: string | null },
): Promise<KnownCrop[]> {
  const rows = await sqlOf(store)
    .selectFrom('crops')
    .select(['hash', 'quick', 'width', 'height', 'name'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('software_id', '=', software)
    .where((eb) => eb.or([eb('document_id', '!=', except.document), eb('action', '!=', except.action)]))
    .where('document_id', 'in', learntFrom(store, except.owner))
    .groupBy(['hash', 'quick', 'width', 'height', 'name'])
    .orderBy('hash')
    .orderBy('quick')
    .orderBy('width')
    .orderBy('height')
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ ...row, quick: Number(row.quick), count: Number(row.count) }));
}

/** Names in a software, the most used first. */
export async function readVocabulary(
  store: Store,
  software: string,
  person: string | null,
): Promise<{ name: string; count: number }[]> {
  const rows = await sqlOf(store)
    .selectFrom('annotation_names')
    .select('name')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('software_id', '=', software)
    .where('document_id', 'in', learntFrom(store, person))
    .groupBy('name')
    .orderBy('count', 'desc')
    .orderBy('name')
    .execute();
  return rows.map(({ name, count }) => ({ name, count: Number(count) }));
}

/** Names of the steps that followed a step of this name in this software, the most frequent first. */
export async function readFollowers(
  store: Store,
  software: string,
  name: string,
  person: string | null,
): Promise<{ name: string; count: number }[]> {
  const rows = await sqlOf(store)
    .selectFrom('annotation_names as now')
    .innerJoin('annotation_names as next', (join) =>
      join
        .onRef('next.document_id', '=', 'now.document_id')
        .on((eb) => eb('next.place', '=', eb('now.place', '+', 1)))
        .on('next.field', '=', 'element'),
    )
    .select('next.name')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('now.software_id', '=', software)
    .where('now.name', '=', name)
    .where('now.field', '=', 'element')
    .where('now.document_id', 'in', learntFrom(store, person))
    .groupBy('next.name')
    .orderBy('count', 'desc')
    .orderBy('next.name')
    .limit(9)
    .execute();
  return rows.map((row) => ({ name: row.name, count: Number(row.count) }));
}
