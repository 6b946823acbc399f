import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../../../schemas/errors.ts';
import { removeForgotten } from '../../files/folder.ts';
import { takeBody } from '../../files/take-body.ts';
import type { Workspace } from '../../store/workspace.ts';
import { incomingDir } from './runs.ts';

/** Files that a page sends: predictions, and cases with a critic's scores. */

type Place = Pick<Workspace, 'dir'>;

/** The largest file that a page may send, bytes. */
const MOST_BYTES = 2 * 1024 ** 3;
/** How long a file that was sent and never scored is kept. */
const FORGOTTEN_MS = 24 * 3600_000;

/** Keeps what a page sends until it is scored; gives its name. Throws BAD_FILE when it is empty or too large, DISK_FULL. */
export async function receivePredictions(workspace: Place, body: ReadableStream<Uint8Array> | null): Promise<string> {
  const folder = incomingDir(workspace);
  await removeForgotten(folder, /./, FORGOTTEN_MS);
  const upload = randomUUID();
  const file = join(folder, `${upload}.jsonl`);
  const bytes = body ? await takeBody(body, file, { most: MOST_BYTES, tooLarge: tooLarge() }) : 0;
  if (bytes > 0) return upload;
  await rm(file, { force: true });
  throw new StudioError('BAD_FILE', 'The file is empty. It wants lines of {"id", "prediction"}, or of cases.', {});
}

const tooLarge = (): StudioError =>
  new StudioError('BAD_FILE', 'The file is larger than 2 GB. Give its path on this machine instead.', {});
