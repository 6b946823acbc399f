import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import type { SnapshotFile } from '../../schemas/dataset.ts';
import { StudioError, whyNot } from '../../schemas/errors.ts';
import { fileIn, hasFile } from '../files/inside.ts';
import { keptFile } from '../files/kept/list.ts';
import { findFileHash, keepFileHashes, listFileHashes } from '../store/hashes.ts';
import type { HashPool } from '../store/jobs/hash-pool.ts';
import type { FileHashesTable } from '../store/tables.ts';
import type { Workspace } from '../store/workspace.ts';

/** The identity of a plain file, without reading it. Null when there is none, or a link in its place. */
export async function stampOfFile(file: string): Promise<string | null> {
  const info = await lstat(file, { bigint: true }).catch(() => null);
  return info?.isFile() ? `${info.size}:${info.mtimeNs}:${info.ino}` : null;
}

/** sha256 and size. Throws BAD_FILE when it cannot be read. */
export async function sha256Of(
  file: string,
  signal?: AbortSignal | undefined,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20, ...(signal && { signal }) })) {
      hash.update(chunk as Buffer); // A stream without an encoding gives Buffers.
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    if (signal?.aborted) throw new StudioError('CANCELLED', 'It was stopped.', {});
    const why = whyNot(error);
    throw new StudioError('BAD_FILE', `${file} cannot be read: ${why}.`, { file }, { cause: error });
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Of a file in the place for large files the hash is known: it is its name there. */
function inOtherPlace(folder: string, path: string): SnapshotFile | null {
  if (hasFile(folder, path)) return null;
  const file = keptFile(folder, path);
  return file && { path, bytes: file.bytes, sha256: file.sha256 };
}

/** A file of a recording with its hash, which is kept while size, time and inode stay. `path` has `/`. Throws BAD_FILE. */
export async function hashRecordingFile(
  { store }: Pick<Workspace, 'store'>,
  { id, folder }: { id: string; folder: string },
  path: string,
  signal?: AbortSignal | undefined,
): Promise<SnapshotFile> {
  const far = inOtherPlace(folder, path);
  if (far) return far;
  const file = fileIn(folder, path);
  // Before reading: a change in between is then seen at the next time.
  const stamp = await stampOfFile(file);
  const known = await findFileHash(store, id, path);
  if (known && known.stamp === stamp) return { path, bytes: known.bytes, sha256: known.sha256 };
  const found = await sha256Of(file, signal);
  await keepFileHashes(store, [{ recording_id: id, path, stamp: stamp ?? '', ...found }]);
  return { path, ...found };
}

/**
 * The same of many files of a recording: what is not kept is hashed on all cores and kept by one write. In the order of
 * `paths`. Throws as hashRecordingFile.
 */
export async function hashRecordingFiles(
  { store }: Pick<Workspace, 'store'>,
  { id, folder }: { id: string; folder: string },
  paths: readonly string[],
  pool: HashPool,
): Promise<SnapshotFile[]> {
  const rows = await listFileHashes(store, id);
  const known = new Map(rows.map((row) => [row.path, row]));
  const fresh: FileHashesTable[] = [];
  const files = await Promise.all(
    paths.map(async (path): Promise<SnapshotFile> => {
      const far = inOtherPlace(folder, path);
      if (far) return far;
      const file = fileIn(folder, path);
      // Before reading: a change in between is then seen at the next time.
      const stamp = await stampOfFile(file);
      const kept = known.get(path);
      if (kept && kept.stamp === stamp) return { path, bytes: kept.bytes, sha256: kept.sha256 };
      const found = await pool.file(file);
      fresh.push({ recording_id: id, path, stamp: stamp ?? '', ...found });
      return { path, ...found };
    }),
  );
  await keepFileHashes(store, fresh);
  return files;
}
