import { benchmarkActionType } from '../actions/kinds.ts';
import type { ExportTask } from './model.ts';

/** The figures of a dataset card, as the paper gives them (videogui.txt 3.1, table 9, figures 3 and 16). */
export type ExportStatistics = {
  tasks: number;
  subtasks: number;
  actions: number;
  software: SoftwareStatistics[];
  /** Action kinds by the benchmark's names, the most frequent first. */
  kinds: { name: string; count: number; share: number }[];
  /** Screenshot resolutions by tasks, the most frequent first. */
  resolutions: { name: string; count: number }[];
  actionsPerTask: Spread | null;
  actionsPerSubtask: Spread | null;
  /** Seconds. A subtask's time runs from its first action's press to its last action's end, summed over its recordings. */
  secondsPerTask: Spread | null;
  secondsPerSubtask: Spread | null;
};

type SoftwareStatistics = {
  name: string;
  tasks: number;
  subtasks: number;
  actions: number;
  actionsPerTask: number;
  actionsPerSubtask: number;
};

export type Spread = { n: number; min: number; median: number; mean: number; max: number };

/** Adds up tasks one by one, so that an export need not hold them all. */
export type StatisticsCounter = { add(task: ExportTask): void; result(): ExportStatistics };

export function countStatistics(): StatisticsCounter {
  const software = new Map<string, { tasks: number; subtasks: number; actions: number }>();
  const kinds = new Map<string, number>();
  const resolutions = new Map<string, number>();
  const actionsPerTask: number[] = [];
  const actionsPerSubtask: number[] = [];
  const secondsPerTask: number[] = [];
  const secondsPerSubtask: number[] = [];
  return {
    add(task) {
      const actions = countActions(task);
      const known = software.get(task.app.name) ?? { tasks: 0, subtasks: 0, actions: 0 };
      software.set(task.app.name, {
        tasks: known.tasks + 1,
        subtasks: known.subtasks + task.subtasks.length,
        actions: known.actions + actions,
      });
      for (const { action } of task.subtasks.flatMap((subtask) => subtask.actions)) {
        count(kinds, benchmarkActionType(action));
      }
      count(resolutions, `${task.resolution.width} x ${task.resolution.height}`);
      actionsPerTask.push(actions);
      actionsPerSubtask.push(...task.subtasks.map((subtask) => subtask.actions.length));
      secondsPerTask.push(task.durationUs / 1e6);
      secondsPerSubtask.push(...subtaskSeconds(task));
    },
    result() {
      const actions = sum(actionsPerTask);
      return {
        tasks: actionsPerTask.length,
        subtasks: actionsPerSubtask.length,
        actions,
        software: [...software]
          .map(([name, of]) => ({
            name,
            ...of,
            actionsPerTask: of.actions / of.tasks,
            actionsPerSubtask: of.subtasks === 0 ? 0 : of.actions / of.subtasks,
          }))
          .sort((a, b) => b.tasks - a.tasks || compare(a.name, b.name)),
        kinds: frequencies(kinds).map((kind) => ({ ...kind, share: kind.count / actions })),
        resolutions: frequencies(resolutions),
        actionsPerTask: spread(actionsPerTask),
        actionsPerSubtask: spread(actionsPerSubtask),
        secondsPerTask: spread(secondsPerTask),
        secondsPerSubtask: spread(secondsPerSubtask),
      };
    },
  };
}

function countActions(task: ExportTask): number {
  return sum(task.subtasks.map((subtask) => subtask.actions.length));
}

function subtaskSeconds(task: ExportTask): number[] {
  return task.subtasks.flatMap((subtask) => {
    if (subtask.actions.length === 0) return [];
    let us = 0;
    for (const actions of Map.groupBy(subtask.actions, ({ recording }) => recording).values()) {
      us +=
        Math.max(...actions.map(({ action }) => action.end.t)) -
        Math.min(...actions.map(({ action }) => action.start.t));
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
