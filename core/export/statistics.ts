import { benchmarkActionType } from '../actions/kinds.ts';
import { append, largestOf, smallestOf } from '../lists.ts';
import type { ExportTask } from './model.ts';

/** The figures of a dataset card, as the paper gives them (videogui.txt 3.1, table 9, figures 3 and 16). */
export type ExportStatistics = {
  tasks: number;
  /** The number of them that are no simple tasks (videogui.txt 3.1). */
  fullTasks: number;
  /**
   * Those that `verify` proved, those that it tried and did not, and those that came with a word that cannot be shown. Of several
   * recordings, one that is proven is enough.
   */
  proof: { proven: number; failed: number; said: number };
  subtasks: number;
  actions: number;
  software: SoftwareStatistics[];
  /** The videos that were followed, by task. */
  sources: { task: string; source: string }[];
  /** Action kinds by the benchmark's names, the most frequent first. */
  kinds: { name: string; count: number; share: number }[];
  /** Screenshot resolutions by tasks, the most frequent first. */
  resolutions: { name: string; count: number }[];
  actionsPerTask: Spread | null;
  actionsPerFullTask: Spread | null;
  actionsPerSubtask: Spread | null;
  /** Seconds. A subtask's time runs from its first action's press to its last action's end, summed over its recordings. */
  secondsPerTask: Spread | null;
  secondsPerSubtask: Spread | null;
};

/** A row of table 9. */
type SoftwareStatistics = {
  name: string;
  /** Its purpose; empty: unknown. */
  category: string;
  /** Where its tasks were done, in words or by the system that was recorded, sorted. */
  platforms: string[];
  tasks: number;
  fullTasks: number;
  /** 0 without a full task. */
  actionsPerFullTask: number;
  subtasks: number;
  actions: number;
  actionsPerTask: number;
  actionsPerSubtask: number;
};

export type Spread = { n: number; min: number; median: number; mean: number; max: number };

/** Adds up tasks one by one, so that an export need not hold them all. */
export type StatisticsCounter = { add(task: ExportTask): void; result(): ExportStatistics };

export function countStatistics(): StatisticsCounter {
  const software = new Map<string, Counted>();
  const seen = new Set<string>();
  let tasks = 0;
  let fullTasks = 0;
  const sources: ExportStatistics['sources'] = [];
  const actionsPerFullTask: number[] = [];
  const proven = new Set<string>();
  const failed = new Set<string>();
  const said = new Set<string>();
  const kinds = new Map<string, number>();
  const resolutions = new Map<string, number>();
  const actionsPerTask: number[] = [];
  const actionsPerSubtask: number[] = [];
  const secondsPerTask: number[] = [];
  const secondsPerSubtask: number[] = [];
  return {
    add(task) {
      const actions = countActions(task);
      const isFull = task.kind !== 'simple';
      // Another recording of a task is no other task.
      const own = task.another ?? task.id;
      // The first recording of a task may have been left out.
      const isNew = !seen.has(own);
      seen.add(own);
      if (isNew) tasks++;
      if (isNew && isFull) fullTasks++;
      if (task.proof === 'proven') proven.add(own);
      if (task.proof === 'failed') failed.add(own);
      if (task.proof === 'said') said.add(own);
      const known = software.get(task.app.name) ?? nothing();
      software.set(task.app.name, {
        category: known.category || (task.app.category ?? ''),
        platforms: new Set([...known.platforms, ...(platformOf(task) ?? [])]),
        tasks: known.tasks + (isNew ? 1 : 0),
        fullTasks: known.fullTasks + (isNew && isFull ? 1 : 0),
        recordings: known.recordings + 1,
        fullRecordings: known.fullRecordings + (isFull ? 1 : 0),
        fullActions: known.fullActions + (isFull ? actions : 0),
        subtasks: known.subtasks + task.subtasks.length,
        actions: known.actions + actions,
      });
      if (isFull) actionsPerFullTask.push(actions);
      if (task.source && isNew) sources.push({ task: own, source: task.source });
      for (const { action } of task.subtasks.flatMap(counted)) {
        count(kinds, benchmarkActionType(action));
      }
      count(resolutions, `${task.resolution.width} x ${task.resolution.height}`);
      actionsPerTask.push(actions);
      append(
        actionsPerSubtask,
        task.subtasks.map((subtask) => counted(subtask).length),
      );
      secondsPerTask.push(task.durationUs / 1e6);
      append(secondsPerSubtask, subtaskSeconds(task));
    },
    result() {
      const actions = sum(actionsPerTask);
      return {
        tasks,
        fullTasks,
        proof: {
          proven: proven.size,
          failed: [...failed].filter((id) => !proven.has(id)).length,
          said: [...said].filter((id) => !proven.has(id) && !failed.has(id)).length,
        },
        sources,
        subtasks: actionsPerSubtask.length,
        actions,
        software: [...software]
          .map(([name, { platforms, fullActions, recordings, fullRecordings, ...of }]) => ({
            name,
            ...of,
            platforms: [...platforms].sort(),
            actionsPerFullTask: fullRecordings === 0 ? 0 : fullActions / fullRecordings,
            actionsPerTask: of.actions / recordings,
            actionsPerSubtask: of.subtasks === 0 ? 0 : of.actions / of.subtasks,
          }))
          .sort((a, b) => b.tasks - a.tasks || compare(a.name, b.name)),
        kinds: frequencies(kinds).map((kind) => ({ ...kind, share: kind.count / actions })),
        resolutions: frequencies(resolutions),
        actionsPerTask: spread(actionsPerTask),
        actionsPerFullTask: spread(actionsPerFullTask),
        actionsPerSubtask: spread(actionsPerSubtask),
        secondsPerTask: spread(secondsPerTask),
        secondsPerSubtask: spread(secondsPerSubtask),
      };
    },
  };
}

type Counted = {
  category: string;
  platforms: ReadonlySet<string>;
  tasks: number;
  fullTasks: number;
  /** Demonstrations: of a task several may go out. */
  recordings: number;
  fullRecordings: number;
  /** In full tasks. */
  fullActions: number;
  subtasks: number;
  actions: number;
};

const nothing = (): Counted => ({
  category: '',
  platforms: new Set(),
  tasks: 0,
  fullTasks: 0,
  recordings: 0,
  fullRecordings: 0,
  fullActions: 0,
  subtasks: 0,
  actions: 0,
});

const SYSTEMS = { linux: 'Linux', windows: 'Windows', macos: 'macOS' } as const;

/** The task's own platform, else the system that was recorded. */
function platformOf({ platformWords, platform }: ExportTask): string[] | null {
  if (platformWords) return [platformWords];
  return platform && [SYSTEMS[platform]];
}

function countActions(task: ExportTask): number {
  return sum(task.subtasks.map((subtask) => counted(subtask).length));
}

/** The paper counts what a person does; resting and waiting are steps of ours that it does not have (videogui.txt 3.1). */
function counted({ actions }: ExportTask['subtasks'][number]): ExportTask['subtasks'][number]['actions'] {
  return actions.filter(({ action }) => action.kind !== 'hover' && action.kind !== 'wait');
}

function subtaskSeconds(task: ExportTask): number[] {
  return task.subtasks.flatMap((subtask) => {
    if (subtask.actions.length === 0) return [];
    let us = 0;
    for (const actions of Map.groupBy(subtask.actions, ({ recording }) => recording).values()) {
      us +=
        largestOf(actions.map(({ action }) => action.end.t)) - smallestOf(actions.map(({ action }) => action.start.t));
    }
    return [us / 1e6];
  });
}

function spread(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return {
    n: sorted.length,
    min: sorted[0]!,
    median: sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2,
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    max: sorted.at(-1)!,
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function frequencies(counts: ReadonlyMap<string, number>): { name: string; count: number }[] {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
