import { type Checks, checksSchema } from '../../../schemas/checks.ts';
import { CHECKS_VERSION } from '../../../schemas/checks-plain.ts';
import { readTaskFile } from '../../store/json-file.ts';
import { newestOfRole } from '../../store/task-files.ts';
import type { Workspace } from '../../store/workspace.ts';

const CHECKS = { schema: checksSchema, version: CHECKS_VERSION, word: 'checks', again: 'check' };

/** Reads a file of checks. Throws BAD_FILE with the place in it, FUTURE_VERSION. */
export const readChecks = (file: string): Checks => readTaskFile(file, CHECKS);

/** The task's own checks: its file of the role `checks`, the newest; null where it has none. */
export async function checksOfTask(workspace: Workspace, task: string): Promise<Checks | null> {
  const file = await newestOfRole(workspace, task, 'checks');
  return file === null ? null : readChecks(file);
}

/** Whether a check of the task judges what is answered at the end. */
export const wantsAnswer = async (workspace: Workspace, task: string): Promise<boolean> =>
  (await checksOfTask(workspace, task))?.checks.some(({ kind }) => kind === 'answer' || kind === 'infeasible') ?? false;
