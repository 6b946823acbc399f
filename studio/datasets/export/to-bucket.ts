import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { passedOver } from '../../../native/log/log.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { openBlobs } from '../../files/blobs/open.ts';
import { refuseCancelled } from '../../store/jobs/cancelled.ts';
import { listTargetFiles } from './target.ts';

/** Below each export's own files: whoever finds it finds all that it names. */
const MANIFEST = 'manifest.json';

/**
 * Runs `write` on a folder of this machine, inside `beside`, and puts what it wrote to `address` (`s3://bucket/prefix`), manifests last. On any
 * failure nothing stays there. Throws TARGET_EXISTS when something is there, what openBlobs throws, DISK_FAILED, CANCELLED.
 */
export async function writeToBucket<T>(
  address: string,
  beside: string,
  write: (folder: string) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const blobs = await openBlobs(address);
  const { keys } = await blobs.list({ most: 1, ...(signal && { signal }) });
  if (keys.length > 0) {
    const message = `${blobs.place} is not empty. Choose another place or remove what is there first.`;
    throw new StudioError('TARGET_EXISTS', message, { out: address });
  }
  await mkdir(beside, { recursive: true });
  const folder = await mkdtemp(path.join(beside, '.to-s3-partial-'));
  const put: string[] = [];
  try {
    const result = await write(path.join(folder, 'export'));
    const files = await listTargetFiles(path.join(folder, 'export'));
    const isManifest = (file: string): boolean => path.posix.basename(file) === MANIFEST;
    for (const file of [...files.filter((one) => !isManifest(one)), ...files.filter(isManifest)]) {
      refuseCancelled(signal);
      put.push(file);
      await blobs.put(file, untilCancelled(path.join(folder, 'export', file), signal));
    }
    return result;
  } catch (error) {
    for (const file of put.reverse()) await blobs.remove(file).catch(passedOver('export not removed'));
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A request on its way is waited for: one that is broken off may still be carried out, after its file was removed. */
async function* untilCancelled(file: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  for await (const piece of createReadStream(file)) {
    refuseCancelled(signal);
    yield piece as Buffer;
  }
}
