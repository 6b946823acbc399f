import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FarFile } from '../../../schemas/kept-files.ts';
import { temporaryName } from '../atomic.ts';
import type { LocalFile } from '../blobs/blobs.ts';
import { diskNow } from '../folder-lock.ts';
import { findFolder, folderIn } from '../inside.ts';
import { fileMode } from '../private.ts';

/** Copies of files of another place, for programs that take only files: in derived/, which nobody backs up or exports. */
const LEASED = 'derived/leased';
/** A copy is kept so long after its last use, ms: the next picture of the same video needs it again. */
const IDLE_MS = 600_000;

type Held = { users: number; file: Promise<string>; timer: NodeJS.Timeout | null };
const held = new Map<string, Held>();

/** The file on this disk, until `release`. `pieces`: its bytes, which throw when they are not the right ones. */
export async function lease(
  folder: string,
  { path, bytes, sha256 }: FarFile,
  pieces: () => AsyncGenerator<Uint8Array>,
  signal?: AbortSignal,
  idleMs = IDLE_MS,
): Promise<LocalFile> {
  const place = folderIn(folder, LEASED);
  const file = join(place, `${sha256}${extname(path)}`);
  let mine = held.get(file);
  if (!mine) {
    mine = { users: 0, file: bring(file, bytes, pieces), timer: null };
    held.set(file, mine);
  }
  const one = mine;
  one.users += 1;
  if (one.timer) clearTimeout(one.timer);
  one.timer = null;
  let isReleased = false;
  const release = async (): Promise<void> => {
    if (isReleased) return;
    isReleased = true;
    one.users -= 1;
    if (one.users > 0 || held.get(file) !== one) return;
    one.timer = setTimeout(() => {
      held.delete(file);
      removeIdle(place, idleMs).catch(() => undefined);
    }, idleMs);
    one.timer.unref();
  };
  try {
    const there = await orStopped(one.file, signal);
    // Another process, perhaps of a machine with another clock, may think that nobody uses it any more.
    const now = new Date(diskNow(place));
    await utimes(there, now, now);
    return { path: there, release };
  } catch (error) {
    if (!signal?.aborted) held.delete(file);
    await release();
    throw error;
  }
}

async function bring(file: string, bytes: number, pieces: () => AsyncGenerator<Uint8Array>): Promise<string> {
  if ((await stat(file).catch(() => null))?.size === bytes) return file;
  const temporary = temporaryName(file);
  try {
    const options = { flags: 'wx', mode: fileMode(join(file, '..')) };
    await pipeline(Readable.from(pieces()), createWriteStream(temporary, options));
    await rename(temporary, file);
    return file;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Others may wait for the same copy: it comes all the same. */
async function orStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function removeIdle(place: string, idleMs: number): Promise<void> {
  const now = diskNow(place);
  for (const name of await readdir(place)) {
    const file = join(place, name);
    const info = await stat(file).catch(() => null);
    if (info && !held.has(file) && Math.abs(now - info.mtimeMs) >= idleMs) await rm(file, { force: true });
  }
}

/** Removes what processes left that ended before their copies were idle for long enough. */
export async function removeLeases(folder: string): Promise<void> {
  const place = findFolder(folder, LEASED);
  if (place !== null) await removeIdle(place, IDLE_MS);
}
