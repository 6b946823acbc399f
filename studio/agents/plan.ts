import type { AgentPlan } from '../../schemas/agents.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { INJECTED } from '../../schemas/protocols.ts';
import { annotatedSubtasks } from '../datasets/annotated.ts';
import { recordsOf } from '../datasets/collect.ts';
import { openFolder } from '../recordings/closed.ts';
import { picturesOf, readKeyframeIndex } from '../recordings/stills.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import type { Workspace } from '../store/workspace.ts';

/** Ground-truth plans (VideoGUI, tables 6 and 7): subtasks and narrations of a demonstration's annotation. */

export type Inject = (typeof INJECTED)[number];

/**
 * The plan of a demonstration of the task: the one that is named, else the newest. Throws USAGE where there is none.
 */
export async function injectedPlan(
  workspace: Workspace,
  { task, goal, inject, demonstration }: { task: string; goal: string; inject: Inject; demonstration: string | null },
): Promise<AgentPlan> {
  if (inject === 'none') return { high: null, mid: null };
  const all = await workspace.listRecordings();
  const named = demonstration === null ? null : await workspace.resolveRecording(demonstration);
  const own = named ? [named] : all.filter((one) => one.task === task && one.phase === 'closed');
  for (const one of own) {
    const subtasks = await subtasksOf(workspace, one, goal);
    if (subtasks.length === 0) continue;
    return {
      high: subtasks.map(({ query }) => query),
      mid: inject === 'high' ? null : subtasks.map(({ actions }) => actions.map(({ narration }) => narration)),
    };
  }
  throw new StudioError(
    'USAGE',
    `The task ${task} has no demonstration with steps, so --inject has no plan to give. Record one, and write its subtasks on the annotation page.`,
    { task },
  );
}

async function subtasksOf(workspace: Workspace, { id, folder }: RecordingEntry, goal: string) {
  const closed = openFolder(folder);
  const { actions, meta } = closed;
  const records = await recordsOf(workspace, closed);
  const pictures = picturesOf(folder, await readKeyframeIndex(folder));
  const naming = { task: meta.task.id, recording: id, goal, language: undefined };
  return annotatedSubtasks(actions, records, pictures, naming).subtasks;
}
