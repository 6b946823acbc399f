import { type Store, sqlOf } from './store.ts';

/** Small settings of a workspace by their key, each as JSON. */

/** An empty object where nothing was stored. */
export async function readMeta(store: Store, key: string): Promise<unknown> {
  const row = await sqlOf(store).selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row ? JSON.parse(row.value) : {};
}

export async function writeMeta(store: Store, key: string, content: unknown): Promise<void> {
  const value = JSON.stringify(content);
  await sqlOf(store)
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
