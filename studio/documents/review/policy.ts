import { unmanaged } from '../../../core/review/rules.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { type ReviewPolicy, reviewPolicySchema } from '../../../schemas/review.ts';
import { readMeta, writeMeta } from '../../store/meta.ts';
import { personOf } from '../../store/people.ts';
import type { Store } from '../../store/store.ts';
import { knownPerson, namesOf } from './situation.ts';

/** The rules of the data set, in the workspace's database. */
const KEY = 'review-policy';

export async function readPolicy(store: Store): Promise<ReviewPolicy> {
  return reviewPolicySchema.parse(await readMeta(store, KEY));
}

/**
 * Recordings that were begun keep what was decided for them (RV4). Managers come by name or id. Throws CONFLICT where managers
 * are set and `person` is none of them (RV16), USAGE for a manager who is nobody here.
 */
export async function changePolicy(
  store: Store,
  wanted: ReviewPolicy,
  person: string | undefined,
): Promise<ReviewPolicy> {
  const policy = await readPolicy(store);
  const who = await personOf(store, person ?? 'me');
  const refused = unmanaged({ policy, person: who, name: await namesOf(store) });
  if (refused !== null) throw new StudioError('CONFLICT', `The rules were not changed. ${refused}`, {});
  const named = (wanted.managers ?? []).filter((one) => one !== 'none');
  const managers = [...new Set(await Promise.all(named.map((one) => knownPerson(store, one))))];
  const { managers: _given, ...rest } = wanted;
  const written: ReviewPolicy = managers.length > 0 ? { ...rest, managers } : rest;
  await writeMeta(store, KEY, written);
  return written;
}
