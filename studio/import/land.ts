import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { recoverRecording } from '../record/recover.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { checkRecording } from './check-recording.ts';
import { type ImportLimits, LIMITS } from './limits.ts';

export type ImportOptions = {
  signal: AbortSignal;
  report(progress: number, message: string): void;
  limits?: ImportLimits;
};
export type Imported = { entry: RecordingEntry; warnings: string[] };

/** Where an import is put together: a folder that no index sees, with the import's bounds. */
export type Building = {
  folder: string;
  limits: ImportLimits;
  signal: AbortSignal;
  /** 0 to 1 of the building itself. */
  report(share: number, message: string): void;
};

/** A name with a dot first is no recording to the index. */
const IMPORT_PREFIX = '.import-';

/**
 * Lets `build` fill a new folder with a recording, checks every line of it as if it came from a stranger, and only then
 * gives it its name. Throws what `build` throws, BAD_FILE, FUTURE_VERSION, TARGET_EXISTS for an id that is there,
 * DISK_FULL, CANCELLED; nothing is left behind then. `source`: how messages name what was imported.
 */
export async function landRecording(
  workspace: Workspace,
  source: string,
  { signal, report, limits = LIMITS }: ImportOptions,
  build: (building: Building) => Promise<void>,
): Promise<Imported> {
  const temporary = join(workspace.recordingsDir, `${IMPORT_PREFIX}${randomUUID()}`);
  try {
    mkdirSync(temporary);
    await build({
      folder: temporary,
      limits,
      signal,
      report: (share, message) => report(0.6 * Math.min(1, share), message),
    });
    const { recording, warnings } = await checkRecording(temporary, limits, signal, (share) =>
      report(0.6 + 0.3 * share, 'checking every line'),
    );
    await refuseKnown(workspace, recording.id);
    // Left open by a crash on the other machine: closed here, as `recover` would (D2).
    if (recording.state === 'recording') await recoverRecording(temporary);
    signal.throwIfAborted();
    const folder = join(workspace.recordingsDir, recording.id);
    renameSync(temporary, folder);
    try {
      const entry = await workspace.indexRecording(folder);
      report(1, 'imported');
      return { entry, warnings };
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  } catch (error) {
    if (signal.aborted) throw new StudioError('CANCELLED', 'The import was stopped; nothing was kept.', {});
    throw inTheirTerms(error, temporary, source);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function refuseKnown(workspace: Workspace, id: string): Promise<void> {
  await workspace.syncIndex();
  const known = (await workspace.listRecordings()).find((entry) => entry.id === id);
  if (!known && !existsSync(join(workspace.recordingsDir, id))) return;
  throw new StudioError(
    'TARGET_EXISTS',
    `Recording ${id} is in this workspace already. To take the other copy, first move this one to the trash.`,
    { recording: id },
  );
}

/** Messages name the file that the person gave, not the copy that is gone by now. */
function inTheirTerms(error: unknown, temporary: string, source: string): unknown {
  const body = errorBody(error);
  if (!body.message.includes(temporary)) return error;
  return new StudioError(body.code, body.message.replaceAll(temporary, source), body.details, { cause: error });
}
