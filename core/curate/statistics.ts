import type { DataRow, DatasetStatistics, Distribution, Figures } from '../../schemas/dataset.ts';
import { STOP_WORDS } from './words.ts';

/** A row with what was counted of its recording; null when it could not be. */
export type CountedRow = { row: DataRow; figures: Figures | null };

const FREQUENT = 200;

/**
 * The paper's figures (videogui.txt 3.1, figure 3, table 9, figures 16 and 17) of these recordings. A task's actions and
 * seconds are those of each of its demonstrations; `software` gives names by id.
 */
export function datasetStatistics(
  rows: readonly CountedRow[],
  software: ReadonlyMap<string, string>,
): DatasetStatistics {
  const counted = rows.flatMap(({ row, figures }) => (figures ? [{ row, figures }] : []));
  const of = (some: typeof counted) => ({
    tasks: new Set(some.map(({ row }) => row.task)).size,
    recordings: some.length,
    subtasks: sum(some.map(({ figures }) => figures.subtasks.length)),
    actions: sum(some.map(({ figures }) => stepsOf(figures))),
    seconds: sum(some.map(({ row }) => row.seconds ?? 0)),
  });
  const all = of(counted);
  const subtasks = counted.flatMap(({ figures }) => figures.subtasks);
  return {
    ...all,
    uncounted: rows.length - counted.length,
    software: [...Map.groupBy(counted, ({ row }) => row.software)]
      .map(([id, some]) => {
        const own = of(some);
        return {
          id,
          name: software.get(id) ?? id,
          ...own,
          actionsPerTask: own.actions / own.recordings,
          actionsPerSubtask: own.subtasks === 0 ? 0 : own.actions / own.subtasks,
        };
      })
      .sort((a, b) => b.tasks - a.tasks || compare(a.name, b.name)),
    kinds: shares(counted.flatMap(({ figures }) => Object.entries(figures.kinds))),
    resolutions: shares(counted.flatMap(({ row }) => (row.resolution === null ? [] : [[row.resolution, 1]]))),
    splits: shares(counted.map(({ row }) => [row.split ?? '', 1])),
    states: shares(counted.map(({ row }) => [row.state, 1])),
    actionsPerTask: distribution(counted.map(({ figures }) => stepsOf(figures))),
    actionsPerSubtask: distribution(subtasks.map(({ steps }) => steps)),
    secondsPerTask: distribution(counted.flatMap(({ row }) => (row.seconds === null ? [] : [row.seconds]))),
    secondsPerSubtask: distribution(subtasks.map(({ seconds }) => seconds)),
    words: {
      goals: distribution(counted.map(({ figures }) => figures.goalWords)),
      subtasks: distribution(subtasks.flatMap(({ words }) => (words === null ? [] : [words]))),
      narrations: distribution(counted.flatMap(({ figures }) => figures.narrationWords)),
    },
    frequentWords: frequentWords(counted.map(({ figures }) => figures.words)),
  };
}

const stepsOf = ({ subtasks }: Figures): number => sum(subtasks.map(({ steps }) => steps));

function shares(pairs: readonly (readonly [name: string, count: number])[]) {
  const counts = new Map<string, number>();
  for (const [name, count] of pairs) counts.set(name, (counts.get(name) ?? 0) + count);
  const total = sum([...counts.values()]);
  return [...counts]
    .map(([name, count]) => ({ name, count, share: count / total }))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name));
}

function distribution(numbers: readonly number[]): Distribution {
  const values = numbers.toSorted((a, b) => a - b);
  const [min, max] = [values[0], values.at(-1)];
  if (min === undefined || max === undefined) return { spread: null, values };
  const middle = values.length >> 1;
  const median = values.length % 2 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
  return { spread: { n: values.length, min, median, mean: sum(values) / values.length, max }, values };
}

function frequentWords(lists: readonly Readonly<Record<string, number>>[]): { word: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const words of lists) {
    for (const [word, count] of Object.entries(words)) {
      if (STOP_WORDS.has(word) || /^\p{N}+$/u.test(word)) continue;
      counts.set(word, (counts.get(word) ?? 0) + count);
    }
  }
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || compare(a.word, b.word))
    .slice(0, FREQUENT);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
