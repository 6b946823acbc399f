import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { passedOver } from '../../native/log/log.ts';
import { describeHolder, livenessOf } from './process-id.ts';

type Rename = (from: string, to: string) => Promise<void>;

/**
 * Moves a file or folder, also to another disk: recordings/ may be a link to one. There it is copied under a hidden name
 * beside its new place, flushed, named, and only then removed where it was, so that a crash loses nothing. Links in it stay
 * links; pipes and sockets, which hold nothing, are left behind. Throws what the file system throws (ENOSPC, …); the old
 * place is whole then. `renaming`: for tests.
 */
export async function move(from: string, to: string, renaming: Rename = rename): Promise<void> {
  try {
    await renaming(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await moveByCopy(from, to);
  }
}

async function moveByCopy(from: string, to: string): Promise<void> {
  await removeKilledMoves(dirname(to));
  const part = join(dirname(to), `.${short(basename(to))}.${hostMark()}.${process.pid}${MOVING}`);
  await rm(part, { recursive: true, force: true });
  try {
    await cp(from, part, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter: holdsSomething });
    await flush(part);
    if (existsSync(to)) throw Object.assign(new Error(`EEXIST: ${to} is there already`), { code: 'EEXIST' });
    await rename(part, to);
    await flushOne(dirname(to));
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
  await rm(from, { recursive: true, force: true });
}

async function holdsSomething(path: string): Promise<boolean> {
  const info = await lstat(path);
  return info.isFile() || info.isDirectory() || info.isSymbolicLink();
}

/** Everything in it, then itself. */
async function flush(path: string): Promise<void> {
  const info = await lstat(path);
  if (info.isDirectory()) for (const name of await readdir(path)) await flush(join(path, name));
  if (info.isDirectory() || info.isFile()) await flushOne(path);
}

/** A power cut after the old copy is gone must find the new one. Windows cannot open folders and need not. */
async function flushOne(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => null);
  try {
    await handle?.sync();
  } catch {
    // Some network file systems refuse to flush.
  } finally {
    await handle?.close();
  }
}

const MOVING = '.moving';
/** Nobody knows whether a process of another machine, or of an older version, still copies: then by its age, ms. */
const ABANDONED = 24 * 3_600_000;

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
/** The installation, which outlives a restart. */
const hostMark = (): string => short(describeHolder('', process.pid).host ?? '').slice(0, 8);

/** Removes the copies in a folder that moves left which were killed: whole recordings that nobody sees. Never throws. */
export async function removeKilledMoves(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith('.') || !name.endsWith(MOVING)) continue;
    const path = join(folder, name);
    const [, host, pid] = /\.([0-9a-f]{8})\.(\d{1,10})\.moving$/.exec(name) ?? [];
    const isOurs = host === hostMark() && pid !== undefined;
    const isLeft = isOurs ? !runs(Number(pid)) : Math.abs(now - (await changedAt(path, now))) > ABANDONED;
    // What cannot be removed now is left for the next time.
    if (isLeft) await rm(path, { recursive: true, force: true }).catch(passedOver('leftover not removed'));
  }
}

const runs = (pid: number): boolean =>
  livenessOf({ ...describeHolder('', process.pid), pid, started: null }) !== 'dead';

const changedAt = (path: string, otherwise: number): Promise<number> =>
  lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => otherwise,
  );
