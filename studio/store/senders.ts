import { listMeta, readMeta, writeMeta } from './meta.ts';
import type { Store } from './store.ts';

/** Which member of a team sent a recording here; recordings that came otherwise have no such note. */

const SENT_BY = 'sent-by:';

/** The first who sent a recording stays its sender, whoever sends it again. */
export async function noteSender(store: Store, recordings: readonly string[], member: string): Promise<void> {
  for (const id of recordings) {
    if (memberIn(await readMeta(store, SENT_BY + id)) === null) await writeMeta(store, SENT_BY + id, { member });
  }
}

function memberIn(value: unknown): string | null {
  const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'member') : null;
  return typeof member === 'string' ? member : null;
}

/** The ids of what a member sent, also of recordings that are gone by now. */
export async function sentBy(store: Store, member: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [id, value] of await listMeta(store, SENT_BY)) {
    if (memberIn(value) === member) found.add(id);
  }
  return found;
}
