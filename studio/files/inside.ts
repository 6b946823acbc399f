import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../../schemas/errors.ts';
import { partsInside } from './names.ts';

/**
 * The one gate for files that data names: recordings, archives, stills' indices, databases and workspaces from others. A path
 * is taken inside a folder (`root`, which the program itself knows); nothing below that folder may be a link, and only plain
 * files are read, so that what is read, copied, served or removed is in the folder and nothing can block. `path` has `/`.
 */

/** Windows has no such flags: there the look before must do. A FIFO that came in between does not block, and is refused. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The path of a plain file inside `root`; null when there is nothing. Throws BAD_FILE. */
export function findFile(root: string, path: string): string | null {
  return find(root, path, 'file');
}

function find(root: string, path: string, kind: 'file' | 'folder'): string | null {
  const found = look(root, path);
  if (found.info === null) return null;
  if (!(kind === 'file' ? found.info.isFile() : found.info.isDirectory())) throw notPlain(found.path, found.info, kind);
  return found.path;
}

/** The same for a file that must be there. Throws BAD_FILE. */
export function fileIn(root: string, path: string): string {
  const found = findFile(root, path);
  if (found !== null) return found;
  throw new StudioError('BAD_FILE', `${join(root, path)} is missing. Put the file back from a copy.`, {
    file: join(root, path),
    missing: true,
  });
}

/** Where a file inside `root` is, or will be once it is made. Throws BAD_FILE when something else is in its place. */
export function placeIn(root: string, path: string): string {
  return findFile(root, path) ?? join(root, ...partsInside(path));
}

/** Whether a plain file is there. Never throws: what is odd is not there; reading it says why. */
export function hasFile(root: string, path: string): boolean {
  return statOf(root, path) !== null;
}

/** The answer of `stat` for a plain file; null for one that is missing or odd. Never throws. */
export function statOf(root: string, path: string): Stats | null {
  try {
    const { info } = look(root, path);
    return info?.isFile() ? info : null;
  } catch {
    return null;
  }
}

/** A folder inside `root`; null when there is none. Throws BAD_FILE for a link or a file in its place. */
export function findFolder(root: string, path: string): string | null {
  return find(root, path, 'folder');
}

/** A folder inside `root`, made when it is missing: what is written into it stays in `root`. Throws BAD_FILE. */
export function folderIn(root: string, path: string): string {
  const found = findFolder(root, path);
  if (found !== null) return found;
  const folder = join(root, ...partsInside(path));
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Opens a plain file inside `root` for reading; who opens it closes it. Throws BAD_FILE. */
export function openIn(root: string, path: string): number {
  return openPlain(fileIn(root, path), READ);
}

/** The same without waiting for the disk. Throws BAD_FILE. */
export async function openHandleIn(root: string, path: string): Promise<FileHandle> {
  const file = fileIn(root, path);
  const handle = await open(file, READ).catch((error: unknown) => {
    throw refusalOf(error, file, READ);
  });
  const info = await handle.stat();
  if (info.isFile()) return handle;
  await handle.close();
  throw notPlain(file, info, 'file');
}

/** What is read whole is a list or a note of ours: none comes near this size, and an import takes none that is larger. */
const MOST_WHOLE = 64 << 20;

/** A whole file inside `root`. Throws BAD_FILE, also for one of more than `most` bytes. */
export function readIn(root: string, path: string, most = MOST_WHOLE): Buffer {
  const file = openIn(root, path);
  try {
    const { size } = fstatSync(file);
    if (size > most) throw tooLarge(join(root, path), size, most);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

const tooLarge = (file: string, size: number, most: number): StudioError => {
  const why = `it has ${Math.round(size / 2 ** 20)} MB, and at most ${Math.round(most / 2 ** 20)} MB are read of such a file`;
  return new StudioError('BAD_FILE', `${file} cannot be read: ${why}. Put the file back from a copy.`, { file, why });
};

/**
 * Copies a file inside `root` to a place of the program's own; `isNew`: nothing may be there yet. Throws BAD_FILE, also for one of
 * more than `most` bytes.
 */
export function copyFrom(
  root: string,
  path: string,
  to: string,
  { isNew = false, most = Number.POSITIVE_INFINITY } = {},
): void {
  copyOpened(openIn(root, path), to, { isNew, most, name: join(root, path) });
}

/** Removes a file inside `root`; nothing when there is none. A link in its place goes itself, never what it leads to. */
export function removeIn(root: string, path: string): void {
  const { info, path: file } = look(root, path);
  if (info?.isDirectory()) throw notPlain(file, info, 'file');
  if (info) rmSync(file, { force: true });
}

/**
 * Opens a file that a person chose. It may be a link; it must be a plain file: a pipe would wait for a writer for ever.
 * Throws BAD_FILE for what is no plain file, else what the file system throws.
 */
export function openGiven(path: string): number {
  return openPlain(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/**
 * Every entry below a folder, a folder before what is in it. Links are entries and are not followed, as Node's own
 * `recursive` does.
 */
export function* entriesBelow(root: string): Generator<Dirent> {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    yield entry;
    if (entry.isDirectory()) yield* entriesBelow(join(root, entry.name));
  }
}

/**
 * Looks through a whole folder that came from elsewhere. Throws BAD_FILE for the first link, device or pipe in it, before
 * anything is read from it or written into it.
 */
export function refuseStrangers(root: string): void {
  for (const entry of entriesBelow(root)) {
    if (entry.isFile() || entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const info = lookAt(path);
    if (info) throw notPlain(path, info, 'file');
  }
}

/** Opens a file that was found by its path before: still itself, not a link that has taken its place. Throws BAD_FILE. */
export const openFound = (path: string): number => openPlain(path, READ);

/** Copies such a file. Throws BAD_FILE. */
export const copyFound = (path: string, to: string): void => copyOpened(openFound(path), to, { name: path });

/** Copies a file that a person chose. Throws as openGiven. */
export const copyGiven = (path: string, to: string): void => copyOpened(openGiven(path), to, { name: path });

const CHUNK = 1 << 20;

/**
 * Copies what was opened, with its rights, and closes it: by its path it could be another file by now, a pipe that nobody writes
 * into, or a link. As much as it held when it was opened.
 */
function copyOpened(
  from: number,
  to: string,
  { isNew = false, most = Number.POSITIVE_INFINITY, name }: { isNew?: boolean; most?: number; name: string },
): void {
  try {
    const { size, mode } = fstatSync(from);
    if (size > most) throw tooLarge(name, size, most);
    const target = openSync(to, isNew ? 'wx' : 'w', mode & 0o777);
    try {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size));
      for (let at = 0; at < size; ) {
        const read = readSync(from, chunk, 0, Math.min(chunk.length, size - at), at);
        if (read === 0) break; // It was cut off meanwhile.
        for (let written = 0; written < read; ) written += writeSync(target, chunk, written, read - written);
        at += read;
      }
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(from);
  }
}

function openPlain(path: string, flags: number): number {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    throw refusalOf(error, path, flags);
  }
  const info = fstatSync(file);
  if (info.isFile()) return file;
  closeSync(file);
  throw notPlain(path, info, 'file');
}

function refusalOf(error: unknown, path: string, flags: number): unknown {
  const info = lookAt(path);
  // ELOOP, the answer of O_NOFOLLOW for a link, would tell nobody what to do.
  return info && !info.isFile() && flags === READ ? notPlain(path, info, 'file') : error;
}

/** Looks at a path inside `root`, with no link on the way; `info` is null when there is nothing. */
function look(root: string, path: string): { path: string; info: Stats | null } {
  const parts = partsInside(path);
  let at = root;
  for (const [i, part] of parts.entries()) {
    at = join(at, part);
    const info = lookAt(at);
    if (i === parts.length - 1 || info === null) return { path: join(root, ...parts), info };
    if (!info.isDirectory()) throw notPlain(at, info, 'folder');
  }
  return { path: root, info: null }; // No path is without parts.
}

function lookAt(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return null;
    throw error;
  }
}

function notPlain(path: string, info: Stats, wanted: 'file' | 'folder'): StudioError {
  const kind = info.isSymbolicLink()
    ? 'a link'
    : info.isDirectory()
      ? 'a folder'
      : info.isFile()
        ? 'a file'
        : 'a device or pipe';
  return new StudioError(
    'BAD_FILE',
    `${path} is ${kind}; only a plain ${wanted} is taken there. Put the ${wanted} itself in its place, or remove it.`,
    { file: path, why: `it is ${kind}` },
  );
}
