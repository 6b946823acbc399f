import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Backup } from '../../../schemas/backup.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { flushTree } from '../../files/atomic.ts';
import type { Blobs } from '../../files/blobs/blobs.ts';
import { withFolderLock } from '../../files/folder-lock.ts';
import { hashOfPieces } from '../../files/hash.ts';
import { partsInside } from '../../files/names.ts';
import { checkCopy, openEmpty } from '../copy-database.ts';
import { DATABASE_FILE } from '../workspace-file.ts';
import { backupIds, fileKey, openBackups, readBackup } from './place.ts';

type RestoreOptions = {
  /** Which backup; null: the newest. */
  id: string | null;
  /** An empty database of PostgreSQL (`postgres://…`) that is to hold the workspace's; without one it stays in the folder. */
  database?: string | null;
  signal: AbortSignal;
  report(share: number, message: string): void;
};

export type Restored = Pick<Backup, 'id' | 'at'> & {
  dir: string;
  files: number;
  bytes: number;
  /** Bytes that an earlier, interrupted call had brought. */
  kept: number;
  /** Where its database is, without user and password; null: in the folder. */
  database: string | null;
};

type Wanted = { path: string; sha256: string; bytes: number; changed: number | null };

/**
 * Makes a workspace of a backup. Every file is compared with its hash; the folder gets its name when all are there and on the
 * disk. Interrupted, it goes on where it stopped when it is called again. Throws TARGET_EXISTS, UNKNOWN_FILE, FUTURE_VERSION,
 * BAD_FILE (with the file that is missing or damaged), DISK_FULL, CANCELLED; TARGET_EXISTS also for a database that is not empty, and
 * what openServer throws.
 */
export async function restoreBackup(address: string, dir: string, options: RestoreOptions): Promise<Restored> {
  const target = resolve(dir);
  const blobs = await openBackups(address);
  const id = options.id ?? (await backupIds(blobs)).at(-1);
  if (id === undefined) {
    throw new StudioError('UNKNOWN_FILE', `${blobs.place} has no backup that was finished. Make one first.`, {
      place: blobs.place,
    });
  }
  const backup = await readBackup(blobs, id);
  refuseOccupied(target);
  await mkdir(dirname(target), { recursive: true });
  // Two that restore into the same folder would write and remove each other's files.
  return withFolderLock(dirname(target), `restore-${basename(target)}`, () => bring(blobs, backup, target, options), {
    signal: options.signal,
    onWait: () => options.report(0, 'waiting for another restore into this folder'),
  });
}

/** A folder that is there must be empty. */
function refuseOccupied(target: string): void {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isDirectory() && readdirSync(target).length === 0)) return;
  const message = `${target} is there already. A workspace is restored into a folder of its own: name one that is not there.`;
  throw new StudioError('TARGET_EXISTS', message, { dir: target });
}

async function bring(
  blobs: Blobs,
  backup: Backup,
  target: string,
  { database: address = null, signal, report }: RestoreOptions,
): Promise<Restored> {
  refuseOccupied(target);
  const folder = join(dirname(target), `.${basename(target)}.restoring-${backup.id}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { database } = backup;
  // Before a terabyte is brought for a database that cannot take it.
  const elsewhere = address === null ? null : await openEmpty(folder, address);
  try {
    // Last: without it no program takes the folder for a workspace.
    const last: Wanted = { path: DATABASE_FILE, ...database, changed: null };
    const wanted: Wanted[] = elsewhere?.isFilled ? backup.files : [...backup.files, last];
    const bytes = wanted.reduce((sum, file) => sum + file.bytes, 0);
    let [done, kept] = [0, 0];
    for (const file of wanted) {
      signal.throwIfAborted();
      if (await bringFile(blobs, folder, file, signal)) kept += file.bytes;
      done += file.bytes;
      report(bytes === 0 ? 1 : done / bytes, 'bringing files');
    }
    if (!elsewhere?.isFilled) checkCopy(join(folder, DATABASE_FILE));
    if (elsewhere && !elsewhere.isFilled) {
      report(1, 'filling the database');
      await elsewhere.fill();
    }
    if (elsewhere) removeDatabaseFiles(folder);
    await flushTree(folder);
    // Somebody may have put something there meanwhile.
    refuseOccupied(target);
    if (existsSync(target)) rmdirSync(target);
    renameSync(folder, target);
    const files = backup.files.length + 1;
    return { id: backup.id, at: backup.at, dir: target, files, bytes, kept, database: elsewhere?.where ?? null };
  } finally {
    await elsewhere?.close();
  }
}

/** The file that brought the rows is no part of the workspace any more, nor is the one that a migration left beside it. */
function removeDatabaseFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(DATABASE_FILE)) rmSync(join(folder, name), { force: true });
  }
}

/** True where it was there already, as it should be. */
async function bringFile(blobs: Blobs, folder: string, file: Wanted, signal: AbortSignal): Promise<boolean> {
  const path = join(folder, ...partsInside(file.path));
  if (await isThere(path, file, signal)) return true;
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.part`;
  const hash = createHash('sha256');
  let size = 0;
  const handle = await open(part, 'w', 0o600);
  try {
    for await (const piece of blobs.range(fileKey(file.sha256), { signal })) {
      size += piece.length;
      // Not more than was promised, whatever the place sends.
      if (size > file.bytes) break;
      hash.update(piece);
      await handle.writeFile(piece);
    }
  } catch (error) {
    throw error instanceof StudioError && error.details.missing ? damagedFile(blobs, file, 'it is missing') : error;
  } finally {
    await handle.close();
  }
  if (size !== file.bytes || hash.digest('hex') !== file.sha256) {
    await rm(part, { force: true });
    throw damagedFile(blobs, file, 'it is not what was backed up');
  }
  if (file.changed !== null) await utimes(part, new Date(file.changed), new Date(file.changed));
  await rename(part, path);
  return false;
}

async function isThere(path: string, file: Wanted, signal: AbortSignal): Promise<boolean> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size !== file.bytes) return false;
  return (await hashOfPieces(createReadStream(path, { highWaterMark: 1 << 20 }), signal)) === file.sha256;
}

function damagedFile(blobs: Blobs, { path, sha256 }: Wanted, why: string): StudioError {
  const file = `${blobs.place}/${fileKey(sha256)}`;
  const message = `${file} is damaged (${why}); it is ${path} of the workspace. \`backups PLACE --check\` says which backups it is part of. Take another one (--backup ID), or bring the file back from a copy.`;
  return new StudioError('BAD_FILE', message, { file, path, why });
}
