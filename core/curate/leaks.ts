import type { DataRow, Leak, ScreenRef } from '../../schemas/dataset.ts';
import { similarGoals } from './similar-goals.ts';
import { similarScreens } from './similar-screens.ts';

/** A screen that was looked at. */
export type HashedScreen = ScreenRef & { hash: string };

type LeakRow = Pick<DataRow, 'recording' | 'task' | 'goal' | 'split'>;
/** Tasks that are to share a split, with the compositions that they are of. */
type Family = { templates: readonly string[]; tasks: readonly { task: string; composition: string }[] };

/**
 * Leaks between two splits: a task, a family of tasks, near-duplicate goals, near-duplicate screens of different tasks. Rows without a
 * split leak nothing. `screens` of other recordings are passed over. Goals by similarity, then screens by distance.
 */
export function findLeaks(
  rows: readonly LeakRow[],
  screens: readonly HashedScreen[],
  limits: { goals: number; screens: number | null },
  families: readonly Family[] = [],
): Leak[] {
  const inSplit = rows.flatMap((row) => (row.split === null ? [] : [{ ...row, split: row.split }]));
  return [
    ...taskLeaks(inSplit),
    ...familyLeaks(inSplit, families),
    ...goalLeaks(inSplit, limits.goals),
    ...(limits.screens === null ? [] : screenLeaks(inSplit, screens, limits.screens)),
  ];
}

type FamilyLeak = Extract<Leak, { kind: 'family' }>;
type Placed = LeakRow & { split: string };

function taskLeaks(rows: readonly Placed[]): Leak[] {
  return [...Map.groupBy(rows, ({ task }) => task)]
    .map(([task, some]) => ({
      kind: 'task' as const,
      task,
      splits: [...new Set(some.map(({ split }) => split))].sort(),
      recordings: some.map(({ recording }) => recording).sort(),
    }))
    .filter(({ splits }) => splits.length > 1)
    .sort((a, b) => (a.task < b.task ? -1 : 1));
}

/** Families whose tasks lie in two splits. */
export function familyLeaks(rows: readonly Placed[], families: readonly Family[]): FamilyLeak[] {
  const splits = Map.groupBy(rows, ({ task }) => task);
  return families.flatMap(({ templates, tasks: all }) => {
    const tasks = all.flatMap(({ task, composition }) =>
      [...new Set(splits.get(task)?.map(({ split }) => split))].sort().map((split) => ({ task, split, composition })),
    );
    const found = [...new Set(tasks.map(({ split }) => split))].sort();
    // One task in two splits is told as that.
    const isTorn = found.length > 1 && new Set(tasks.map(({ task }) => task)).size > 1;
    return isTorn ? [{ kind: 'family' as const, templates: [...templates], splits: found, tasks }] : [];
  });
}

const MOST_TASKS = 5;

/** In one sentence, with what to do. */
export function familyLeakWords({ templates, splits, tasks }: FamilyLeak): string {
  const places = splits.map((split) => {
    const own = tasks.filter((one) => one.split === split).map(({ task, composition }) => `${task} of ${composition}`);
    const more = own.length > MOST_TASKS ? ` and ${own.length - MOST_TASKS} more` : '';
    return `${split} has ${own.slice(0, MOST_TASKS).join(', ')}${more}`;
  });
  const whose = `template ${templates.join(', ')} and its instances`;
  return `${whose} stand in ${splits.join(', ')}: ${places.join('; ')}. \`dataset split --into ${splits[0]} --task ${tasks[0]?.task}\` takes the others along; a frozen version stays as it is, so freeze it anew`;
}

function goalLeaks(rows: readonly Placed[], least: number): Leak[] {
  // A task's goal once, in each split that it stands in.
  const places = [...new Map(rows.map((row) => [`${row.task}\n${row.split}`, row])).values()].sort((a, b) =>
    a.task < b.task ? -1 : 1,
  );
  return similarGoals(
    places.map(({ goal }) => goal),
    least,
  )
    .map(({ a, b, similarity }) => ({ first: places[a]!, second: places[b]!, similarity }))
    .filter(({ first, second }) => first.split !== second.split && first.task !== second.task)
    .sort((one, two) => two.similarity - one.similarity)
    .map(({ first, second, similarity }) => ({
      kind: 'goal' as const,
      tasks: [first.task, second.task] as [string, string],
      splits: [first.split, second.split] as [string, string],
      goals: [first.goal, second.goal] as [string, string],
      similarity,
    }));
}

/** The nearest pair of each two tasks, with how many there are. */
function screenLeaks(rows: readonly Placed[], screens: readonly HashedScreen[], most: number): Leak[] {
  const splits = new Map(rows.map(({ recording, split }) => [recording, split]));
  const mine = screens.filter(({ recording }) => splits.has(recording));
  const byHash = Map.groupBy(mine, ({ hash }) => hash);
  const hashes = [...byHash.keys()].sort();
  const found = new Map<string, Extract<Leak, { kind: 'screen' }>>();
  const meet = (some: readonly HashedScreen[], others: readonly HashedScreen[], distance: number): void => {
    for (const one of firstOfEachTask(some)) {
      for (const other of firstOfEachTask(others)) {
        if (one.task >= other.task && some === others) continue;
        const pair = one.task < other.task ? ([one, other] as const) : ([other, one] as const);
        const [a, b] = [splits.get(pair[0].recording)!, splits.get(pair[1].recording)!];
        if (a === b || one.task === other.task) continue;
        const key = `${pair[0].task}\n${pair[1].task}`;
        const known = found.get(key);
        const pairs = (known?.pairs ?? 0) + 1;
        if (known && known.distance <= distance) known.pairs = pairs;
        else
          found.set(key, {
            kind: 'screen',
            screens: [refOf(pair[0]), refOf(pair[1])],
            splits: [a, b],
            distance,
            pairs,
          });
      }
    }
  };
  for (const hash of hashes) meet(byHash.get(hash)!, byHash.get(hash)!, 0);
  for (const { a, b, distance } of similarScreens(hashes, most)) {
    meet(byHash.get(hashes[a]!)!, byHash.get(hashes[b]!)!, distance);
  }
  return [...found.values()].sort((a, b) => a.distance - b.distance || b.pairs - a.pairs);
}

/** All recordings of a task share its split: one of its equal screens stands for all. */
function firstOfEachTask(screens: readonly HashedScreen[]): HashedScreen[] {
  return [...new Map(screens.map((screen) => [screen.task, screen])).values()];
}

const refOf = ({ recording, task, action, frame }: HashedScreen): ScreenRef => ({ recording, task, action, frame });
