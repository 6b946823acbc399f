import { lstatSync, rmSync, type Stats } from 'node:fs';
import { type FileHandle, link, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import { flushFolder, isTemporary, isWithoutLinks, temporaryName } from '../atomic.ts';
import { fileIn, findFile, findFolder, folderIn, openHandleIn, placeIn, removeIn, statOf } from '../inside.ts';
import { fileMode, makePrivate } from '../private.ts';
import {
  type BlobData,
  type BlobList,
  type BlobStat,
  type Blobs,
  byUtf8,
  dataPieces,
  LISTED,
  type ListOptions,
  MOST_WHOLE,
  missingBlob,
  partsOfKey,
  partsOfNewKey,
  streamOf,
  tooLargeBlob,
} from './blobs.ts';

/** A folder as it always was: a key is the path of a plain file in it, which nothing but these files says. */
export function folderBlobs(root: string): Blobs {
  const here = { place: root };
  const swept = new Set<string>();

  /** `name` gives the written file its name, and says whether it has it. */
  async function write(
    key: string,
    data: BlobData,
    name: (temporary: string, path: string) => Promise<boolean>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const parts = partsOfNewKey(key);
    const path = placeIn(root, key);
    for (let depth = 1; depth < parts.length; depth++) makeFolder(root, parts.slice(0, depth).join('/'));
    const folder = dirname(path);
    if (!swept.has(folder)) await removeAbandoned(folder);
    swept.add(folder);
    // Not named after the file: its name may be as long as the disk takes one.
    const temporary = temporaryName(join(folder, WRITTEN));
    try {
      const file = await open(temporary, 'wx', fileMode(folder));
      try {
        for await (const piece of dataPieces(data)) {
          signal?.throwIfAborted();
          await file.writeFile(piece);
        }
        signal?.throwIfAborted();
        await file.sync();
      } finally {
        await file.close();
      }
      if (!(await name(temporary, path))) return false;
    } catch (error) {
      rmSync(temporary, { force: true });
      throw cancelledOr(error, signal);
    }
    flushFolder(folder);
    return true;
  }

  return {
    place: root,
    async put(key, data, signal) {
      await write(key, data, nameAnew, signal);
    },
    putNew: (key, data, signal) => write(key, data, nameNew, signal),
    async stat(key) {
      const path = findFile(root, key);
      const info = path === null ? null : lstatSync(path, { throwIfNoEntry: false });
      return info ? statOfFile(info) : null;
    },
    async get(key, { most = MOST_WHOLE, signal } = {}) {
      const file = await opened(root, key);
      try {
        const { size } = await file.stat();
        if (size > most) throw tooLargeBlob(here, key, size, most);
        return await file.readFile({ ...(signal && { signal }) });
      } catch (error) {
        throw cancelledOr(error, signal);
      } finally {
        await file.close();
      }
    },
    range: (key, { start = 0, end = Number.POSITIVE_INFINITY, signal } = {}) =>
      streamOf(
        piecesBetween(() => opened(root, key), start, end, signal),
        signal,
      ),
    list: (options = {}) => list(root, options),
    async remove(key) {
      partsOfKey(key);
      removeIn(root, key);
    },
    async local(key) {
      return { path: fileIn(root, key), release: () => Promise.resolve() };
    },
  };

  async function opened(folder: string, key: string): Promise<FileHandle> {
    return openHandleIn(folder, key).catch((error: unknown) => {
      // It went between the look and the opening.
      throw hasCode(error, 'ENOENT') ? missingBlob(here, key) : error;
    });
  }
}

async function nameAnew(temporary: string, path: string): Promise<true> {
  await rename(temporary, path);
  return true;
}

/** A link is made only where nothing has the name. */
async function nameNew(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    // A disk without links (exFAT, some of the net): between the look and the name another one may come.
    if (lstatSync(path, { throwIfNoEntry: false })) return false;
    if (!isWithoutLinks(error)) throw error;
    return nameAnew(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
  return true;
}

/** How a file that is being written is called until it is whole (isTemporary). */
const WRITTEN = 'blob';
const OWN = /^\.blob\.\d+\.[0-9a-f]{8}\.tmp$/;
/** Nothing came for so long: its writer was killed, ms. */
const ABANDONED = 3_600_000;

/** What writers left that were killed, of any size. */
async function removeAbandoned(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!OWN.test(name)) continue;
    const info = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (info && Math.abs(now - info.mtimeMs) > ABANDONED) await rm(join(folder, name), { force: true });
  }
}

function makeFolder(root: string, path: string): void {
  if (findFolder(root, path) === null) makePrivate(folderIn(root, path));
}

/** The tag is the ETag that the studio's pages have always had for a file. */
const statOfFile = ({ ino, mtimeMs, mtime, size }: Stats): BlobStat => ({
  size,
  changed: mtime,
  tag: `${ino.toString(36)}-${Math.trunc(mtimeMs).toString(36)}-${size.toString(36)}`,
});

/** A megabyte: less asks the disk more often than a film that is sent needs. */
const PIECE = 1 << 20;

async function* piecesBetween(
  opening: () => Promise<FileHandle>,
  start: number,
  end: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const file = await opening();
  try {
    const last = Math.min(end, (await file.stat()).size - 1);
    for (let at = start; at <= last; ) {
      signal?.throwIfAborted();
      const piece = new Uint8Array(Math.min(PIECE, last - at + 1));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead === 0) return; // It was cut off meanwhile.
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
}

async function list(root: string, { prefix = '', after = '', most = LISTED, signal }: ListOptions): Promise<BlobList> {
  const inside = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const keys: string[] = [];
  const begin = beginOf(root, inside);
  if (begin === null) return { keys, next: null };
  for await (const key of keysBelow(begin, inside, prefix, after)) {
    signal?.throwIfAborted();
    if (keys.length === Math.min(most, LISTED)) return { keys, next: keys.at(-1) ?? null };
    keys.push(key);
  }
  return { keys, next: null };
}

/** The folder in which all keys that begin so are; null when there is none. */
function beginOf(root: string, inside: string): string | null {
  if (inside === '') return root;
  const path = inside.slice(0, -1);
  partsOfKey(path);
  return statOf(root, path) === null ? findFolder(root, path) : null;
}

async function* keysBelow(folder: string, inside: string, prefix: string, after: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  // With its `/` a folder stands where its keys do, between files whose names begin as its own.
  const named = entries
    .filter(({ name }) => !isTemporary(name))
    .map((entry) => `${inside}${entry.name}${entry.isDirectory() ? '/' : ''}`);
  for (const key of inUtf8Order(named)) {
    if (key.endsWith('/')) {
      if (!key.startsWith(prefix) && !prefix.startsWith(key)) continue;
      if (!after.startsWith(key) && byUtf8(key, after) < 0) continue;
      yield* keysBelow(join(folder, key.slice(inside.length, -1)), key, prefix, after);
    } else if (key.startsWith(prefix) && byUtf8(key, after) > 0) yield key;
  }
}

/** JavaScript's own order, which is much faster, is the same but for signs beyond U+FFFF. */
const inUtf8Order = (keys: string[]): string[] =>
  keys.some((key) => /[\ud800-\udfff]/.test(key)) ? keys.sort(byUtf8) : keys.sort();

function cancelledOr(error: unknown, signal: AbortSignal | undefined): unknown {
  if (!signal?.aborted) return error;
  return signal.reason instanceof StudioError ? signal.reason : new StudioError('CANCELLED', 'It was stopped.', {});
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
