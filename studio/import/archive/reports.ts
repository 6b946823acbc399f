import { join } from 'node:path';
import { z } from 'zod';
import { passedOver } from '../../../native/log/log.ts';
import { type ArchiveReport, archiveReportSchema } from '../../../schemas/api/archives.ts';
import { errorBody, isPassing } from '../../../schemas/errors.ts';
import { freePath } from '../../files/folder.ts';
import { keepFinding, readFinding } from '../../store/curation.ts';
import type { Workspace } from '../../store/workspace.ts';

/** Results of the last archives that were made and imported here, for the page. */

const KEY = 'archives';
const KEPT = 20;
const MOST_NOTES = 200;
const keptSchema = z.array(archiveReportSchema);

/** The newest first. */
export async function archiveReports({ store }: Pick<Workspace, 'store'>): Promise<ArchiveReport[]> {
  // Perhaps written by another version of this program: then the list begins anew.
  const kept = keptSchema.safeParse(await readFinding(store, KEY));
  return kept.success ? kept.data : [];
}

type Done = Partial<
  Pick<ArchiveReport, 'version' | 'versionKnown' | 'recordings' | 'known' | 'bytes' | 'resumed' | 'forked'>
> & {
  /** The result's own, so that what is added to them is told with it. */
  notes: string[];
};

/** Does the work and notes what became of it, also when it throws. */
export async function noted<T>(
  workspace: Pick<Workspace, 'store'>,
  about: Pick<ArchiveReport, 'kind' | 'file'>,
  work: () => Promise<T>,
  tell: (result: T) => Done,
): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    const { code, message } = errorBody(error);
    await note(workspace, about, { notes: [] }, { code, message }).catch(passedOver('report not stored'));
    throw error;
  }
  const done = tell(result);
  try {
    await note(workspace, about, done, null);
  } catch (error) {
    // It is done all the same: whoever did it again would only find it there.
    const { code, message } = errorBody(error);
    if (!isPassing(code)) throw error;
    done.notes.push(`the list of archives does not name it: ${message}`);
  }
  return result;
}

async function note(
  { store }: Pick<Workspace, 'store'>,
  about: Pick<ArchiveReport, 'kind' | 'file'>,
  { notes, ...done }: Done,
  error: ArchiveReport['error'],
): Promise<void> {
  const report: ArchiveReport = {
    at: new Date().toISOString(),
    ...about,
    version: null,
    versionKnown: false,
    recordings: 0,
    known: 0,
    bytes: null,
    resumed: 0,
    ...done,
    notes: notes.slice(0, MOST_NOTES),
    noteCount: notes.length,
    error,
  };
  await keepFinding(store, KEY, [report, ...(await archiveReports({ store }))].slice(0, KEPT));
}

/** A name for an archive that is not there yet: the same as before while one is only half written, so that it goes on. */
export const suggestArchive = (
  { exportsDir }: Pick<Workspace, 'exportsDir'>,
  version: string | undefined,
): Promise<string> => freePath(join(exportsDir, version ?? 'workspace'), '.tar');
