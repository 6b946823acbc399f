import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import { recoverRecording } from '../record/recover.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';
import { checkRecording } from './check-recording.ts';
import { type ImportLimits, LIMITS } from './limits.ts';
import { copyFolder, unpackTar } from './unpack.ts';

export type ImportOptions = {
  signal: AbortSignal;
  report(progress: number, message: string): void;
  limits?: ImportLimits;
};
export type Imported = { entry: RecordingEntry; warnings: string[] };

/**
 * Takes a recording folder or a .tar of one into a workspace. It is copied first and checked as a copy, so that nothing
 * can change between the look and the use; it appears under its id only when all is sound.
 * Throws BAD_FILE (what is wrong, with file and line), FUTURE_VERSION, TARGET_EXISTS for an id that is there, DISK_FULL,
 * CANCELLED; nothing is left behind then.
 */
export async function importRecording(workspace: Workspace, path: string, options: ImportOptions): Promise<Imported> {
  const { signal, report, limits = LIMITS } = options;
  const source = resolve(path);
  const kind = kindOf(source, workspace);
  // A name with a dot first is no recording to the index.
  const temporary = join(workspace.recordingsDir, `.import-${randomUUID()}`);
  try {
    mkdirSync(temporary);
    const unpack = kind === 'folder' ? copyFolder : unpackTar;
    const copying = (done: number, all: number): void => report((0.6 * done) / Math.max(1, all), 'copying');
    await unpack(source, temporary, { limits, signal, report: copying });
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

function kindOf(source: string, { recordingsDir }: Workspace): 'folder' | 'archive' {
  let info: Stats;
  try {
    info = statSync(source);
  } catch {
    throw new StudioError('BAD_FILE', `${source} cannot be read: there is no such file or folder.`, { file: source });
  }
  if (source === recordingsDir || source.startsWith(recordingsDir + sep)) {
    throw new StudioError('USAGE', `${source} lies in this workspace already.`, { file: source });
  }
  if (info.isDirectory()) return 'folder';
  if (info.isFile()) return 'archive';
  throw new StudioError('BAD_FILE', `${source} is neither a folder nor an archive.`, { file: source });
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
