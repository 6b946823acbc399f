import { matcher } from '../../core/curate/filter.ts';
import { findLeaks } from '../../core/curate/leaks.ts';
import { planSplits, type SplitTask } from '../../core/curate/split.ts';
import type { DatasetFilter, Leak, SplitPlan, SplitRule } from '../../schemas/dataset.ts';
import { readSplits } from '../store/curation.ts';
import type { Workspace } from '../store/workspace.ts';
import { duplicateTasks } from './duplicates.ts';
import { taskFamilies } from './families.ts';
import { datasetRows } from './rows.ts';
import { hashScreens } from './screens.ts';
import { assignSplits } from './tags.ts';

/** The effect of splitting the tasks that the filter finds by this rule; nothing is changed. Throws USAGE. */
export async function planSplit(workspace: Workspace, rule: SplitRule, filter: DatasetFilter): Promise<SplitPlan> {
  const { rows } = await datasetRows(workspace);
  const tasks = [...Map.groupBy(rows.filter(matcher(filter)), ({ task }) => task)].map(([id, some]): SplitTask => {
    const { software, split } = some[0]!;
    return { id, software, split, recordings: some.length };
  });
  const duplicates = rule.keepDuplicatesTogether ? await duplicateTasks(workspace) : [];
  const families = taskFamilies(workspace);
  return planSplits(tasks, rule, duplicates, { families, placed: await readSplits(workspace.store) });
}

/** Does it. Throws USAGE. */
export async function applySplit(workspace: Workspace, rule: SplitRule, filter: DatasetFilter): Promise<SplitPlan> {
  const plan = await planSplit(workspace, rule, filter);
  await assignSplits(workspace, plan.assigned, 'rule');
  return plan;
}

/**
 * The tasks and screens that are in two splits. Screens that nobody looked at yet are looked at with `look`, else only counted (`screensUnseen`:
 * recordings). Throws CANCELLED.
 */
export async function leaksOf(
  workspace: Workspace,
  { filter, goals, screens }: { filter: DatasetFilter; goals: number; screens: number | null },
  { signal, look }: { signal?: AbortSignal | undefined; look: boolean },
): Promise<{ leaks: Leak[]; screensUnseen: number }> {
  const { rows } = await datasetRows(workspace, { signal });
  const chosen = rows.filter(matcher(filter));
  const split = chosen.filter((row) => row.split !== null);
  const seen =
    screens === null ? { screens: [], skipped: [] } : await hashScreens(workspace, split, { signal, known: !look });
  return { leaks: findLeaks(chosen, seen.screens, { goals, screens }), screensUnseen: seen.skipped.length };
}
