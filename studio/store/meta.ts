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

/** All settings whose key begins so, by the rest of their keys. */
export async function listMeta(store: Store, beginning: string): Promise<Map<string, unknown>> {
  const rows = await sqlOf(store)
    .selectFrom('meta')
    .selectAll()
    .where('key', '>=', beginning)
    // Keys are ASCII, so this is behind every one that begins so.
    .where('key', '<', `${beginning}\u{7f}`)
    .execute();
  return new Map(rows.map(({ key, value }) => [key.slice(beginning.length), JSON.parse(value) as unknown]));
}

export async function dropMeta(store: Store, key: string): Promise<void> {
  await sqlOf(store).deleteFrom('meta').where('key', '=', key).execute();
}
