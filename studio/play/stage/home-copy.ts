import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesInWords } from '../../../core/words.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { HOME_COPY_SCHEMA, HOME_COPY_VERSION, type HomeCopy, type HomeEntry } from '../../../schemas/home-copy.ts';
import { flushFiles, flushFolder, writeFileAtomic } from '../../files/atomic.ts';
import { COPY_FILE, ENTRIES_FILE, FILES, homeCopyFolder, makeRoot, nameInMaking } from './copies.ts';
import { haltPrograms } from './halt.ts';
import { homeOf } from './home.ts';
import { type CopiedFiles, identityOf, readSeen, writeSeen } from './seen.ts';

/**
 * Copies the home of a stage as it is, for a stage that goes on: what did not change since the last copy of the same stage is that
 * copy's own file (a hard link), the rest a new file, where the disk can one that shares its blocks. Everything is reached by
 * opened folders, so that no link leads out of the home, however its programs move things about.
 */

const GIB = 2 ** 30;
const MOST_BYTES = 8 * GIB;
const MOST_ENTRIES = 200_000;
const MOST_DEPTH = 100;
/** So many of what was left out are named. */
const MOST_NAMED = 100;
/** A file that programs write all the time is copied so often. */
const TRIES = 3;

const OPEN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const OPEN_FOLDER = OPEN | constants.O_DIRECTORY;

export type CopyWishes = {
  /** The folder in which copies are kept. */
  root: string;
  note?: string | null;
  /** Of all files of one copy, bytes. */
  most?: number;
  signal?: AbortSignal;
};

type Copying = {
  /** The folder that it is made in. */
  making: string;
  files: string;
  root: string;
  before: CopiedFiles | null;
  seen: Map<string, string>;
  entries: HomeEntry[];
  leftOut: { path: string; why: string }[];
  bytes: number;
  newBytes: number;
  /** What must be on the disk before the copy has its name. */
  fresh: string[];
  folders: string[];
  most: number;
  mostNew: number;
  signal: AbortSignal | undefined;
};

/** Copies a stage's home. The whole copy is there, or nothing of it. Throws DISK_FULL for one that is too large. */
export async function copyHome(stage: Copied, wishes: CopyWishes): Promise<HomeCopy> {
  return (await takeHome(stage, wishes)).keep();
}

type Copied = { id: string; task: string | null };

/** A copy that is none yet. */
export type TakenHome = {
  /** Puts it on the disk, and gives it its name; to be called once. The stage may be changed meanwhile. Throws as `copyHome`. */
  keep(): Promise<HomeCopy>;
};

/** Takes a stage's home as it is now: its programs stand still until this resolves. Throws as `copyHome`. */
export async function takeHome(
  stage: Copied,
  { root, note = null, most = MOST_BYTES, signal }: CopyWishes,
): Promise<TakenHome> {
  makeRoot(root);
  const id = randomBytes(6).toString('hex');
  const making = join(root, nameInMaking(id));
  mkdirSync(join(making, FILES), { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(making);
  const copying: Copying = {
    making,
    files: join(making, FILES),
    root,
    before: readSeen(stage.id, root),
    seen: new Map(),
    entries: [],
    leftOut: [],
    bytes: 0,
    newBytes: 0,
    fresh: [],
    folders: [making, join(making, FILES)],
    most,
    mostNew: Math.floor((bavail * bsize) / 2),
    signal,
  };
  return orNothing(copying, async () => {
    const goOn = await haltPrograms(stage.id);
    try {
      const home = openSync(homeOf(stage.id), OPEN_FOLDER);
      try {
        await copyEntries(copying, home, '', 0);
      } finally {
        closeSync(home);
      }
    } finally {
      await goOn();
    }
    const copy = headOf(copying, { id, stage, note });
    return { keep: () => orNothing(copying, () => keepCopy(copying, copy)) };
  });
}

/** Leaves nothing of a copy that failed. */
async function orNothing<T>({ making, root }: Copying, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw codeOf(error) === 'ENOSPC' ? full(`the disk of ${root} is full`) : error;
  }
}

async function keepCopy(copying: Copying, copy: HomeCopy): Promise<HomeCopy> {
  const { making, root } = copying;
  const lines = copying.entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  writeFileSync(join(making, ENTRIES_FILE), lines, { mode: 0o600 });
  await flushFiles([join(making, ENTRIES_FILE), ...copying.fresh]);
  for (const folder of copying.folders) flushFolder(folder);
  writeFileAtomic(join(making, COPY_FILE), `${JSON.stringify(copy, null, 2)}\n`);
  renameSync(making, homeCopyFolder(root, copy.id));
  flushFolder(root);
  writeSeen(copy.stage, { root, copy: copy.id, files: copying.seen });
  return copy;
}

function headOf(
  { entries, bytes, newBytes, leftOut }: Copying,
  { id, stage, note }: { id: string; stage: { id: string; task: string | null }; note: string | null },
): HomeCopy {
  return {
    schema: HOME_COPY_SCHEMA,
    version: HOME_COPY_VERSION,
    id,
    at: new Date().toISOString(),
    stage: stage.id,
    task: stage.task,
    note,
    files: entries.filter(({ kind }) => kind === 'file').length,
    bytes,
    newBytes,
    leftOut,
  };
}

/** By the descriptor of an opened folder: it cannot become another one meanwhile. */
const within = (folder: number, name: string): string => `/proc/self/fd/${folder}/${name}`;

async function copyEntries(copying: Copying, folder: number, path: string, depth: number): Promise<void> {
  for (const bytes of readdirSync(`/proc/self/fd/${folder}`, { encoding: 'buffer' })) {
    copying.signal?.throwIfAborted();
    const name = bytes.toString('utf8');
    const own = path === '' ? name : `${path}/${name}`;
    if (!Buffer.from(name).equals(bytes)) leave(copying, own, 'its name is no UTF-8');
    else await copyEntry(copying, folder, { name, path: own }, depth).catch((error) => leaveFor(copying, own, error));
  }
}

async function copyEntry(
  copying: Copying,
  folder: number,
  { name, path }: { name: string; path: string },
  depth: number,
): Promise<void> {
  const at = within(folder, name);
  const info = lstatSync(at, { bigint: true });
  if (copying.entries.length >= MOST_ENTRIES) throw full(`it has more than ${MOST_ENTRIES} files and folders`);
  const facts = { path, mode: Number(info.mode) & 0o7777, changed: Math.round(Number(info.mtimeNs) / 1e6) };
  if (info.isSymbolicLink()) {
    copying.entries.push({ kind: 'link', ...facts, to: readlinkSync(at) });
  } else if (info.isDirectory()) {
    if (depth >= MOST_DEPTH) return leave(copying, path, `it lies deeper than ${MOST_DEPTH} folders`);
    const opened = openSync(at, OPEN_FOLDER);
    try {
      copying.entries.push({ kind: 'folder', ...facts });
      const target = join(copying.files, path);
      mkdirSync(target, { mode: 0o700 });
      copying.folders.push(target);
      await copyEntries(copying, opened, path, depth + 1);
    } finally {
      closeSync(opened);
    }
  } else if (info.isFile()) {
    const opened = openSync(at, OPEN);
    try {
      const size = await copyOne(copying, opened, path);
      copying.entries.push({ kind: 'file', ...facts, size });
    } finally {
      closeSync(opened);
    }
  } else leave(copying, path, info.isSocket() ? 'a socket' : info.isFIFO() ? 'a pipe' : 'no plain file');
}

/** Gives the size of what was kept. */
async function copyOne(copying: Copying, opened: number, path: string): Promise<number> {
  let info = fstatSync(opened, { bigint: true });
  count(copying, Number(info.size));
  const target = join(copying.files, path);
  if (copying.before?.files.get(path) === identityOf(info) && linked(copying, path, target)) {
    copying.seen.set(path, identityOf(info));
    return Number(info.size);
  }
  copying.newBytes += Number(info.size);
  if (copying.newBytes > copying.mostNew) throw full('it would take more than half of what is free on the disk');
  for (let tries = 1; ; tries++) {
    await copyFile(`/proc/self/fd/${opened}`, target, constants.COPYFILE_FICLONE);
    const now: BigIntStats = fstatSync(opened, { bigint: true });
    const isWhole = identityOf(now) === identityOf(info);
    info = now;
    if (isWhole) copying.seen.set(path, identityOf(info));
    else if (tries < TRIES) continue;
    else leave(copying, path, 'kept, though it was being written');
    break;
  }
  chmodSync(target, 0o400);
  copying.fresh.push(target);
  return Number(lstatSync(target).size);
}

/** The last copy's own file; false where that is gone, or the disk has no hard links. */
function linked({ before, root }: Copying, path: string, target: string): boolean {
  try {
    linkSync(join(homeCopyFolder(root, before?.copy ?? ''), FILES, path), target);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOSPC') throw error;
    return false;
  }
}

function count(copying: Copying, size: number): void {
  copying.bytes += size;
  if (copying.bytes > copying.most) throw full(`its files have more than ${bytesInWords(copying.most)}`);
}

/** Of one that went meanwhile nothing is said. */
function leaveFor(copying: Copying, path: string, error: unknown): void {
  const code = codeOf(error);
  if (code === 'ENOENT') return;
  const why = WHY[code];
  if (why === undefined) throw error;
  leave(copying, path, why);
}
const WHY: Readonly<Record<string, string>> = {
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ELOOP: 'it became a link meanwhile',
  ENOTDIR: 'it was replaced meanwhile',
  ENXIO: 'it was replaced meanwhile',
  ENAMETOOLONG: 'its path is too long',
};

function leave({ leftOut }: Copying, path: string, why: string): void {
  if (leftOut.length < MOST_NAMED) leftOut.push({ path: path.slice(0, 400), why });
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const full = (why: string): StudioError =>
  new StudioError('DISK_FULL', `The home of the stage was not copied: ${why}. Nothing of it was kept.`, { why });
