import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

/**
 * `version-<n>.sql`: a database as version n left it; what several versions have alike is in `also-<first>-to-<last>.sql`.
 * Never edited: what people have on their disks is not either.
 */

const FOLDER = import.meta.dirname;
const FILES = readdirSync(FOLDER);

/** The versions that one was kept of, the oldest first. */
export const goldenVersions = FILES.flatMap((name) => /^version-(\d+)\.sql$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b);

/** Writes the database of a version into a new file. */
export function writeGolden(version: number, file: string): void {
  const also = FILES.filter((name) => {
    const [, first, last] = /^also-(\d+)-to-(\d+)\.sql$/.exec(name) ?? [];
    return Number(first) <= version && version <= Number(last);
  });
  const sqlite = new Sqlite(file);
  sqlite.pragma('foreign_keys = off');
  for (const name of [`version-${version}.sql`, ...also]) sqlite.exec(readFileSync(join(FOLDER, name), 'utf8'));
  sqlite.close();
}
