import type { Transaction } from 'kysely';
import type { FileHashesTable, ScreenHashesTable, Tables } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Hashes of recordings' files and screens, kept so that nothing is hashed twice. */

type Db = Workspace['db'];

export async function findFileHash(db: Db, recording: string, path: string): Promise<FileHashesTable | null> {
  const hashes = db.selectFrom('file_hashes').selectAll().where('recording_id', '=', recording);
  return (await hashes.where('path', '=', path).executeTakeFirst()) ?? null;
}

export function listFileHashes(db: Db, recording: string): Promise<FileHashesTable[]> {
  return db.selectFrom('file_hashes').selectAll().where('recording_id', '=', recording).execute();
}

export function keepFileHashes(db: Db, rows: readonly FileHashesTable[]): Promise<void> {
  return inPieces(db, rows, (trx, piece) =>
    trx
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

export function listScreenHashes(db: Db, recording: string): Promise<ScreenHashesTable[]> {
  return db.selectFrom('screen_hashes').selectAll().where('recording_id', '=', recording).execute();
}

export function keepScreenHashes(db: Db, rows: readonly ScreenHashesTable[]): Promise<void> {
  return inPieces(db, rows, (trx, piece) =>
    trx
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
  db: Db,
  rows: readonly Row[],
  keep: (trx: Transaction<Tables>, piece: Row[]) => Promise<unknown>,
): Promise<void> {
  if (rows.length === 0) return;
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < rows.length; at += ROWS) await keep(trx, rows.slice(at, at + ROWS));
  });
}
