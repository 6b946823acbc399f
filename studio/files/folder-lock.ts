import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { StudioError } from '../../schemas/errors.ts';
import { temporaryName } from './atomic.ts';
import { fileMode } from './private.ts';
import { describeHolder, type Holder, livenessOf } from './process-id.ts';
import { readHolder } from './read-holder.ts';

/** How often the holder shows that it is there, and after what time a holder that cannot be asked counts as gone, ms. */
const BEAT_MS = 10_000;
const SILENT_MS = 120_000;
const LOOK_MS = 100;
/** Longer than anybody needs to look at a lock and remove it, ms. */
const TAKE_MS = 10_000;

/** Tokens of the locks that this thread holds. Others of this process have locks of their own. */
const held = new Set<string>();
const OWN = `${threadId}.`;

/** Held by who makes a recording's stills or playback copy. */
export const PREPARE_LOCK = 'prepare';

export type FolderLockOptions = {
  signal?: AbortSignal;
  /** Called once when another process holds it. */
  onWait?: (pid: number | null) => void;
};

/**
 * Does `work` while no other process, and nothing else in this one, does anything under the same lock of this folder. Waits
 * for the other one; a holder that was killed is not waited for. Throws what `signal` says, and what `work` throws.
 */
export async function withFolderLock<T>(
  folder: string,
  name: string,
  work: () => Promise<T>,
  { signal, onWait }: FolderLockOptions = {},
): Promise<T> {
  const file = join(folder, `.${name}.lock`);
  const holder = describeHolder(`${OWN}${randomUUID()}`, process.pid);
  let told = false;
  while (!take(file, holder)) {
    signal?.throwIfAborted();
    const other = readHolder(file);
    if (isGone(file, other)) {
      removeGone(file, other);
      continue;
    }
    if (!told) onWait?.(other?.pid ?? null);
    told = true;
    await sleep(LOOK_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
  }
  held.add(holder.token);
  const beat = setInterval(() => touch(file), BEAT_MS);
  beat.unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    held.delete(holder.token);
    if (readHolder(file)?.token === holder.token) rmSync(file, { force: true });
  }
}

/** True when the lock was free and is ours now. It appears with its content, so that nobody reads half of it. */
function take(file: string, holder: Holder): boolean {
  const text = JSON.stringify(holder);
  const own = `${file}.${holder.token.slice(-8)}.tmp`;
  try {
    writeWhole(own, text);
    try {
      linkSync(own, file);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      if (codeOf(error) === 'ENOENT') throw error;
      // Some file systems (exFAT) know no links.
      writeWhole(file, text);
      return true;
    } finally {
      rmSync(own, { force: true });
    }
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new StudioError('BAD_FILE', `There is no folder ${dirname(file)} any more.`, { file: dirname(file) });
  }
}

/** Makes a new file. On a full disk it would be made and stay empty: a lock that nobody holds and everybody waits for. */
function writeWhole(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: fileMode(dirname(file)) });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') rmSync(file, { force: true });
    throw error;
  }
}

function isGone(file: string, holder: Holder | null): boolean {
  // Ours, and could not be removed when it was given back.
  if (holder?.pid === process.pid && holder.token.startsWith(OWN) && !held.has(holder.token)) return true;
  const liveness = holder ? livenessOf(holder) : 'unknown';
  if (liveness !== 'unknown') return liveness === 'dead';
  try {
    return Math.abs(diskNow(dirname(file)) - statSync(file).mtimeMs) > SILENT_MS;
  } catch {
    return false; // It was given back just now.
  }
}

/** When two find the same holder gone, one removes the lock; the other must not remove the lock of that one. */
function removeGone(file: string, gone: Holder | null): void {
  const guard = `${file}.take`;
  try {
    writeFileSync(guard, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    try {
      // A clock that was set back leaves files from the future.
      if (Math.abs(diskNow(dirname(guard)) - statSync(guard).mtimeMs) > TAKE_MS) rmSync(guard, { force: true });
    } catch {
      // Removed just now.
    }
    return;
  }
  try {
    const now = readHolder(file);
    if (now?.token === gone?.token) rmSync(file, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function touch(file: string): void {
  try {
    const now = new Date(diskNow(dirname(file)));
    utimesSync(file, now, now);
  } catch {
    // The folder went to the trash meanwhile.
  }
}

/**
 * The time of the disk that holds a folder, ms: the same for all machines that share it, however wrong their own clocks are. This
 * machine's where nothing can be written.
 */
export function diskNow(folder: string): number {
  const file = temporaryName(join(folder, '.time'));
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    return statSync(file).mtimeMs;
  } catch {
    return Date.now();
  } finally {
    rmSync(file, { force: true });
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** True while somebody, of whom that is known, does something under this lock. */
export function isFolderLocked(folder: string, name: string): boolean {
  const file = join(folder, `.${name}.lock`);
  return existsSync(file) && !isGone(file, readHolder(file));
}
