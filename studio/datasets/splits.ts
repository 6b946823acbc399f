import { matcher } from '../../core/curate/filter.ts';
import { findLeaks } from '../../core/curate/leaks.ts';
import { planSplits, type SplitTask } from '../../core/curate/split.ts';
import type { DatasetFilter, Leak, SplitPlan, SplitRule } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { readSplits } from '../store/curation.ts';
import type { Workspace } from '../store/workspace.ts';
import { duplicateTasks } from './duplicates.ts';
import { familiesIn, taskFamilies } from './families.ts';
import { datasetRows } from './rows.ts';
import { hashScreens } from './screens.ts';
import { assignSplits } from './tags.ts';
import { readVersion } from './versions.ts';

/** The effect of splitting the tasks that the filter finds by this rule; nothing is changed. Throws USAGE. */
export async function planSplit(workspace: Workspace, rule: SplitRule, filter: DatasetFilter): Promise<SplitPlan> {
  const { rows } = await datasetRows(workspace);
  const tasks = [...Map.groupBy(rows.filter(matcher(filter)), ({ task }) => task)].map(([id, some]): SplitTask => {
    const { software, split } = some[0]!;
    return { id, software, split, recordings: some.length };
  });
  const duplicates = rule.keepDuplicatesTogether ? await duplicateTasks(workspace) : [];
  const families = await taskFamilies(workspace);
  return planSplits(tasks, rule, duplicates, { families, placed: await readSplits(workspace.store) });
}

/** Does it. Throws USAGE. */
export async function applySplit(workspace: Workspace, rule: SplitRule, filter: DatasetFilter): Promise<SplitPlan> {
  const plan = await planSplit(workspace, rule, filter);
  await assignSplits(workspace, plan.assigned, 'rule');
  return plan;
}

type LeakWishes = { filter: DatasetFilter; goals: number; screens: number | null; version?: string | undefined };
type Leaks = { leaks: Leak[]; screensUnseen: number };

/**
 * The tasks and screens that are in two splits, and templates whose instances are. Screens that nobody looked at yet are looked at with
 * `look`, else only counted (`screensUnseen`: recordings). Throws CANCELLED.
 */
export async function leaksOf(
  workspace: Workspace,
  { filter, goals, screens, version }: LeakWishes,
  { signal, look }: { signal?: AbortSignal | undefined; look: boolean },
): Promise<Leaks> {
  if (version !== undefined) return leaksOfVersion(workspace, version, { filter, goals, screens });
  const { rows } = await datasetRows(workspace, { signal });
  const chosen = rows.filter(matcher(filter));
  const split = chosen.filter((row) => row.split !== null);
  const seen =
    screens === null ? { screens: [], skipped: [] } : await hashScreens(workspace, split, { signal, known: !look });
  const leaks = findLeaks(chosen, seen.screens, { goals, screens }, await familiesIn(workspace));
  return { leaks, screensUnseen: seen.skipped.length };
}

/**
 * The leaks of a frozen version, whose splits are those of when it was frozen; its screens are not looked at. A recording that is here
 * is of the task that it has here: one that came in an archive may be called otherwise there. Throws USAGE with a filter, and what
 * reading it throws.
 */
async function leaksOfVersion(
  workspace: Workspace,
  name: string,
  { filter, goals, screens }: Omit<LeakWishes, 'version'>,
): Promise<Leaks> {
  if (Object.keys(filter).length > 0)
    throw new StudioError('USAGE', 'A frozen version is looked at as a whole: leave the filter out.', {
      version: name,
    });
  const { entries } = await readVersion(workspace, name);
  const here = new Map((await workspace.indexedRecordings()).map(({ id, task }) => [id, task]));
  const rows = entries.map(({ id, task, goal, split }) => ({ recording: id, task: here.get(id) ?? task, goal, split }));
  const leaks = findLeaks(rows, [], { goals, screens: null }, await familiesIn(workspace));
  return { leaks, screensUnseen: screens === null ? 0 : rows.filter(({ split }) => split !== null).length };
}
