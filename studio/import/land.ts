import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { append } from '../../core/lists.ts';
import { passedOver } from '../../native/log/log.ts';
import { errorBody, StudioError } from '../../schemas/errors.ts';
import type { ArrivalFile } from '../../schemas/history.ts';
import type { Recording } from '../../schemas/recording.ts';
import { recoverRecording } from '../capture/recover.ts';
import { flushFolder, flushTree } from '../files/atomic.ts';
import { pathExists } from '../files/folder.ts';
import { hasFile } from '../files/inside.ts';
import { makeTreePrivate } from '../files/private.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { fillAnswer } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';
import { noteArrival } from './arrival-file.ts';
import { CARRIED_NAMES } from './carried.ts';
import { checkRecording } from './check-recording.ts';
import { beginImport, endBeginning, giveUpBeginning, removeKilled } from './leftovers.ts';
import { type ImportLimits, LIMITS } from './limits.ts';

export type ImportOptions = {
  signal: AbortSignal;
  report(progress: number, message: string): void;
  limits?: ImportLimits;
  /** Says where the checked copy belongs. Gives what is to be said. */
  place?(folder: string, recording: Recording): Promise<string[]>;
  /** What its task is to have once the recording is there. */
  owed?: Owed;
};
/** A file of the recording, as the task's transcript; an answer, where it has none. */
export type Owed = Pick<ArrivalFile, 'transcript' | 'answer'>;
export type Imported = { entry: RecordingEntry; warnings: string[] };

/** Where an import is put together: a folder that no index sees, with the import's bounds. */
export type Building = {
  folder: string;
  limits: ImportLimits;
  signal: AbortSignal;
  /** 0 to 1 of the building itself. */
  report(share: number, message: string): void;
};

/**
 * Lets `build` fill a new folder with a recording, checks every line of it as if it came from a stranger, and only then
 * gives it its name. Throws what `build` throws, BAD_FILE, FUTURE_VERSION, TARGET_EXISTS for an id that is there,
 * DISK_FULL, CANCELLED; nothing is left behind then. `source`: how messages name what was imported.
 */
export async function landRecording(
  workspace: Workspace,
  source: string,
  { signal, report, limits = LIMITS, place, owed = {} }: ImportOptions,
  build: (building: Building) => Promise<void>,
): Promise<Imported> {
  await removeKilled(workspace);
  const temporary = beginImport(workspace.recordingsDir);
  try {
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
    append(warnings, (await place?.(temporary, recording)) ?? []);
    // Left open by a crash on the other machine: closed here, as `recover` would (D2).
    if (recording.state === 'recording') await recoverRecording(temporary);
    signal.throwIfAborted();
    const folder = join(workspace.recordingsDir, recording.id);
    const { answer } = owed;
    const transcript = owed.transcript && hasFile(temporary, owed.transcript.file) ? owed.transcript : undefined;
    if (transcript || answer || CARRIED_NAMES.some((name) => hasFile(temporary, name)))
      noteArrival(temporary, recording.id, { transcript, answer });
    await makeTreePrivate(temporary);
    // The database keeps what it is told through a power cut: so must the files that it names.
    await flushTree(temporary);
    signal.throwIfAborted();
    try {
      await rename(temporary, folder);
    } catch (error) {
      // Another program has imported it meanwhile.
      await refuseKnown(workspace, recording.id);
      throw error;
    }
    flushFolder(workspace.recordingsDir);
    const entry = await workspace.indexRecording(folder).catch(async (error: unknown) => {
      await rm(folder, { recursive: true, force: true });
      throw error;
    });
    await endBeginning(temporary);
    // Whoever comes to the same task next sees it. It is noted, and given when what came along is taken, should this fail.
    if (answer)
      await fillAnswer(workspace.store, entry.task, answer).catch(
        passedOver('answer not filled in', { recording: entry.id }),
      );
    report(1, 'imported');
    return { entry, warnings };
  } catch (error) {
    await giveUpBeginning(workspace, temporary);
    if (signal.aborted) throw new StudioError('CANCELLED', 'The import was stopped; nothing was kept.', {});
    throw inTheirTerms(error, temporary, source);
  }
}

async function refuseKnown(workspace: Workspace, id: string): Promise<void> {
  await workspace.syncIndex();
  const known = (await workspace.listAll()).find((entry) => entry.id === id);
  if (!known && !(await pathExists(join(workspace.recordingsDir, id)))) return;
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
  return new StudioError(
    body.code,
    body.message.replaceAll(temporary, () => source),
    body.details,
    { cause: error },
  );
}
