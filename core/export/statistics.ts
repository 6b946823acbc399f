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

export type SoftwareStatistics = {
  name: string;
  tasks: number;
  subtasks: number;
  actions: number;
  actionsPerTask: number;
  actionsPerSubtask: number;
};

export type Spread = { n: number; min: number; median: number; mean: number; max: number };

export function exportStatistics(tasks: readonly ExportTask[]): ExportStatistics {
  const subtasks = tasks.flatMap((task) => task.subtasks);
  const actions = subtasks.flatMap((subtask) => subtask.actions);
  return {
    tasks: tasks.length,
    subtasks: subtasks.length,
    actions: actions.length,
    software: [...Map.groupBy(tasks, ({ app }) => app.name)]
      .map(([name, of]) => software(name, of))
      .sort((a, b) => b.tasks - a.tasks || compare(a.name, b.name)),
    kinds: frequencies(actions.map(({ action }) => benchmarkActionType(action))).map(({ name, count }) => ({
      name,
      count,
      share: count / actions.length,
    })),
    resolutions: frequencies(tasks.map(({ resolution }) => `${resolution.width} x ${resolution.height}`)),
    actionsPerTask: spread(tasks.map(countActions)),
    actionsPerSubtask: spread(subtasks.map((subtask) => subtask.actions.length)),
    secondsPerTask: spread(tasks.map(({ durationUs }) => durationUs / 1e6)),
    secondsPerSubtask: spread(subtaskSeconds(tasks)),
  };
}

function software(name: string, tasks: readonly ExportTask[]): SoftwareStatistics {
  const subtasks = tasks.reduce((sum, task) => sum + task.subtasks.length, 0);
  const actions = tasks.reduce((sum, task) => sum + countActions(task), 0);
  return {
    name,
    tasks: tasks.length,
    subtasks,
    actions,
    actionsPerTask: actions / tasks.length,
    actionsPerSubtask: subtasks === 0 ? 0 : actions / subtasks,
  };
}

function countActions(task: ExportTask): number {
  return task.subtasks.reduce((sum, subtask) => sum + subtask.actions.length, 0);
}

function subtaskSeconds(tasks: readonly ExportTask[]): number[] {
  return tasks.flatMap((task) =>
    task.subtasks.flatMap((subtask) => {
      if (subtask.actions.length === 0) return [];
      let us = 0;
      for (const actions of Map.groupBy(subtask.actions, ({ recording }) => recording).values()) {
        us +=
          Math.max(...actions.map(({ action }) => action.end.t)) -
          Math.min(...actions.map(({ action }) => action.start.t));
      }
      return [us / 1e6];
    }),
  );
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

function frequencies(names: readonly string[]): { name: string; count: number }[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, of]) => ({ name, count: of.length }))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
