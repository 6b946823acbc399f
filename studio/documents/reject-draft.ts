import { open } from 'node:fs/promises';
import { everyDraft } from '../../core/agents/draft/fold.ts';
import { DRAFT_FOLDER, REJECTED_FILE, type RejectedLine } from '../../schemas/draft.ts';
import { StudioError } from '../../schemas/errors.ts';
import { withFolderLock } from '../files/folder-lock.ts';
import { folderIn, hasFile, placeIn, readIn } from '../files/inside.ts';
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
    // After a line that a kill cut, on a line of its own.
    const torn = hasFile(place, REJECTED_FILE) && readIn(place, REJECTED_FILE).at(-1) !== 10;
    const file = await open(placeIn(place, REJECTED_FILE), 'a', 0o600);
    try {
      await file.write(`${torn ? '\n' : ''}${JSON.stringify(line)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}
