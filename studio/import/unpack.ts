import { constants, createReadStream, lstatSync, readdirSync } from 'node:fs';
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { bytesInWords, plural } from '../../core/words.ts';
import { StudioError } from '../../schemas/errors.ts';
import { FORGET_MARKER } from '../capture/forget.ts';
import { diskRoom } from '../files/folder.ts';
import { keptList } from '../files/kept/list.ts';
import { safeParts } from '../files/names.ts';
import { padding, readTarHeader, TAR_BLOCK } from '../files/tar.ts';
import { type ImportLimits, KEEP_FREE } from './limits.ts';
import { isLeftOut } from './names.ts';

type UnpackOptions = {
  limits: ImportLimits;
  signal: AbortSignal;
  /** Bytes done and bytes in all. */
  report(done: number, all: number): void;
};

const CHUNK = 1024 * 1024;
/** Windows has no such flag: there the lstat before must do. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Copies a folder's plain files into `to` (made, empty). Throws BAD_FILE for links, devices, names and limits; DISK_FULL. */
export async function copyFolder(from: string, to: string, { limits, signal, report }: UnpackOptions): Promise<void> {
  const files = listFiles(from, limits);
  const all = files.reduce((sum, { size }) => sum + size, 0);
  await checkBytes(all, limits, to);
  let done = 0;
  const create = maker();
  for (const { parts, size } of files) {
    signal.throwIfAborted();
    const source = await open(join(from, ...parts), constants.O_RDONLY | NO_FOLLOW);
    try {
      const target = await create(join(to, ...parts));
      try {
        // Not more than was listed: a file that grows meanwhile would be without bounds.
        for (let left = size; left > 0; ) {
          signal.throwIfAborted();
          const { bytesRead, buffer } = await source.read(Buffer.allocUnsafe(Math.min(CHUNK, left)));
          if (bytesRead === 0) break;
          await target.write(buffer, 0, bytesRead);
          left -= bytesRead;
          done += bytesRead;
          report(done, all);
        }
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  }
}

export type Listed = { parts: string[]; size: number };

/** The files of a recording that goes out, those in the place for large files among them, by name. Throws BAD_FILE, FUTURE_VERSION. */
export function listOutgoing(folder: string, limits: ImportLimits): Listed[] {
  const here = listFiles(folder, limits);
  const names = new Set(here.map(({ parts }) => parts.join('/')));
  const far = (keptList(folder)?.files ?? []).filter(({ path }) => !names.has(path));
  if (far.length === 0) return here;
  const listed = far.map(({ path, bytes }) => ({ parts: safeParts(path, limits), size: bytes }));
  return [...here, ...listed].sort((a, b) => inWalk(a.parts, b.parts));
}

/** The order of a walk: name by name. */
function inWalk(a: readonly string[], b: readonly string[]): number {
  for (const [at, name] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (name !== other) return name < other ? -1 : 1;
  }
  return -1;
}

/** Every file of a folder that is taken, by name. Throws BAD_FILE. */
export function listFiles(root: string, limits: ImportLimits): Listed[] {
  const files: Listed[] = [];
  let entries = 0;
  const walk = (above: string[]): void => {
    for (const name of readdirSync(join(root, ...above)).sort()) {
      if (++entries > limits.entries) throw tooMany(limits);
      const parts = [...above, name];
      if (isUnforgotten(parts)) throw unforgotten(root);
      if (isLeftOut(parts)) continue;
      safeParts(parts.join('/'), limits);
      const info = lstatSync(join(root, ...parts));
      if (info.isDirectory()) walk(parts);
      else if (info.isFile()) files.push({ parts, size: info.size });
      else throw notPlain(parts.join('/'), info.isSymbolicLink());
    }
  };
  walk([]);
  return files;
}

/**
 * Unpacks a .tar whose entries are in one folder into `to` (made, empty), without that folder's name. Throws as copyFolder,
 * and for an archive that ends early.
 */
export async function unpackTar(file: string, to: string, { limits, signal, report }: UnpackOptions): Promise<void> {
  const { size: all } = await stat(file);
  await checkBytes(all, limits, to);
  const source = reader(file, signal);
  let entries = 0;
  let top: string | null = null;
  const create = maker();
  try {
    for (;;) {
      const at = source.position();
      const block = await source.take(TAR_BLOCK);
      if (block === null) throw endsEarly(at);
      const entry = readTarHeader(block, at);
      if (entry === null) return;
      if (++entries > limits.entries) throw tooMany(limits);
      const [first = '', ...parts] = safeParts(entry.path, { depth: limits.depth + 1 });
      top ??= first;
      if (first !== top) {
        throw new StudioError(
          'BAD_FILE',
          `The archive holds more than one folder ("${top}", "${first}"). Nothing was kept.`,
          {},
        );
      }
      if (isUnforgotten(parts)) throw unforgotten(file);
      if (entry.kind === 'folder') continue;
      if (parts.length === 0) throw notPlain(entry.path, false);
      const target = isLeftOut(parts) ? null : await create(join(to, ...parts));
      try {
        for (let left = entry.size; left > 0; ) {
          const chunk = await source.take(Math.min(CHUNK, left));
          if (chunk === null) throw endsEarly(source.position());
          await target?.write(chunk);
          left -= chunk.length;
          report(source.position(), all);
        }
      } finally {
        await target?.close();
      }
      if (padding(entry.size) > 0 && (await source.take(padding(entry.size))) === null)
        throw endsEarly(source.position());
    }
  } finally {
    source.close();
  }
}

/** A recording with something still to be forgotten is not copied; the copy would lack the hidden note that says so. */
const isUnforgotten = (parts: readonly string[]): boolean => parts.length === 1 && parts[0] === FORGET_MARKER;
const unforgotten = (path: string): StudioError =>
  new StudioError(
    'BAD_FILE',
    `A part of the recording in ${path} is still to be forgotten, so no copy of it is made. Open the workspace that it is in, or run "recover" on it, and do this again.`,
    { file: path },
  );

/** A file's bytes in pieces of a wished length. */
function reader(file: string, signal: AbortSignal) {
  const stream = createReadStream(file, { highWaterMark: CHUNK });
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;
  return {
    position: () => position,
    /** Exactly `length` bytes; null when the file ends before. */
    async take(length: number): Promise<Buffer | null> {
      while (rest.length < length) {
        signal.throwIfAborted();
        const next = await chunks.next();
        if (next.done) return null;
        rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
      }
      const taken = rest.subarray(0, length);
      rest = rest.subarray(length);
      position += length;
      return taken;
    },
    close: () => stream.destroy(),
  };
}

/** Makes new files, never one that is there (two entries of one name), each in a folder that is made once. */
function maker(): (path: string) => Promise<FileHandle> {
  const folders = new Set<string>();
  return async (path) => {
    try {
      const folder = dirname(path);
      if (!folders.has(folder)) await mkdir(folder, { recursive: true });
      folders.add(folder);
      return await open(path, 'wx');
    } catch (error) {
      // A folder on the way is a file already, or the file a folder.
      const codes = ['EEXIST', 'ENOTDIR', 'EISDIR'];
      if (!(error instanceof Error && 'code' in error && codes.includes(String(error.code)))) throw error;
      throw new StudioError(
        'BAD_FILE',
        `"${basename(path)}" stands there twice, or in two spellings of its name, or as a file and a folder. Nothing was kept.`,
        {},
      );
    }
  };
}

async function checkBytes(bytes: number, limits: ImportLimits, to: string): Promise<void> {
  if (bytes > limits.bytes) {
    throw new StudioError(
      'BAD_FILE',
      `It is ${bytesInWords(bytes)} large; at most ${bytesInWords(limits.bytes)} are taken.`,
      { bytes },
    );
  }
  const { free } = await diskRoom(to);
  if (bytes + KEEP_FREE > free) {
    const message = `It is ${bytesInWords(bytes)} large, and ${bytesInWords(KEEP_FREE)} stay free for recordings and the database: together ${bytesInWords(bytes + KEEP_FREE)}, of which ${bytesInWords(free)} are free. Free some space and try again.`;
    throw new StudioError('DISK_FULL', message, { bytes });
  }
}

const tooMany = ({ entries }: ImportLimits): StudioError =>
  new StudioError('BAD_FILE', `It holds more than ${plural(entries, 'file')}. Nothing was kept.`, { most: entries });

const notPlain = (path: string, isLink: boolean): StudioError =>
  new StudioError(
    'BAD_FILE',
    `"${path.slice(0, 200)}" is ${isLink ? 'a link' : 'no plain file'}; only plain files and folders are taken. Nothing was kept.`,
    {
      file: path,
    },
  );

const endsEarly = (at: number): StudioError =>
  new StudioError('BAD_FILE', `The archive ends early, at byte ${at}: it was not copied whole. Nothing was kept.`, {
    offset: at,
  });
