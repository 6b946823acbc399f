import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SnapshotFile } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { Workspace } from '../store/workspace.ts';

/** What a file is known by without reading it. Null when there is none. */
export async function stampOfFile(file: string): Promise<string | null> {
  const info = await stat(file, { bigint: true }).catch(() => null);
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
    const why = error instanceof Error ? error.message : String(error);
    throw new StudioError('BAD_FILE', `${file} cannot be read: ${why}.`, { file }, { cause: error });
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** A file of a recording with its hash, which is kept while size, time and inode stay. `path` has `/`. Throws BAD_FILE. */
export async function hashRecordingFile(
  { db }: Pick<Workspace, 'db'>,
  { id, folder }: { id: string; folder: string },
  path: string,
  signal?: AbortSignal | undefined,
): Promise<SnapshotFile> {
  const file = join(folder, ...path.split('/'));
  // Before reading: a change in between is then seen at the next time.
  const stamp = await stampOfFile(file);
  const known = await db
    .selectFrom('file_hashes')
    .selectAll()
    .where('recording_id', '=', id)
    .where('path', '=', path)
    .executeTakeFirst();
  if (known && known.stamp === stamp) return { path, bytes: known.bytes, sha256: known.sha256 };
  const found = await sha256Of(file, signal);
  const values = { stamp: stamp ?? '', ...found };
  await db
    .insertInto('file_hashes')
    .values({ recording_id: id, path, ...values })
    .onConflict((conflict) => conflict.columns(['recording_id', 'path']).doUpdateSet(values))
    .execute();
  return { path, ...found };
}
