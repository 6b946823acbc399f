import { everyDraft } from '../../core/agents/draft/fold.ts';
import { DRAFT_FOLDER, REJECTED_FILE, type RejectedLine } from '../../schemas/draft.ts';
import { StudioError } from '../../schemas/errors.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { folderIn } from '../files/inside.ts';
import { appendLine } from '../recordings/append-line.ts';
import { readDraftLogs, readRejected } from '../recordings/draft-log.ts';

/** Keeps that somebody rejects a draft, or takes that back. Throws USAGE for one that is none of the recording's. */
export async function rejectDraft(
  { id, folder }: { id: string; folder: string },
  answer: Pick<RejectedLine, 'person' | 'document' | 'draft' | 'rejected'>,
): Promise<void> {
  await withFolderLock(folder, 'rejected-drafts', async () => {
    if (!everyDraft(readDraftLogs(folder)).some((draft) => draft.id === answer.draft))
      throw new StudioError('USAGE', `Recording ${id} has no draft "${answer.draft.slice(0, 100)}".`, {
        recording: id,
      });
    // A file that cannot be read is not written on.
    readRejected(folder);
    const place = folderIn(folder, DRAFT_FOLDER);
    const line: RejectedLine = {
      schema: 'trajectory-studio/rejected-drafts',
      version: 1,
      at: new Date().toISOString(),
      ...answer,
    };
    await appendLine(place, REJECTED_FILE, line);
  });
}
