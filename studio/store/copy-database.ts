import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { newerVersion } from '../files/versioned.ts';
import { checkHeader, databaseVersion, openDatabase } from './database.ts';
import { BUSY_MS, damaged, translate } from './errors.ts';
import { recorderPid } from './lock.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { elsewhereId, elsewhereOf, writeElsewhere } from './place.ts';
import { refusePrograms } from './schema-check.ts';
import { DATABASE_FILE, isElsewhere } from './workspace-file.ts';

type Copied = { version: number; isRecording: boolean };

/**
 * Writes the database of the workspace in `dir`, wherever it is, as it is at one moment into a new file of SQLite, while other
 * programs go on writing. Throws as copyFile and copyFromPostgres.
 */
export async function copyDatabase(dir: string, to: string): Promise<Copied> {
  if (!isElsewhere(dir)) return copyFile(dir, to);
  const { id, address } = elsewhereOf(dir);
  const { openServer } = await import('./postgres/server.ts');
  const { copyFromPostgres } = await import('./postgres/rows.ts');
  const server = await openServer(address);
  try {
    const version = await copyFromPostgres(server, id, to);
    checkCopy(to);
    return { version, isRecording: false };
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  } finally {
    await server.close();
  }
}

/**
 * Writes the database of the workspace in `dir` as it is at one moment into a new file, while other programs go on writing. Nothing
 * in the workspace is changed, also not the version of its database. Gives that version, and whether a recording runs.
 * Throws WORKSPACE_DAMAGED, FUTURE_VERSION, DISK_FULL, DISK_FAILED.
 */
function copyFile(dir: string, to: string): Copied {
  const file = join(dir, DATABASE_FILE);
  checkHeader(file);
  return translate(file, () => {
    const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
    try {
      refusePrograms(file, sqlite);
      const newest = MIGRATIONS.at(-1)?.version ?? 0;
      const found = databaseVersion(sqlite);
      if (found > newest) throw newerVersion(file, found, newest, 'Nothing was backed up.');
      sqlite.prepare('vacuum into ?').run(to);
      const version = checkCopy(to);
      return { version, isRecording: recorderPid(sqlite) !== null };
    } catch (error) {
      rmSync(to, { force: true });
      throw error;
    } finally {
      sqlite.close();
    }
  });
}

/** Reads a copy of a database back, and gives its version. Throws WORKSPACE_DAMAGED. */
export function checkCopy(file: string): number {
  checkHeader(file);
  return translate(file, () => {
    const sqlite = new Sqlite(file, { readonly: true, fileMustExist: true });
    try {
      refusePrograms(file, sqlite);
      const found: unknown = sqlite.pragma('quick_check(1)', { simple: true });
      if (found !== 'ok') throw damaged(file, String(found));
      return databaseVersion(sqlite);
    } finally {
      sqlite.close();
    }
  });
}

/**
 * The database of PostgreSQL that is to hold the restored one: empty, or filled for this very folder by a call that was interrupted
 * after it. Throws TARGET_EXISTS.
 */
export async function openEmpty(folder: string, address: string) {
  const { openServer } = await import('./postgres/server.ts');
  const { copyToPostgres, holdsCopy } = await import('./postgres/rows.ts');
  const server = await openServer(address);
  try {
    const isFilled = await holdsCopy(server, elsewhereId(folder));
    return {
      where: server.where,
      isFilled,
      /** Its note is in the folder first: whoever finds the database filled knows for which folder. */
      async fill(): Promise<void> {
        const file = join(folder, DATABASE_FILE);
        // It may be of an older version: both sides get their tables by the newest migrations.
        openDatabase(file).close();
        const id = randomUUID();
        writeElsewhere(folder, id, server.where);
        await copyToPostgres(file, server, id);
      },
      close: () => server.close(),
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
