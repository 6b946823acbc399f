import { connected } from '../../core/curate/groups.ts';
import { familyLeaks, familyLeakWords } from '../../core/curate/leaks.ts';
import { compositionHeads } from '../documents/joined/composition-heads.ts';
import { readSplits } from '../store/curation.ts';
import type { Workspace } from '../store/workspace.ts';

/** Tasks of templates and their instances: `templates` are those that it comes from, `tasks` each with a composition that names it. */
export type TaskFamily = { templates: string[]; tasks: { task: string; composition: string }[] };

/**
 * Tasks that never lie in two splits: those of a template and of all its instances (docs/compositions.md, "Templates"), as long as
 * their compositions are here. Two templates that share a task are one family. Instances whose template is gone are one all the same.
 */
export async function familiesIn({ dir }: Pick<Workspace, 'dir'>): Promise<TaskFamily[]> {
  const read = (await compositionHeads({ dir })).filter(({ why }) => why === null);
  const templates = new Set(read.flatMap(({ origin }) => origin?.template ?? []));
  const members = read
    .filter(({ id, origin }) => origin !== null || templates.has(id))
    .map((one) => ({
      composition: one.id,
      template: one.origin?.template ?? one.id,
      tasks: [...one.tasks],
    }));
  const groups = [...Map.groupBy(members, ({ template }) => template).values()];
  const named = new Map(members.toReversed().flatMap((one) => one.tasks.map((task) => [task, one] as const)));
  return connected(groups.map((all) => all.flatMap(({ tasks }) => tasks))).map((tasks) => {
    const own = new Set(tasks);
    const of = groups.filter((all) => all.some((one) => one.tasks.some((task) => own.has(task))));
    return {
      templates: of.flatMap(([first]) => first?.template ?? []).sort(),
      tasks: tasks.map((task) => ({ task, composition: named.get(task)?.composition ?? '' })),
    };
  });
}

/** Families whose tasks lie in two splits, in words. */
export async function tornFamilies({ dir, store }: Pick<Workspace, 'dir' | 'store'>): Promise<string[]> {
  const families = await familiesIn({ dir });
  if (families.length === 0) return [];
  const placed = [...(await readSplits(store))].map(([task, split]) => ({ recording: '', task, goal: '', split }));
  return familyLeaks(placed, families).map(familyLeakWords);
}

export const taskFamilies = async (place: Pick<Workspace, 'dir'>): Promise<string[][]> =>
  (await familiesIn(place)).map(({ tasks }) => tasks.map(({ task }) => task));
