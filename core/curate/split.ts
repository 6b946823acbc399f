import type { SplitPlan, SplitRule } from '../../schemas/dataset.ts';
import { StudioError } from '../../schemas/errors.ts';
import { append } from '../lists.ts';
import { connected } from './groups.ts';
import { mix } from './mix.ts';

/** A task that may be dealt. */
export type SplitTask = { id: string; software: string; split: string | null; recordings: number };

type Unit = { tasks: SplitTask[]; key: number };

/** How many tasks of a software, and of all, each split has. */
type Tally = { software: Map<string, number>; splits: Map<string, number>; cells: Map<string, number>; all: number };

/**
 * Deals tasks into splits: the same tasks, rule and seed give the same splits, whatever their order; tasks that have a split
 * keep it (unless `again`), so that new tasks move none. `groups`: tasks that are to share a split.
 * Groups go first, the largest ahead, each to the split that lacks most. Then each software is dealt by itself: every split
 * gets the whole part of its share, what is left over goes where all software together lack most, so that small software
 * do not all land in the largest split (controlled rounding).
 * `families` are stricter: tasks of one never lie in two splits, also where somebody had put them there.
 * Throws USAGE when the rule names a split twice.
 */
export function planSplits(
  given: readonly SplitTask[],
  { shares, seed, again }: Pick<SplitRule, 'shares' | 'seed' | 'again'>,
  groups: readonly (readonly string[])[],
  { families = [], placed = new Map() }: Families = {},
): SplitPlan {
  checkShares(shares);
  const total = shares.reduce((sum, { share }) => sum + share, 0);
  const rule = shares.map(({ split, share }) => ({ split, share: share / total }));
  const tasks = given.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const chosen = new Map<string, string>();
  if (!again) for (const { id, split } of tasks) if (split !== null) chosen.set(id, split);
  keepTogether(tasks, families, chosen, placed);
  const { units, torn } = unitsOf(tasks, [...groups, ...families], chosen, seed);
  const tally = tallyOf(tasks, chosen);
  const put = ({ tasks: some }: Unit, split: string): void => {
    for (const { id, software } of some) {
      chosen.set(id, split);
      add(tally, software, split);
    }
  };
  for (const unit of units.filter(({ tasks: some }) => some.length > 1)) put(unit, mostLacking(rule, tally));
  const single = units.filter(({ tasks: some }) => some.length === 1);
  const bySoftware = [...Map.groupBy(single, ({ tasks: [task] }) => task!.software)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const leftOver: Unit[] = [];
  for (const [software, some] of bySoftware) {
    const waiting = some.values();
    for (const { split, share } of rule) {
      const whole = Math.floor(share * tally.software.get(software)! + 1e-9);
      while (cell(tally, software, split) < whole) {
        const unit = waiting.next().value;
        if (!unit) break;
        put(unit, split);
      }
    }
    append(leftOver, waiting);
  }
  for (const unit of leftOver) put(unit, mostLacking(roomIn(rule, tally, unit.tasks[0]!.software), tally));
  return {
    assigned: tasks.flatMap(({ id, split: from }) => {
      const split = chosen.get(id)!;
      return split === from ? [] : [{ task: id, from, split }];
    }),
    shares: sharesOf(tasks, chosen),
    torn,
  };
}

/** Sets of tasks without one in common, each whole; `placed`: the splits of tasks that are not dealt. */
type Families = { families?: readonly (readonly string[])[]; placed?: ReadonlyMap<string, string> };

/** A family of which some are in a split is all of it there; those that are not dealt stay where they are. */
function keepTogether(
  tasks: readonly SplitTask[],
  families: readonly (readonly string[])[],
  chosen: Map<string, string>,
  placed: ReadonlyMap<string, string>,
): void {
  const dealt = new Set(tasks.map(({ id }) => id));
  for (const members of families) {
    const elsewhere = members.flatMap((id) => (dealt.has(id) ? [] : (placed.get(id) ?? [])));
    const split = mostFrequent(elsewhere) ?? mostFrequent(members.flatMap((id) => chosen.get(id) ?? []));
    if (split !== null) for (const id of members) if (dealt.has(id)) chosen.set(id, split);
  }
}

type Part = { split: string; share: number };

function checkShares(shares: SplitRule['shares']): void {
  const twice = shares.find(({ split }, at) => shares.findIndex((other) => other.split === split) !== at);
  if (!twice) return;
  throw new StudioError('USAGE', `The split "${twice.split}" is named twice. Give each split one share.`, {
    split: twice.split,
  });
}

/** The tasks that are still to be dealt; one that shares a split with a task that has one gets it in `chosen`. */
function unitsOf(
  tasks: readonly SplitTask[],
  groups: readonly (readonly string[])[],
  chosen: Map<string, string>,
  seed: string,
): { units: Unit[]; torn: string[][] } {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const torn: string[][] = [];
  const units: Unit[] = [];
  const grouped = new Set<string>();
  // Chains too: a leak has no respect for who proposed which keeper.
  for (const members of connected(groups.map((group) => group.filter((id) => byId.has(id))))) {
    for (const id of members) grouped.add(id);
    const fixed = members.flatMap((id) => chosen.get(id) ?? []);
    if (new Set(fixed).size > 1) torn.push(members);
    const first = mostFrequent(fixed);
    if (first === null) units.push(unitOf(members.map((id) => byId.get(id)!)));
    else for (const id of members) if (!chosen.has(id)) chosen.set(id, first);
  }
  for (const task of tasks) if (!grouped.has(task.id) && !chosen.has(task.id)) units.push(unitOf([task]));
  units.sort((a, b) => b.tasks.length - a.tasks.length || a.key - b.key || (a.tasks[0]!.id < b.tasks[0]!.id ? -1 : 1));
  return { units, torn };

  function unitOf(some: SplitTask[]): Unit {
    return { tasks: some, key: mix(`${seed}\n${some[0]!.id}`) };
  }
}

function mostFrequent(splits: readonly string[]): string | null {
  const counts = [...Map.groupBy(splits, (split) => split)].sort(
    ([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1),
  );
  return counts[0]?.[0] ?? null;
}

function tallyOf(tasks: readonly SplitTask[], chosen: ReadonlyMap<string, string>): Tally {
  const tally: Tally = { software: new Map(), splits: new Map(), cells: new Map(), all: tasks.length };
  for (const { software } of tasks) tally.software.set(software, (tally.software.get(software) ?? 0) + 1);
  for (const { id, software } of tasks) {
    const split = chosen.get(id);
    if (split !== undefined) add(tally, software, split);
  }
  return tally;
}

function add({ splits, cells }: Tally, software: string, split: string): void {
  splits.set(split, (splits.get(split) ?? 0) + 1);
  const key = `${split}\n${software}`;
  cells.set(key, (cells.get(key) ?? 0) + 1);
}

const cell = ({ cells }: Tally, software: string, split: string): number => cells.get(`${split}\n${software}`) ?? 0;

/** The split that is furthest below its share of all tasks; of equals the first of the rule. */
function mostLacking(rule: readonly Part[], { splits, all }: Tally): string {
  const lacks = ({ split, share }: Part): number => share * all - (splits.get(split) ?? 0);
  return rule.reduce((best, part) => (lacks(part) > lacks(best) + 1e-9 ? part : best)).split;
}

/** Splits whose share of this software is not yet rounded up; all when there is none. */
function roomIn(rule: readonly Part[], tally: Tally, software: string): readonly Part[] {
  const most = ({ share }: Part): number => Math.ceil(share * tally.software.get(software)! - 1e-9);
  const open = rule.filter((part) => cell(tally, software, part.split) < most(part));
  return open.length > 0 ? open : rule;
}

function sharesOf(tasks: readonly SplitTask[], chosen: ReadonlyMap<string, string>): SplitPlan['shares'] {
  const groups = Map.groupBy(tasks, ({ id, software }) => `${software}\n${chosen.get(id) ?? ''}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, some]) => ({
      software: some[0]!.software,
      split: chosen.get(some[0]!.id) ?? '',
      tasks: some.length,
      recordings: some.reduce((sum, { recordings }) => sum + recordings, 0),
    }));
}
