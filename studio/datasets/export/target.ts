import { createHash } from 'node:crypto';
import { constants, createReadStream, type Dirent } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import type { ManifestFile } from '../../../schemas/export.ts';
import { entriesBelow, hasFile } from '../../files/inside.ts';
import { wholeBytes } from '../../files/kept/bytes.ts';
import { hasBytes } from '../../files/kept/list.ts';
import { makeTreePrivate } from '../../files/private.ts';

/**
 * Runs `write` on a temporary folder beside `out` and gives it the name `out` once it is whole. On any failure nothing
 * stays behind. Throws TARGET_EXISTS when `out` is a file or a folder with something in it, DISK_FULL, CANCELLED.
 */
export async function writeTarget<T>(out: string, write: (folder: string) => Promise<T>): Promise<T> {
  const target = path.resolve(out);
  await refuseTaken(target);
  await mkdir(path.dirname(target), { recursive: true });
  const folder = await mkdtemp(path.join(path.dirname(target), `.${path.basename(target)}-partial-`));
  try {
    const result = await write(folder);
    // mkdtemp makes it for its owner alone; an export is to be handed on, but in a workspace it stays the owner's.
    await chmod(folder, ((await stat(path.dirname(target))).mode & 0o755) | 0o700);
    await makeTreePrivate(folder);
    await refuseTaken(target);
    // An empty folder may stand there; not every system renames onto one.
    await rmdir(target).catch(ignoreMissing);
    await rename(folder, target);
    return result;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) {
      const message = `The disk is full while exporting to ${out}. Nothing was left there. Free some space and export again.`;
      throw new StudioError('DISK_FULL', message, { out }, { cause: error });
    }
    throw error;
  }
}

async function refuseTaken(target: string): Promise<void> {
  const found = await stat(target).catch(ignoreMissing);
  if (!found) return;
  if (found.isDirectory() && (await readdir(target)).length === 0) return;
  const what = found.isDirectory() ? 'is not empty' : 'is a file';
  throw new StudioError('TARGET_EXISTS', `${target} ${what}. Choose another folder or remove it first.`, {
    out: target,
  });
}

/** Copies a file into the export; `item` names what it belongs to. Throws BAD_FILE when it is missing. */
export async function copyToTarget(from: string, to: string, item: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  try {
    const [folder, name] = [path.dirname(from), path.basename(from)];
    if (!hasFile(folder, name) && hasBytes(folder, name)) await writeFile(to, wholeBytes(folder, name));
    else {
      await refuseStranger(from, item);
      await copyFile(from, to, constants.COPYFILE_FICLONE);
    }
    // A recording's files are its owner's alone, and copies of them would be so too.
    await chmod(to, 0o644);
  } catch (error) {
    throw missingFile(error, from, item);
  }
}

/** Only a plain file goes out: a link may lead to anything on this machine, a pipe would wait for ever. Throws BAD_FILE. */
export async function refuseStranger(file: string, item: string): Promise<void> {
  if ((await lstat(file)).isFile()) return;
  const message = `${file} of ${item} is no plain file. Put the file itself in its place, then export.`;
  throw new StudioError('BAD_FILE', message, { file, item });
}

/** A missing file as BAD_FILE with what to do; any other error as it is. */
export function missingFile(error: unknown, file: string, item: string): unknown {
  if (!hasCode(error, 'ENOENT')) return error;
  const message = `${file} of ${item} is missing. Cut the recording's keyframes again or attach the file, then export.`;
  return new StudioError('BAD_FILE', message, { file, item }, { cause: error });
}

/** Every regular file below `folder` as paths with `/`, in code unit order. Links are not followed. */
export async function listTargetFiles(folder: string): Promise<string[]> {
  return listEntries(folder, (entry) => entry.isFile());
}

/** Entries that are neither a regular file nor a folder: links, sockets, devices. */
export async function listStrangers(folder: string): Promise<string[]> {
  return listEntries(folder, (entry) => !entry.isFile() && !entry.isDirectory());
}

async function listEntries(folder: string, wanted: (entry: Dirent) => boolean): Promise<string[]> {
  return [...entriesBelow(folder)]
    .filter(wanted)
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

/** Hashes of files with several names (hard links), by device and inode. */
export type KnownHashes = Map<string, Omit<ManifestFile, 'path'>>;

export async function hashFile(folder: string, name: string, known?: KnownHashes): Promise<ManifestFile> {
  if (!known) return { path: name, ...(await contentOf(folder, name)) };
  const { dev, ino, nlink } = await stat(path.join(folder, name), { bigint: true });
  if (nlink === 1n) return { path: name, ...(await contentOf(folder, name)) };
  const key = `${dev}:${ino}`;
  const content = known.get(key) ?? (await contentOf(folder, name));
  known.set(key, content);
  return { path: name, ...content };
}

async function contentOf(folder: string, name: string): Promise<Omit<ManifestFile, 'path'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path.join(folder, name))) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
