import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import { type FarFile, KEPT_FILES_SCHEMA, KEPT_VERSION, type KeptFiles } from '../../../schemas/kept-files.ts';
import type { Blobs } from '../blobs/blobs.ts';
import { folderBlobs } from '../blobs/folder.ts';
import { hashOfPieces } from '../hash.ts';
import { aloneWithShared, checkedPieces } from './bytes.ts';
import { keptList, writeKept } from './list.ts';
import { contentKey, type FilesPlace } from './place.ts';

export type SentFiles = { files: number; bytes: number };

/**
 * Moves files of a folder to the place: each is sent under its hash unless it is there, read back and compared, then named in the
 * folder's list, and only then removed here. Ended at any moment, every byte is in one of both. Nobody else may change them
 * meanwhile. Throws DISK_FAILED, NO_PERMISSION, BAD_FILE, CANCELLED; the files stay here then.
 */
export async function sendFiles(
  folder: string,
  paths: readonly string[],
  place: FilesPlace,
  { signal, report }: { signal: AbortSignal; report(share: number): void },
): Promise<SentFiles> {
  const own = folderBlobs(folder);
  const before = keptList(folder);
  if (before && before.place !== place.id) {
    throw new StudioError(
      'USAGE',
      `Files of ${folder} are in ${before.where} already, and ${place.blobs.place} is another place. Start with that place (--files), or write an archive and take it in on a server that has the new place.`,
      { folder, place: before.where },
    );
  }
  const sent: { file: FarFile; tag: string }[] = [];
  let bytes = 0;
  for (const [at, path] of paths.entries()) {
    const stat = await own.stat(path);
    if (stat === null) continue;
    const sha256 = await hashOfPieces(own.range(path), signal);
    const file = { path, bytes: stat.size, sha256, at: new Date().toISOString() };
    await sendOne(own, file, place, signal);
    sent.push({ file, tag: stat.tag });
    bytes += stat.size;
    report((at + 1) / paths.length);
  }
  if (sent.length === 0) return { files: 0, bytes: 0 };
  const fresh = new Set(sent.map(({ file }) => file.path));
  const files = [...(before?.files ?? []).filter(({ path }) => !fresh.has(path)), ...sent.map(({ file }) => file)];
  const list: KeptFiles = {
    schema: KEPT_FILES_SCHEMA,
    version: KEPT_VERSION,
    place: place.id,
    where: place.blobs.place,
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
  while (!(await nameWhatIsThere(folder, list, { sent: sent.map(({ file }) => file), place, signal }))) {
    // Another recording had them too, and was deleted meanwhile.
    for (const { file } of sent) await sendOne(own, file, place, signal);
  }
  for (const { file, tag } of sent) {
    // One that was made anew meanwhile stays, and counts.
    if ((await own.stat(file.path))?.tag === tag) await rm(join(folder, file.path), { force: true });
  }
  return { files: sent.length, bytes };
}

type Sent = { sent: readonly FarFile[]; place: FilesPlace; signal: AbortSignal };

/** False where bytes that were sent are there no more; nothing is named then. */
const nameWhatIsThere = (folder: string, list: KeptFiles, { sent, place, signal }: Sent): Promise<boolean> =>
  aloneWithShared(folder, async () => {
    for (const { sha256 } of sent) if ((await place.blobs.stat(contentKey(sha256), signal)) === null) return false;
    signal.throwIfAborted();
    writeKept(folder, list);
    return true;
  });

async function sendOne(own: Blobs, file: FarFile, place: FilesPlace, signal: AbortSignal): Promise<void> {
  const key = contentKey(file.sha256);
  const there = await place.blobs.stat(key, signal);
  // One that is there may have been sent by a process that was ended before it looked.
  if (there?.size === file.bytes && (await isRight(place, file, signal))) return;
  await place.blobs.put(key, own.range(file.path, { signal }), signal);
  if (await isRight(place, file, signal)) return;
  const name = `${place.blobs.place}/${key}`;
  const message = `What came to ${name} is not what was sent (${file.path}). It stays here too. Check that place's disk, then try again.`;
  throw new StudioError('DISK_FAILED', message, { file: name });
}

async function isRight(place: FilesPlace, file: FarFile, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const _ of checkedPieces(place, file, signal));
    return true;
  } catch (error) {
    if (error instanceof StudioError && error.code === 'BAD_FILE') return false;
    throw error;
  }
}
