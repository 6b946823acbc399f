import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ErrorCode, machineError, StudioError } from '../../schemas/errors.ts';

/** How long a write waits for another program's, ms. */
export const BUSY_MS = 5000;

export function damaged(file: string, why: string, cause?: unknown): StudioError {
  return new StudioError(
    'WORKSPACE_DAMAGED',
    `${file} cannot be read: ${why}. Nothing was changed. First copy the whole workspace folder as a backup. Then put back an older copy of studio.sqlite if you have one; if not, move studio.sqlite (and studio.sqlite-wal, studio.sqlite-shm) out of the folder and run \`npm run studio -- init --workspace …\` on it: the recordings are whole by themselves and are indexed again.`,
    { file, why },
    { cause },
  );
}

export const sqliteCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const UNWRITABLE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_PERM',
]);

/** SQLite's own, kept beside the words: tells a lock that passes by itself from a recorder's that does not. */
export const LOCKED = 'locked';

export const isDatabaseBusy = (error: unknown): boolean =>
  error instanceof StudioError && error.code === 'WORKSPACE_BUSY' && error.details.reason === LOCKED;

export function lockedError(file: string): StudioError {
  return new StudioError(
    'WORKSPACE_BUSY',
    `Another program has kept ${file} locked for ${BUSY_MS / 1000} s. Close it, or try again.`,
    { file, reason: LOCKED },
  );
}

/** An error of the file system or SQLite as one of ours where a person can do something about it. */
export function storeError(error: unknown, file: string): unknown {
  if (error instanceof StudioError) return error;
  const code = sqliteCode(error);
  const family = code.split('_').slice(0, 2).join('_');
  const message = error instanceof Error ? error.message : String(error);
  const make = (kind: ErrorCode, text: string): StudioError =>
    new StudioError(kind, text, { file, reason: code }, { cause: error });
  const full = (): StudioError =>
    make('DISK_FULL', `The disk that holds ${file} is full. Free some space and try again.`);

  if (family === 'SQLITE_CORRUPT' || family === 'SQLITE_NOTADB') return damaged(file, message, error);
  if (family === 'SQLITE_BUSY' || family === 'SQLITE_PROTOCOL' || family === 'SQLITE_LOCKED') return lockedError(file);
  if (family === 'SQLITE_FULL') return full();
  // SQLite says of a full disk "disk I/O error" or "unable to open" where it makes a file grow in another way than by writing.
  if ((family === 'SQLITE_IOERR' || family === 'SQLITE_CANTOPEN') && hasNoRoom(file)) return full();
  if (family === 'SQLITE_NOMEM' || code === 'SQLITE_IOERR_NOMEM') {
    return make(
      'OUT_OF_MEMORY',
      `The memory of this machine is used up (${file}). Close other programs and try again.`,
    );
  }
  if (family === 'SQLITE_IOERR') {
    return make(
      'DISK_FAILED',
      `The disk that holds ${file} could not be read or written (${message}, ${code}). Check that it is connected and has room, then try again.`,
    );
  }
  if (UNWRITABLE.has(code) || UNWRITABLE.has(family)) {
    return make(
      'WORKSPACE_UNWRITABLE',
      `${file} cannot be written (${message}). Give yourself write permission on that folder, or choose another with --workspace.`,
    );
  }
  return machineError(error) ?? error;
}

/** Less than the smallest file that SQLite would make, bytes. */
const NO_ROOM = 64 * 1024;

function hasNoRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < NO_ROOM;
  } catch {
    return false;
  }
}

/** Runs `work`; what it throws comes out as storeError says. */
export function translate<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(error, file);
  }
}
