import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Store, sqlOf } from './store.ts';

/**
 * Marks that only this workspace can make: by a key in its database, which no archive and no recording takes along. So what
 * comes from elsewhere cannot say that it was made here.
 */

const KEY = 'mark-key';

/** The mark of `about` here. */
export const ownMark = async (store: Store, about: string): Promise<string> => markBy(await keyOf(store), about);

const markBy = (key: string, about: string): string => createHmac('sha256', key).update(about).digest('hex');

export async function isOwnMark(store: Store, about: string, mark: string | undefined): Promise<boolean> {
  // Where nothing was marked yet there is no key, and looking makes none.
  const key = mark === undefined ? null : await storedKey(store);
  if (mark === undefined || key === null) return false;
  const [own, given] = [Buffer.from(markBy(key, about)), Buffer.from(mark)];
  return own.length === given.length && timingSafeEqual(own, given);
}

async function keyOf(store: Store): Promise<string> {
  const known = await storedKey(store);
  if (known !== null) return known;
  // Of two that make one at once the first counts.
  await sqlOf(store)
    .insertInto('meta')
    .values({ key: KEY, value: JSON.stringify(randomBytes(32).toString('hex')) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await storedKey(store)) ?? keyOf(store);
}

async function storedKey(store: Store): Promise<string | null> {
  const row = await sqlOf(store).selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst();
  const value: unknown = row && JSON.parse(row.value);
  return typeof value === 'string' ? value : null;
}
