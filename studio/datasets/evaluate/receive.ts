import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StudioError } from '../../../schemas/errors.ts';
import { removeForgotten } from '../../files/folder.ts';
import type { Workspace } from '../../store/workspace.ts';
import { incomingDir } from './runs.ts';

/** Files that a page sends: predictions, and cases with a critic's scores. */

type Place = Pick<Workspace, 'dir'>;

/** The largest file that a page may send, bytes. */
const MOST_BYTES = 2 * 1024 ** 3;
/** How long a file that was sent and never scored is kept. */
const FORGOTTEN_MS = 24 * 3600_000;

/** Keeps what a page sends until it is scored; gives its name. Throws BAD_FILE when it is empty or too large. */
export async function receivePredictions(workspace: Place, body: ReadableStream<Uint8Array> | null): Promise<string> {
  const folder = incomingDir(workspace);
  await removeForgotten(folder, /./, FORGOTTEN_MS);
  const upload = randomUUID();
  const file = join(folder, `${upload}.jsonl`);
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, next) {
      bytes += chunk.length;
      next(bytes > MOST_BYTES ? tooLarge() : null, chunk);
    },
  });
  try {
    if (body) await pipeline(Readable.from(body), counted, createWriteStream(file, { flags: 'wx' }));
    if (bytes === 0) {
      throw new StudioError('BAD_FILE', 'The file is empty. It wants lines of {"id", "prediction"}, or of cases.', {});
    }
    return upload;
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

const tooLarge = (): StudioError =>
  new StudioError('BAD_FILE', 'The file is larger than 2 GB. Give its path on this machine instead.', {});
