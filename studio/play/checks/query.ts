import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { readBoundedIn } from '../../files/bounded.ts';
import { hasFile } from '../../files/inside.ts';

/** The largest database that is looked at, bytes. */
const MOST_BYTES = 256_000_000;

/**
 * The first column of the first row of a query; undefined where there is none. The file is copied with what its program has
 * written beside it (-wal) and opened for reading alone, so that nothing of it changes; triggers have no part in reading,
 * views may call nothing but harmless functions. Throws an Error whose message is a part of a sentence. It takes as long as
 * the query does: whoever calls it can be ended.
 */
export function queryFile(home: string, path: string, query: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'trajectory-studio-check-'));
  try {
    const file = join(folder, 'copy.sqlite');
    writeFileSync(file, readBoundedIn(home, path, MOST_BYTES), { mode: 0o600 });
    if (hasFile(home, `${path}-wal`))
      writeFileSync(`${file}-wal`, readBoundedIn(home, `${path}-wal`, MOST_BYTES), { mode: 0o600 });
    const database = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      database.pragma('trusted_schema = OFF');
      database.pragma('cell_size_check = ON');
      const statement = database.prepare(query);
      if (!statement.readonly || !statement.reader) throw new Error('the query does more than read');
      const row: unknown = statement.raw().get();
      return Array.isArray(row) ? row[0] : undefined;
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
