import { StudioError } from '../../schemas/errors.ts';
import type { FrozenTask } from '../../schemas/frozen-task.ts';
import { findFile } from '../files/inside.ts';
import type { Workspace } from '../store/workspace.ts';
import type { TaskBrief } from './brief.ts';
import { sha256Of } from './hashes.ts';

/** The part of tasks that a frozen version keeps. */

/** A place that the studio itself gives to a task's file: a snapshot may have come from anywhere. */
export const isTaskFile = (file: string): boolean =>
  /^attachments\/(?!\.)[^/\\:\p{C}]+\/(?!\.)[^/\\:\p{C}]+$/u.test(file);

/**
 * A task's answer, kind, source and files by their hashes. Several recordings of a task ask for it: each file is read once a
 * freeze (`known`). Throws BAD_FILE when one is not there.
 */
export async function freezeTask(
  { dir }: Pick<Workspace, 'dir'>,
  task: string,
  brief: TaskBrief,
  known: Map<string, FrozenTask>,
  signal: AbortSignal | undefined,
): Promise<FrozenTask> {
  const before = known.get(task);
  if (before) return before;
  const files: FrozenTask['files'] = [];
  for (const one of brief.files) {
    const path = isTaskFile(one.file) ? findFile(dir, one.file) : null;
    if (path === null) {
      throw new StudioError(
        'BAD_FILE',
        `The file "${one.name}" of task ${task} is missing from the workspace (${one.file}). Put it back, or remove it from the task.`,
        { file: one.file, task },
      );
    }
    const { sha256, bytes } = await sha256Of(path, signal);
    files.push({ ...one, bytes, sha256 });
  }
  const frozen = { ...brief, files };
  known.set(task, frozen);
  return frozen;
}
