import { type VerifyReport, verifyReportSchema } from '../../schemas/verify.ts';
import { hasFile, placeIn } from '../files/inside.ts';
import { isShown, VERIFY_FILE } from '../store/evidence.ts';
import { readTaskFile } from '../store/json-file.ts';
import { readRecording } from '../store/recording-folder.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { hashOfChecks } from '../store/task-files.ts';
import type { Workspace } from '../store/workspace.ts';

const REPORT = { schema: verifyReportSchema, version: 1, word: 'verdict', again: 'verify the recording again' };

/**
 * The last verdict of a demonstration, whether its task still has those checks, and whether this workspace can show what it rests
 * on (`by`: who says so); null: there is none. Throws BAD_FILE.
 */
export async function verdictKept(
  workspace: Workspace,
  { id, folder, task }: Pick<RecordingEntry, 'id' | 'folder' | 'task'>,
): Promise<{ report: VerifyReport; current: boolean; shown: boolean; by: string | null } | null> {
  if (!hasFile(folder, VERIFY_FILE)) return null;
  const report = readTaskFile(placeIn(folder, VERIFY_FILE), REPORT);
  const { verified } = readRecording(folder);
  const current = verified !== undefined && verified.checks === (await hashOfChecks(workspace, task));
  // Nobody gains by saying that something is not proven.
  const shown = !report.proven || (verified !== undefined && (await isShown(workspace, { id, folder, verified })));
  return { report, current, shown, by: verified?.by ?? null };
}
