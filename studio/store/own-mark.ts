import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Workspace } from './workspace.ts';

/**
 * Marks that only this workspace can make: by a key in its database, which no archive and no recording takes along. So what
 * comes from elsewhere cannot say that it was made here.
 */

type Db = Workspace['db'];

const KEY = 'mark-key';

/** The mark of `about` here. */
export const ownMark = async (db: Db, about: string): Promise<string> => markBy(await keyOf(db), about);

const markBy = (key: string, about: string): string => createHmac('sha256', key).update(about).digest('hex');

export async function isOwnMark(db: Db, about: string, mark: string | undefined): Promise<boolean> {
  // Where nothing was marked yet there is no key, and looking makes none.
  const key = mark === undefined ? null : await storedKey(db);
  if (mark === undefined || key === null) return false;
  const [own, given] = [Buffer.from(markBy(key, about)), Buffer.from(mark)];
  return own.length === given.length && timingSafeEqual(own, given);
}

async function keyOf(db: Db): Promise<string> {
  const known = await storedKey(db);
  if (known !== null) return known;
  // Of two that make one at once the first counts.
  await db
    .insertInto('meta')
    .values({ key: KEY, value: JSON.stringify(randomBytes(32).toString('hex')) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await storedKey(db)) ?? keyOf(db);
}

async function storedKey(db: Db): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', KEY).executeTakeFirst();
  const value: unknown = row && JSON.parse(row.value);
  return typeof value === 'string' ? value : null;
}
