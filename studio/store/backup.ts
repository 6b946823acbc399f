import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { flushFolder } from '../files/atomic.ts';
import { damaged } from './errors.ts';

type VersionOf = (sqlite: Sqlite.Database) => number;

/**
 * A whole copy beside the database (`<file>.version-<n>.backup`) before it is changed. It gets its name when it is on the
 * disk and was read back, so that a kill or a power cut leaves a temporary file at most. A whole copy of the same version that
 * is there stays; an empty or torn one, which an older program may have left, is made anew.
 */
export function backUp(file: string, sqlite: Sqlite.Database, version: number, versionOf: VersionOf): void {
  const copy = `${file}.version-${version}.backup`;
  removeLeftovers(copy);
  if (isWhole(copy, version, versionOf)) return;
  const temporary = `${copy}.new-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    sqlite.prepare('vacuum into ?').run(temporary);
    flushFile(temporary);
    if (!isWhole(temporary, version, versionOf)) throw damaged(file, 'a backup of it could not be read back');
    renameSync(temporary, copy);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolder(dirname(copy));
}

function isWhole(copy: string, version: number, versionOf: VersionOf): boolean {
  if (!existsSync(copy) || statSync(copy).size === 0) return false;
  let sqlite: Sqlite.Database | null = null;
  try {
    sqlite = new Sqlite(copy, { readonly: true, fileMustExist: true });
    return sqlite.pragma('quick_check(1)', { simple: true }) === 'ok' && versionOf(sqlite) === version;
  } catch {
    return false;
  } finally {
    sqlite?.close();
  }
}

/** Removes the unfinished backups of programs that were killed meanwhile. */
function removeLeftovers(copy: string): void {
  const prefix = `${basename(copy)}.new-`;
  for (const name of readdirSync(dirname(copy))) {
    if (!name.startsWith(prefix) || runs(Number.parseInt(name.slice(prefix.length), 10))) continue;
    rmSync(join(dirname(copy), name), { force: true });
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function flushFile(path: string): void {
  const handle = openSync(path, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
