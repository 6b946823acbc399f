import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Small settings of a workspace by their key, each as JSON. */

type Db = Kysely<Tables> | Transaction<Tables>;

/** An empty object where nothing was stored. */
export async function readMeta(db: Db, key: string): Promise<unknown> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row ? JSON.parse(row.value) : {};
}

export async function writeMeta(db: Db, key: string, content: unknown): Promise<void> {
  const value = JSON.stringify(content);
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
