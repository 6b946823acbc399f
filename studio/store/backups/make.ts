import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { append } from '../../../core/lists.ts';
import { BACKUP_SCHEMA, BACKUP_VERSION, type BackedUpFile, type Backup } from '../../../schemas/backup.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { FarFile } from '../../../schemas/kept-files.ts';
import { isTemporary } from '../../files/atomic.ts';
import type { Blobs } from '../../files/blobs/blobs.ts';
import { isS3 } from '../../files/blobs/open.ts';
import { hashOfPieces } from '../../files/hash.ts';
import { hasFile, openHandleIn } from '../../files/inside.ts';
import { wholeBytes } from '../../files/kept/bytes.ts';
import { KEPT_LIST, keptList } from '../../files/kept/list.ts';
import { copyDatabase } from '../copy-database.ts';
import { readRecording } from '../recording-folder.ts';
import { DATABASE_FILE, ELSEWHERE_FILE, isWorkspace } from '../workspace-file.ts';
import {
  backupIds,
  eachKey,
  fileKey,
  KEPT_FILES,
  newBackupId,
  openOrMakeBackups,
  readBackup,
  whileWorking,
  writeBackup,
} from './place.ts';

type BackupOptions = {
  /** This program's version. */
  tool: string;
  /** Reads every file again, also those that have not changed since the last backup. */
  readAll?: boolean;
  now: Date;
  signal: AbortSignal;
  report(share: number, message: string): void;
};

export type MadeBackup = Pick<Backup, 'id' | 'at' | 'leftOut'> & {
  place: string;
  files: number;
  /** Of all its files, and of those that the place did not have. */
  bytes: number;
  newBytes: number;
};

/** Files on their way at once: a bucket answers slowly, and a disk flushes several together. */
const AT_ONCE = 4;

/**
 * Copies a workspace into a place with backups, while others go on working in it: the database as it is at one moment, then every
 * file. What is there by its hash is not written again, and the list is written last, so that a backup is whole or not there.
 * Throws NOT_A_WORKSPACE, USAGE, TARGET_EXISTS, CONFLICT, what copyDatabase throws, DISK_FULL, CANCELLED.
 */
export async function makeBackup(dir: string, address: string, options: BackupOptions): Promise<MadeBackup> {
  const root = resolve(dir);
  if (!isWorkspace(root)) {
    const message = `${root} is no workspace: it has no ${DATABASE_FILE}. Check the path.`;
    throw new StudioError('NOT_A_WORKSPACE', message, { dir: root });
  }
  const inside = isS3(address) ? null : relative(root, resolve(address));
  if (inside !== null && !inside.startsWith('..') && !isAbsolute(inside)) {
    const message = `${resolve(address)} is inside the workspace, and would be lost with it. Choose another disk or a bucket.`;
    throw new StudioError('USAGE', message, { place: address });
  }
  const blobs = await openOrMakeBackups(address);
  return whileWorking(blobs, 'backup', () => fill(root, blobs, options));
}

async function fill(root: string, blobs: Blobs, options: BackupOptions): Promise<MadeBackup> {
  const { signal, report, tool, now } = options;
  report(0, 'reading the database');
  const there = new Set<string>();
  for await (const key of eachKey(blobs, KEPT_FILES, signal)) there.add(key);
  const known = options.readAll ? new Map<string, BackedUpFile>() : await filesOfLast(blobs, basename(root));
  let newBytes = 0;
  const keep = async (file: Opened): Promise<{ sha256: string; bytes: number }> => {
    const sha256 = await hashOfPieces(file.pieces(), signal);
    const key = fileKey(sha256);
    if (there.has(key)) return { sha256, bytes: file.bytes };
    await blobs.put(key, checked(file, sha256, signal), signal);
    there.add(key);
    newBytes += file.bytes;
    return { sha256, bytes: file.bytes };
  };
  const { database, isRecording } = await keepDatabase(root, keep);
  const { paths, leftOut, far } = await listWorkspace(root, isRecording);
  const files: BackedUpFile[] = [];
  let done = 0;
  const one = async (path: string): Promise<void> => {
    const before = known.get(path);
    const stats = await lstat(join(root, path), { bigint: true }).catch(() => null);
    const mark = stats === null ? null : `${stats.size}-${stats.mtimeNs}-${stats.ctimeNs}-${stats.ino}`;
    const changed = Number(stats?.mtimeMs ?? 0);
    if (before && before.mark === mark && there.has(fileKey(before.sha256))) {
      files.push({ ...before, changed });
      return;
    }
    try {
      if (mark !== null) files.push({ path, ...(await keepFile(root, path, keep)), changed, mark });
      else leftOut.push({ path, why: 'it was removed meanwhile' });
    } catch (error) {
      const why = whyNotKept(error);
      if (why === null) throw error;
      leftOut.push({ path, why });
    }
  };
  for (const { path, folder, file } of far) {
    const { sha256, bytes } = file;
    try {
      if (!there.has(fileKey(sha256))) {
        await blobs.put(fileKey(sha256), wholeBytes(folder, file.path, signal), signal);
        there.add(fileKey(sha256));
        newBytes += bytes;
      }
      files.push({ path, sha256, bytes, changed: Date.parse(file.at), mark: `kept ${sha256}` });
    } catch (error) {
      const why = whyNotKept(error);
      if (why === null) throw error;
      leftOut.push({ path, why });
    }
  }
  const queue = paths.values();
  const lane = async (): Promise<void> => {
    for (const path of queue) {
      signal.throwIfAborted();
      await one(path);
      done += 1;
      report(done / paths.length, 'copying files');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  leftOut.sort((a, b) => (a.path < b.path ? -1 : 1));
  const [id, at] = [newBackupId(now), now.toISOString()];
  const head = { schema: BACKUP_SCHEMA, version: BACKUP_VERSION, id, at, tool, workspace: basename(root) } as const;
  await writeBackup(blobs, { ...head, database, files, leftOut });
  const bytes = files.reduce((sum, file) => sum + file.bytes, database.bytes);
  return { id, at, leftOut, place: blobs.place, files: files.length + 1, bytes, newBytes };
}

/** The files, by their paths, of the last backup of a workspace of this name that can be read. */
async function filesOfLast(blobs: Blobs, workspace: string): Promise<Map<string, BackedUpFile>> {
  for (const id of (await backupIds(blobs)).reverse()) {
    const backup = await readBackup(blobs, id).catch(() => null);
    if (backup?.workspace === workspace) return new Map(backup.files.map((file) => [file.path, file]));
  }
  return new Map();
}

type Opened = { name: string; bytes: number; pieces(): AsyncIterable<Uint8Array> };
type Keep = (file: Opened) => Promise<{ sha256: string; bytes: number }>;

async function keepDatabase(root: string, keep: Keep): Promise<{ database: Backup['database']; isRecording: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-backup-'));
  try {
    const copy = join(folder, DATABASE_FILE);
    const { version, isRecording } = await copyDatabase(root, copy);
    const { size } = await lstat(copy);
    const kept = await keep({ name: DATABASE_FILE, bytes: size, pieces: () => createReadStream(copy) });
    return { database: { ...kept, schema: version }, isRecording };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file is read as far as it reached when it was opened: the end of one that grows comes with the next backup. */
async function keepFile(root: string, path: string, keep: Keep): Promise<{ sha256: string; bytes: number }> {
  const handle = await openHandleIn(root, path);
  try {
    const { size } = await handle.stat();
    const pieces = (): AsyncIterable<Uint8Array> =>
      size === 0
        ? empty()
        : handle.createReadStream({ start: 0, end: size - 1, autoClose: false, highWaterMark: 1 << 20 });
    return await keep({ name: path, bytes: size, pieces });
  } finally {
    await handle.close();
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}

const CHANGED = 'it changed while it was read';

/** The bytes again, as long as they are those that were hashed. Throws at their end otherwise, and nothing is kept of them. */
async function* checked(file: Opened, sha256: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of file.pieces()) {
    signal.throwIfAborted();
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') === sha256) return;
  throw new StudioError('BAD_FILE', `${file.name} changed while it was copied.`, { file: file.name, why: CHANGED });
}

/** Why a single file is not in the backup, which is made without it; null for what ends the backup. */
function whyNotKept(error: unknown): string | null {
  if (error instanceof StudioError && error.code === 'BAD_FILE') {
    return error.details.missing ? 'it was removed meanwhile' : String(error.details.why ?? 'it is no plain file');
  }
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT') return 'it was removed meanwhile';
  return code === 'EACCES' || code === 'EPERM' ? 'this user may not read it' : null;
}

/** The database with all beside it, or the note that it is in PostgreSQL: it is copied in another way. */
const isOfDatabase = (path: string): boolean => path.startsWith(DATABASE_FILE) || path === ELSEWHERE_FILE;
/** Made again from the raw files when they are asked for. */
const isDerived = (parts: readonly string[]): boolean => parts[0] === 'recordings' && parts[2] === 'derived';
const isLock = (name: string): boolean => name.startsWith('.') && name.endsWith('.lock');

type Listed = {
  paths: string[];
  leftOut: { path: string; why: string }[];
  /** Files of folders that are in the place for large files. */
  far: { path: string; folder: string; file: FarFile }[];
};

/** The files of the workspace that are copied, in no order, and those that are not. A folder that goes meanwhile is as if it had not been there. */
async function listWorkspace(root: string, isRecording: boolean): Promise<Listed> {
  const paths: string[] = [];
  const leftOut: Listed['leftOut'] = [];
  const far: Listed['far'] = [];
  const walk = async (folder: readonly string[]): Promise<void> => {
    const entries = await readdir(join(root, ...folder), { withFileTypes: true }).catch((error: unknown) => {
      const why = whyNotKept(error);
      if (why === null) throw error;
      leftOut.push({ path: folder.join('/'), why });
      return [];
    });
    for (const entry of entries) {
      const parts = [...folder, entry.name];
      const path = parts.join('/');
      if (isOfDatabase(path) || isDerived(parts) || isLock(entry.name) || isTemporary(entry.name)) continue;
      // A restored workspace has all its files itself.
      if (entry.name === KEPT_LIST && folder.length === 2) {
        const own = join(root, ...folder);
        const files = (keptList(own)?.files ?? []).filter((file) => !hasFile(own, file.path));
        append(
          far,
          files.map((file) => ({ path: [...folder, file.path].join('/'), folder: own, file })),
        );
        continue;
      }
      if (isRecording && parts.length === 2 && parts[0] === 'recordings' && isOpen(join(root, ...parts))) {
        leftOut.push({ path, why: 'it is being recorded; the next backup has it' });
      } else if (entry.isDirectory()) await walk(parts);
      else if (entry.isFile()) paths.push(path);
      else
        leftOut.push({
          path,
          why: entry.isSymbolicLink() ? 'it is a link, which leads elsewhere' : 'it is no plain file',
        });
    }
  };
  await walk([]);
  return { paths, leftOut, far };
}

/** Not closed yet, or not begun. */
function isOpen(folder: string): boolean {
  try {
    return readRecording(folder).state !== 'closed';
  } catch {
    return true;
  }
}
