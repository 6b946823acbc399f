import { matcher } from '../../core/curate/filter.ts';
import { groupsAround } from '../../core/curate/groups.ts';
import { mix } from '../../core/curate/mix.ts';
import { similarGoals } from '../../core/curate/similar-goals.ts';
import { similarGroups } from '../../core/curate/similar-screens.ts';
import {
  type DataRow,
  type Duplicates,
  type DuplicateWishes,
  duplicatesSchema,
  type GoalGroup,
  type ScreenGroup,
} from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { RECORDING_STATES } from '../../schemas/task-terms.ts';
import { addDismissed, dismissedGroups, keepFinding, readFinding, removeDismissed } from '../store/curation.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Counting, datasetRows } from './rows.ts';
import { hashScreens, type SeenScreen } from './screens.ts';

/** Near duplicates: searched on demand, kept until the next search; what people dismissed stays dismissed. */

const KEY = 'duplicates';
/** Groups of screens that are kept and shown; the largest come first. */
const MOST_GROUPS = 2000;
/** Members of a group that are named. */
const MOST_MEMBERS = 500;

type SearchOptions = { signal?: AbortSignal | undefined; report?(share: number, message: string): void };

/** Searches and keeps what it finds. Throws CANCELLED: the last result stays then. */
export async function findDuplicates(
  workspace: Workspace,
  wishes: DuplicateWishes,
  { signal, report }: SearchOptions = {},
): Promise<Duplicates> {
  await workspace.syncIndex();
  const counting: Counting = { signal, report: (done, all) => report?.((0.1 * done) / all, 'counting') };
  const { rows } = await datasetRows(workspace, counting);
  const chosen = keepersFirst(rows.filter(matcher(wishes.filter)));
  report?.(0.1, 'comparing goals');
  const goals = goalGroups(chosen, wishes.goals);
  const seen =
    wishes.screens === null
      ? { screens: [], skipped: [] }
      : await hashScreens(workspace, chosen, {
          signal,
          report: (done, all) =>
            report?.(0.1 + (0.8 * done) / all, `looking at screens (recording ${done + 1} of ${all})`),
        });
  report?.(0.9, 'comparing screens');
  const screens = wishes.screens === null ? [] : screenGroups(seen.screens, wishes.screens);
  const found: Duplicates = { ranAt: new Date().toISOString(), wishes, goals, screens, skipped: seen.skipped };
  if (signal?.aborted) throw new StudioError('CANCELLED', 'The search was stopped; the last result stays.', {});
  await keepFinding(workspace.store, KEY, found);
  return readDuplicates(workspace);
}

/** The last search's result, with the groups that were dismissed since. */
export async function readDuplicates({ store }: Pick<Workspace, 'store'>): Promise<Duplicates> {
  const kept = duplicatesSchema.safeParse(await readFinding(store, KEY));
  // A result that an older program kept in another shape is searched anew.
  if (!kept.success) return { ranAt: null, wishes: null, goals: [], screens: [], skipped: [] };
  const dismissed = await dismissedGroups(store);
  const isDismissed = (kind: string, members: readonly string[]): boolean =>
    dismissed.some((one) => one.kind === kind && members.every((member) => one.members.has(member)));
  const { goals, screens, ...rest } = kept.data;
  return {
    ...rest,
    goals: goals.map((group) => ({ ...group, dismissed: isDismissed('goals', membersOf(group)) })),
    screens: screens.map((group) => ({ ...group, dismissed: isDismissed('screens', membersOf(group)) })),
  };
}

/**
 * Says that a group is none, or that it is one after all. It holds for its members: a group that lost some is still
 * dismissed, one that gained somebody is shown again. Throws UNKNOWN_FILE for a group that was not found last.
 */
export async function dismissGroup(workspace: Workspace, id: string, dismissed: boolean): Promise<void> {
  const { goals, screens } = await readDuplicates(workspace);
  const kind = goals.some((group) => group.id === id) ? 'goals' : 'screens';
  const group = [...goals, ...screens].find((one) => one.id === id);
  if (!group) {
    throw new StudioError(
      'UNKNOWN_FILE',
      `There is no group "${id.slice(0, 60)}" among the near duplicates. Search again.`,
      {
        group: id.slice(0, 60),
      },
    );
  }
  const members = membersOf(group);
  await workspace.store.transaction(async (trx) => {
    for (const known of await dismissedGroups(trx)) {
      const isOf = known.kind === kind && members.every((member) => known.members.has(member));
      if (isOf) await removeDismissed(trx, known.id);
    }
    if (dismissed) await addDismissed(trx, { id, kind, members });
  });
}

/** Tasks that are near duplicates by the last search, dismissed groups left out. */
export async function duplicateTasks(workspace: Pick<Workspace, 'store'>): Promise<string[][]> {
  const { goals } = await readDuplicates(workspace);
  return goals.filter(({ dismissed }) => !dismissed).map(({ members }) => members.map(({ task }) => task));
}

function membersOf(group: GoalGroup | ScreenGroup): string[] {
  return group.members.map((one) => ('action' in one ? one.action : one.task)).sort();
}

/** The further the work, the more boxes, the older: the rather it is kept. */
function keepersFirst(rows: readonly DataRow[]): DataRow[] {
  const rank = ({ state }: DataRow): number => (state === 'rejected' ? -1 : RECORDING_STATES.indexOf(state));
  return rows.toSorted(
    (a, b) =>
      rank(b) - rank(a) ||
      (b.boxes ?? 0) - (a.boxes ?? 0) ||
      (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : a.recording < b.recording ? -1 : 1),
  );
}

function goalGroups(rows: readonly DataRow[], least: number): GoalGroup[] {
  const tasks = [...Map.groupBy(rows, ({ task }) => task).values()].map((some) => some[0]!);
  const pairs = similarGoals(
    tasks.map(({ goal }) => goal),
    least,
  );
  return groupsAround(tasks.length, pairs).map(({ keeper, others }) => {
    const member = (at: number, similarity: number): GoalGroup['members'][number] => {
      const { task, goal, software } = tasks[at]!;
      return { task, goal, software, similarity };
    };
    const members = [member(keeper, 1), ...others.map((one) => member(one.member, one.pair.similarity))];
    return {
      id: idOf(
        'goals',
        members.map(({ task }) => task),
      ),
      members,
      dismissed: false,
    };
  });
}

/** Equal hashes are one thing first, so that a screen seen a thousand times is no million pairs. */
function screenGroups(screens: readonly SeenScreen[], most: number): ScreenGroup[] {
  const byHash = [...Map.groupBy(screens, ({ hash }) => hash)];
  const around = similarGroups(
    byHash.map(([hash]) => hash),
    most,
  );
  const inGroups = new Set(around.flatMap(({ keeper, others }) => [keeper, ...others.map(({ member }) => member)]));
  const alone = [...byHash.keys()].filter((at) => !inGroups.has(at) && byHash[at]![1].length > 1);
  const groups = [...around, ...alone.map((keeper) => ({ keeper, others: [] }))].map(({ keeper, others }) => {
    const members = [
      ...byHash[keeper]![1].map((screen) => ({ screen, distance: 0 })),
      ...others.flatMap(({ member, pair }) =>
        byHash[member]![1].map((screen) => ({ screen, distance: pair.distance })),
      ),
    ];
    return {
      id: idOf(
        'screens',
        members.map(({ screen }) => screen.action),
      ),
      members: members.slice(0, MOST_MEMBERS).map(({ screen, distance }) => {
        const { recording, task, action, frame } = screen;
        return { recording, task, action, frame, distance };
      }),
      exact: new Set(members.map(({ screen }) => screen.pixels)).size === 1,
      tasks: new Set(members.map(({ screen }) => screen.task)).size,
      dismissed: false,
    };
  });
  // Screens of one task alone say nothing of duplicates: people look at one screen for several steps.
  return groups
    .filter(({ tasks }) => tasks > 1)
    .sort((a, b) => b.tasks - a.tasks || b.members.length - a.members.length || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_GROUPS);
}

const idOf = (kind: string, members: readonly string[]): string =>
  mix(`${kind}\n${members.toSorted().join('\n')}`).toString(36);
