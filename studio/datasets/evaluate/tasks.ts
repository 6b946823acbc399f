import type { ExportTask, LeftOut } from '../../../core/export/model.ts';
import { currentKeyframes } from '../../recordings/stills.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { RecordingsWish } from '../candidates.ts';
import { collectExport } from '../collect.ts';

/** The tasks that questions can be made of: those that have steps; and the others, each with the reason. */
export async function tasksToAsk(
  workspace: Workspace,
  options: { all: boolean; recordings?: RecordingsWish | undefined; onProgress?: (text: string) => void },
): Promise<{ tasks: ExportTask[]; leftOut: LeftOut[] }> {
  const source = await collectExport(workspace, { ...options, keyframes: currentKeyframes });
  const tasks: ExportTask[] = [];
  for await (const task of source.tasks()) if (task.subtasks.length > 0) tasks.push(task);
  return { tasks, leftOut: source.leftOut() };
}
