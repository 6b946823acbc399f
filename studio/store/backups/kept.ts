import type { Backup } from '../../../schemas/backup.ts';
import { StudioError, whyNot } from '../../../schemas/errors.ts';
import type { Blobs } from '../../files/blobs/blobs.ts';
import { hashOfPieces } from '../../files/hash.ts';
import {
  backupIds,
  eachKey,
  fileKey,
  KEPT_FILES,
  openBackups,
  readBackup,
  removeBackup,
  whileWorking,
} from './place.ts';

export type KeptBackup = Pick<Backup, 'id' | 'at' | 'workspace' | 'tool'> & {
  files: number;
  bytes: number;
  leftOut: number;
};

type Unreadable = { id: string; why: string };
export type KeptBackups = { place: string; backups: KeptBackup[]; unreadable: Unreadable[] };

/** All backups of a place, the oldest first. Throws as openBackups. */
export async function listBackups(address: string): Promise<KeptBackups> {
  const blobs = await openBackups(address);
  const backups: KeptBackup[] = [];
  const { unreadable } = await eachBackup(blobs, ({ id, at, workspace, tool, files, database, leftOut }) => {
    const bytes = files.reduce((sum, file) => sum + file.bytes, database.bytes);
    backups.push({ id, at, workspace, tool, files: files.length + 1, bytes, leftOut: leftOut.length });
  });
  return { place: blobs.place, backups, unreadable };
}

async function eachBackup(blobs: Blobs, take: (backup: Backup) => void): Promise<{ unreadable: Unreadable[] }> {
  const unreadable: Unreadable[] = [];
  for (const id of await backupIds(blobs)) {
    try {
      take(await readBackup(blobs, id));
    } catch (error) {
      if (!(error instanceof StudioError) || (error.code !== 'BAD_FILE' && error.code !== 'FUTURE_VERSION'))
        throw error;
      unreadable.push({ id, why: error.code === 'FUTURE_VERSION' ? error.message : whyNot(error) });
    }
  }
  return { unreadable };
}

type Damage = { sha256: string; why: string; path: string; backups: string[] };
export type CheckedBackups = {
  place: string;
  backups: number;
  files: number;
  bytes: number;
  unreadable: Unreadable[];
  damaged: Damage[];
};

type Watching = { signal: AbortSignal; report(share: number, message: string): void };

/** Reads every file that a backup of the place names, and compares it with its hash. Throws as openBackups, CANCELLED. */
export async function checkBackups(address: string, { signal, report }: Watching): Promise<CheckedBackups> {
  const blobs = await openBackups(address);
  const users = new Map<string, { path: string; bytes: number; backups: string[] }>();
  let backups = 0;
  const { unreadable } = await eachBackup(blobs, ({ id, files, database }) => {
    backups += 1;
    for (const { path, sha256, bytes } of [{ path: 'studio.sqlite', ...database }, ...files]) {
      const known = users.get(sha256) ?? { path, bytes, backups: [] };
      if (known.backups.at(-1) !== id) known.backups.push(id);
      users.set(sha256, known);
    }
  });
  const damaged: Damage[] = [];
  let [read, done] = [0, 0];
  for (const [sha256, { path, bytes, backups: of }] of users) {
    const why = await faultOf(blobs, sha256, bytes, signal);
    if (why !== null) damaged.push({ sha256, why, path, backups: of });
    else read += bytes;
    done += 1;
    report(done / users.size, 'reading files');
  }
  return { place: blobs.place, backups, files: users.size, bytes: read, unreadable, damaged };
}

async function faultOf(blobs: Blobs, sha256: string, bytes: number, signal: AbortSignal): Promise<string | null> {
  let found: string;
  try {
    const stat = await blobs.stat(fileKey(sha256), signal);
    if (stat === null) return 'it is missing';
    if (stat.size !== bytes) return `it has ${stat.size} bytes in place of ${bytes}`;
    found = await hashOfPieces(blobs.range(fileKey(sha256), { signal }), signal);
  } catch (error) {
    if (error instanceof StudioError && error.code === 'BAD_FILE') return whyNot(error);
    throw error;
  }
  return found === sha256 ? null : 'its bytes are others than were backed up';
}

export type ClearedBackups = { place: string; removed: string[]; left: string[]; files: number };

/**
 * Removes all backups but the newest `keep` of each workspace, and then the files that no list names. Where a list cannot be read,
 * no file is removed: it may name any. Throws CONFLICT while a backup is made there, BAD_FILE.
 */
export async function clearBackups(
  address: string,
  keep: number,
  { signal, report }: Watching,
): Promise<ClearedBackups> {
  const blobs = await openBackups(address);
  return whileWorking(blobs, 'clearing', async () => {
    const byWorkspace = new Map<string, string[]>();
    const { unreadable } = await eachBackup(blobs, ({ id, workspace }) => {
      byWorkspace.set(workspace, [...(byWorkspace.get(workspace) ?? []), id]);
    });
    const [bad] = unreadable;
    if (bad) {
      const message = `The backup ${bad.id} in ${blobs.place} cannot be read (${bad.why}), so that it is not known which files it needs. Nothing was removed. Bring its list back, or remove backups/${bad.id}.json.`;
      throw new StudioError('BAD_FILE', message, { place: blobs.place, id: bad.id });
    }
    const removed = [...byWorkspace.values()].flatMap((ids) => ids.slice(0, -keep)).sort();
    for (const id of removed) await removeBackup(blobs, id);
    const needed = new Set<string>();
    const left: string[] = [];
    await eachBackup(blobs, ({ id, files, database }) => {
      left.push(id);
      needed.add(fileKey(database.sha256));
      for (const { sha256 } of files) needed.add(fileKey(sha256));
    });
    let files = 0;
    for await (const key of eachKey(blobs, KEPT_FILES, signal)) {
      signal.throwIfAborted();
      if (needed.has(key)) continue;
      await blobs.remove(key);
      files += 1;
      report(0.5, 'removing files');
    }
    return { place: blobs.place, removed, left, files };
  });
}
