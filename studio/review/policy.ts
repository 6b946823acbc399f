import { type ReviewPolicy, reviewPolicySchema } from '../../schemas/review.ts';
import type { Db } from '../documents/log.ts';
import { readMeta, writeMeta } from '../store/meta.ts';

/** The rules of the data set, in the workspace's database. */
const KEY = 'review-policy';

export async function readPolicy(db: Db): Promise<ReviewPolicy> {
  return reviewPolicySchema.parse(await readMeta(db, KEY));
}

/** Recordings that were begun keep what was decided for them (RV4). */
export async function writePolicy(db: Db, policy: ReviewPolicy): Promise<ReviewPolicy> {
  await writeMeta(db, KEY, policy);
  return policy;
}
