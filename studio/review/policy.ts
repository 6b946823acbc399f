import { type ReviewPolicy, reviewPolicySchema } from '../../schemas/review.ts';
import type { Db } from '../annotate/log.ts';

/** The rules of the data set, in the workspace's database. */
const KEY = 'review-policy';

export async function readPolicy(db: Db): Promise<ReviewPolicy> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst();
  return reviewPolicySchema.parse(row ? JSON.parse(row.value) : {});
}

/** Recordings that were begun keep what was decided for them (RV4). */
export async function writePolicy(db: Db, policy: ReviewPolicy): Promise<ReviewPolicy> {
  const value = JSON.stringify(policy);
  await db
    .insertInto('meta')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
  return policy;
}
