import { StudioError } from '../../schemas/errors.ts';
import { compositionOf, removeComposition } from '../documents/joined/composition-files.ts';
import { compositionHeads } from '../documents/joined/composition-heads.ts';
import { detach, listAttachments } from '../store/attachments.ts';
import { removeTask } from '../store/task-rows.ts';
import { taskIds } from '../store/tasks.ts';
import type { Workspace } from '../store/workspace.ts';

/** An instance that was made, by the version that its file had then, and the tasks that were made for it. */
export type MadeInstance = { id: string; version: string; tasks: readonly string[] };

/**
 * Takes back what `makeInstances` made: instances as they were then, and their tasks, as far as no other composition has them and
 * nothing was recorded of them. Throws USAGE for one that is no instance of this template, CONFLICT for one that was changed since.
 */
export async function removeInstances(
  workspace: Workspace,
  template: string,
  instances: readonly MadeInstance[],
): Promise<void> {
  const tasks = new Set<string>();
  for (const { id, version, tasks: made } of instances) {
    const { origin, members } = compositionOf(workspace, id);
    if (origin?.template !== template)
      throw new StudioError('USAGE', `“${id}” is no instance of “${template}”.`, { composition: id });
    await removeComposition(workspace, { id, version });
    const own = new Set(members.map(({ task }) => task));
    for (const task of made) if (own.has(task)) tasks.add(task);
  }
  const used = new Set((await compositionHeads(workspace)).flatMap((one) => one.tasks));
  const recorded = new Set((await workspace.indexedRecordings()).map(({ task }) => task));
  const there = new Set(await taskIds(workspace.store));
  for (const task of tasks) {
    if (used.has(task) || recorded.has(task) || !there.has(task)) continue;
    for (const { id } of await listAttachments(workspace.store, task)) await detach(workspace, id);
    await removeTask(workspace.store, task);
  }
}
