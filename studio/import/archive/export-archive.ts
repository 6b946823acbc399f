import { createHash } from 'node:crypto';
import { renameSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { bytesInWords } from '../../../core/words.ts';
import type { ArchiveManifest } from '../../../schemas/archive.ts';
import { errorBody, StudioError } from '../../../schemas/errors.ts';
import { diskRoom, pathExists } from '../../files/folder.ts';
import { withFolderLock } from '../../files/folder-lock.ts';
import { padding, TAR_BLOCK, tarHeader } from '../../files/tar.ts';
import type { Workspace } from '../../store/workspace.ts';
import { KEEP_FREE, LIMITS } from '../limits.ts';
import { checkTarget, refuseExisting } from '../target.ts';
import { checkFrozen } from './frozen.ts';
import { type ArchiveWishes, type Content, chunksOf, manifestOf, planArchive } from './plan.ts';
import { checkListed, MANIFEST_FILE } from './read-archive.ts';

export type ArchiveOptions = ArchiveWishes & {
  /** This program's version. */
  version: string;
  signal: AbortSignal;
  report(share: number, message: string): void;
};

export type WrittenArchive = {
  out: string;
  bytes: number;
  recordings: string[];
  /** The frozen version in it. */
  dataset: string | null;
  files: number;
  leftOut: string[];
  /** Bytes that an earlier run had written and that were found right. */
  resumed: number;
};

/**
 * Writes an archive as a stream: memory does not grow with it. Stopped in the middle, what is written stays beside it as
 * `<out>.part`; the same call goes on after everything there that is still right, file by file by its hash.
 * Throws USAGE, TARGET_EXISTS, NOTHING_TO_EXPORT, UNKNOWN_RECORDING, UNKNOWN_FILE, DISK_FULL, BAD_FILE (also for a frozen
 * version whose files are no longer what was frozen), CANCELLED.
 */
export async function exportArchive(
  workspace: Workspace,
  out: string,
  options: ArchiveOptions,
): Promise<WrittenArchive> {
  const target = resolve(out);
  if (!target.endsWith('.tar')) {
    throw new StudioError('USAGE', `${target}: an archive's name ends in .tar.`, { out: target });
  }
  checkTarget(target, workspace);
  // Two that write the same file go on with, cut off and remove each other's beginning.
  const lock = `archive-${createHash('sha256').update(basename(target)).digest('hex').slice(0, 8)}`;
  const { signal, report } = options;
  return withFolderLock(dirname(target), lock, () => writeWhole(workspace, target, options), {
    signal,
    onWait: () => report(0, 'waiting for another archive that is being written there'),
  });
}

async function writeWhole(workspace: Workspace, target: string, options: ArchiveOptions): Promise<WrittenArchive> {
  refuseExisting(target);
  const { signal, report } = options;
  const part = `${target}.part`;
  const spool = `${target}.part-texts`;
  try {
    // Leftovers of a killed run.
    await rm(spool, { recursive: true, force: true });
    await mkdir(spool);
    const checking = (share: number, message: string): void => report(0.2 * share, message);
    const plan = await planArchive(workspace, options, { spool, signal, report: checking });
    const all = plan.contents.reduce((sum, { bytes }) => sum + bytes, 0) || 1;
    await checkRoom(all, target, part);
    let read = 0;
    const manifest = await manifestOf(plan, options.version, signal, (bytes) => {
      read += bytes;
      report(0.2 + (0.3 * read) / all, 'hashing');
    });
    refuseUntakeable(manifest);
    if (plan.version) await checkFrozen(plan.version, manifest, plan.leftOut);
    const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
    const hashes = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
    const head: Content = { path: MANIFEST_FILE, bytes: text.length, text };
    const file = await open(part, (await pathExists(part)) ? 'r+' : 'wx+');
    let resumed = 0;
    let size = 0;
    try {
      let at = await putFolder(file);
      for (const content of [head, ...plan.contents]) {
        const sha256 = hashes.get(content.path) ?? createHash('sha256').update(text).digest('hex');
        const { end, kept } = await putContent(file, at, content, sha256, signal);
        if (kept) resumed += end - at;
        at = end;
        report(0.5 + (0.5 * Math.min(at, all)) / all, 'writing');
      }
      await file.write(Buffer.alloc(2 * TAR_BLOCK), 0, 2 * TAR_BLOCK, at);
      size = at + 2 * TAR_BLOCK;
      await file.truncate(size);
      await file.sync();
    } finally {
      await file.close();
    }
    // In one step: nothing of somebody else is written over.
    refuseExisting(target);
    renameSync(part, target);
    return {
      out: target,
      bytes: size,
      recordings: plan.recordings,
      dataset: plan.version?.info.name ?? null,
      files: manifest.files.length,
      leftOut: plan.leftOut,
      resumed,
    };
  } catch (error) {
    if (signal.aborted) {
      const message = (await pathExists(part))
        ? `The export was stopped. What is written stays in ${part}; the same command goes on from there.`
        : 'The export was stopped; nothing was written.';
      throw new StudioError('CANCELLED', message, {});
    }
    await rm(part, { force: true });
    throw error;
  } finally {
    await rm(spool, { recursive: true, force: true });
  }
}

/** Throws BAD_FILE rather than to write an archive that no import would take. */
function refuseUntakeable(manifest: ArchiveManifest): void {
  try {
    checkListed(manifest, LIMITS);
  } catch (error) {
    const { message, details } = errorBody(error);
    throw new StudioError('BAD_FILE', `No archive was made, since no import would take it. ${message}`, details, {
      cause: error,
    });
  }
}

const TOP = 'workspace';

async function putFolder(file: FileHandle): Promise<number> {
  await file.write(tarHeader({ path: `${TOP}/`, size: 0, kind: 'folder' }), 0, TAR_BLOCK, 0);
  return TAR_BLOCK;
}

/** Writes a content at `at`, unless it is there already, whole and right. Throws BAD_FILE when it changed meanwhile. */
async function putContent(
  file: FileHandle,
  at: number,
  content: Content,
  sha256: string,
  signal: AbortSignal,
): Promise<{ end: number; kept: boolean }> {
  signal.throwIfAborted();
  const header = tarHeader({ path: `${TOP}/${content.path}`, size: content.bytes, kind: 'file' });
  const end = at + TAR_BLOCK + content.bytes + padding(content.bytes);
  if (await standsThere(file, at, end, header, content.bytes, sha256, signal)) return { end, kept: true };
  // The rest of the file belongs to another state of the workspace.
  await file.truncate(at);
  const hash = createHash('sha256');
  let position = at;
  const put = async (bytes: Buffer): Promise<void> => {
    await file.write(bytes, 0, bytes.length, position);
    position += bytes.length;
  };
  await put(header);
  for await (const chunk of chunksOf(content, signal)) {
    hash.update(chunk);
    await put(chunk);
  }
  await put(Buffer.alloc(padding(content.bytes)));
  if (hash.digest('hex') === sha256) return { end, kept: false };
  throw new StudioError('BAD_FILE', `${content.path} changed while the archive was written. Try again.`, {
    file: content.path,
  });
}

async function standsThere(
  file: FileHandle,
  at: number,
  end: number,
  header: Buffer,
  bytes: number,
  sha256: string,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await file.stat()).size < end) return false;
  const found = Buffer.alloc(TAR_BLOCK);
  await file.read(found, 0, TAR_BLOCK, at);
  if (!found.equals(header)) return false;
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let left = bytes; left > 0; ) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, left), at + TAR_BLOCK + bytes - left);
    if (bytesRead === 0) return false;
    hash.update(chunk.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return hash.digest('hex') === sha256;
}

async function checkRoom(bytes: number, target: string, part: string): Promise<void> {
  const { free } = await diskRoom(dirname(target));
  if ((await pathExists(part)) || bytes + KEEP_FREE <= free) return;
  const message = `${basename(target)} will be ${bytesInWords(bytes)} large, and ${bytesInWords(KEEP_FREE)} stay free; ${dirname(target)} has ${bytesInWords(free)}. Free some space and try again.`;
  throw new StudioError('DISK_FULL', message, { bytes });
}
