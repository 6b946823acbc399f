import { type Store, type StoreTransaction, sqlOf } from './store.ts';
import type { FileHashesTable, ScreenHashesTable } from './tables.ts';

/** Hashes of recordings' files and screens, kept so that nothing is hashed twice. */

export async function findFileHash(store: Store, recording: string, path: string): Promise<FileHashesTable | null> {
  const hashes = sqlOf(store).selectFrom('file_hashes').selectAll().where('recording_id', '=', recording);
  return (await hashes.where('path', '=', path).executeTakeFirst()) ?? null;
}

export function listFileHashes(store: Store, recording: string): Promise<FileHashesTable[]> {
  const hashes = sqlOf(store).selectFrom('file_hashes').selectAll().where('recording_id', '=', recording);
  return hashes.orderBy('path').execute();
}

export function keepFileHashes(store: Store, rows: readonly FileHashesTable[]): Promise<void> {
  return inPieces(store, rows, (trx, piece) =>
    sqlOf(trx)
      .insertInto('file_hashes')
      .values(piece)
      .onConflict((conflict) =>
        conflict.columns(['recording_id', 'path']).doUpdateSet(({ ref }) => ({
          stamp: ref('excluded.stamp'),
          bytes: ref('excluded.bytes'),
          sha256: ref('excluded.sha256'),
        })),
      )
      .execute(),
  );
}

export function listScreenHashes(store: Store, recording: string): Promise<ScreenHashesTable[]> {
  const hashes = sqlOf(store).selectFrom('screen_hashes').selectAll().where('recording_id', '=', recording);
  return hashes.orderBy('file').execute();
}

export function keepScreenHashes(store: Store, rows: readonly ScreenHashesTable[]): Promise<void> {
  return inPieces(store, rows, (trx, piece) =>
    sqlOf(trx)
      .insertInto('screen_hashes')
      .values(piece)
      .onConflict((conflict) =>
        conflict.columns(['recording_id', 'file']).doUpdateSet(({ ref }) => ({
          stamp: ref('excluded.stamp'),
          hash: ref('excluded.hash'),
          pixels: ref('excluded.pixels'),
        })),
      )
      .execute(),
  );
}

/** Rows of one statement: five parameters each, below every database's limit. */
const ROWS = 1000;

/** All rows or none. */
async function inPieces<Row>(
  store: Store,
  rows: readonly Row[],
  keep: (trx: StoreTransaction, piece: Row[]) => Promise<unknown>,
): Promise<void> {
  if (rows.length === 0) return;
  await store.transaction(async (trx) => {
    for (let at = 0; at < rows.length; at += ROWS) await keep(trx, rows.slice(at, at + ROWS));
  });
}
