import { randomUUID } from 'node:crypto';
import { type Store, sqlOf } from './store.ts';

/** An export that was made from a workspace. `folder` is absolute; it may be outside of the workspace. */
export type ExportNote = { format: string; folder: string; filters: object; counts: Record<string, number> };

/** Notes what was exported where, so that one can see it later. Gives the note's id. */
export async function noteExport(store: Store, { format, folder, filters, counts }: ExportNote): Promise<string> {
  const id = randomUUID();
  const row = { id, format, folder, filters: JSON.stringify(filters), counts: JSON.stringify(counts) };
  await sqlOf(store)
    .insertInto('exports')
    .values({ ...row, created_by: null, created_at: new Date().toISOString() })
    .execute();
  return id;
}

/** The noted exports, the newest first. */
export const notedExports = (store: Store) =>
  sqlOf(store).selectFrom('exports').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();

/** Notes what was found when an export was read back. */
export async function noteValidation(store: Store, id: string, validation: object): Promise<void> {
  const text = JSON.stringify(validation);
  await sqlOf(store).updateTable('exports').set({ validation: text }).where('id', '=', id).execute();
}
