import type { DatasetStatistics, Distribution } from '../../schemas/dataset.ts';
import { percent, plural } from '../ui/format.ts';
import { STATE_NAMES } from '../ui/states.tsx';
import { binLabel, binsOf } from './plots/bins.ts';
import type { BarItem, HistogramBin } from './plots/svg.tsx';
import type { PlotTable } from './plots/table.ts';

/** The figures of a data set as plots: pure, so that words and numbers can be held to each other. */

type Named = { title: string; caption: string; file: string; table: PlotTable };
type BarsPlot = Named & { kind: 'bars'; items: BarItem[] };
type HistogramPlot = Named & {
  kind: 'histogram';
  bins: HistogramBin[];
  median: number | null;
  medianLabel: string;
  xLabel: string;
};
export type Plot = BarsPlot | HistogramPlot;

/** More bars than this are left to the table. */
const MOST_BARS = 40;
const FREQUENT_WORDS = 25;
const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 1 });

/** In the order of the paper (3.1, figure 3; table 9; figures 16, 17); without those that nothing is known for. */
export function plotsOf(statistics: DatasetStatistics): Plot[] {
  const { software, words } = statistics;
  const state = (name: string): string => (STATE_NAMES as Readonly<Record<string, string>>)[name] ?? name;
  const plots: (Plot | null)[] = [
    softwarePlot(software),
    counted('Kinds of actions', 'kinds', 'Kind', statistics.kinds, 'action'),
    histogram('Actions a task', 'actions-per-task', statistics.actionsPerTask, 'actions', 'recording', true),
    histogram('Actions a subtask', 'actions-per-subtask', statistics.actionsPerSubtask, 'actions', 'subtask', true),
    histogram('Recording time', 'seconds-per-task', statistics.secondsPerTask, 'seconds', 'recording', false),
    histogram('Time of a subtask', 'seconds-per-subtask', statistics.secondsPerSubtask, 'seconds', 'subtask', false),
    counted('Resolutions', 'resolutions', 'Resolution', statistics.resolutions, 'recording'),
    counted('Splits', 'splits', 'Split', statistics.splits, 'recording'),
    counted(
      'States',
      'states',
      'State',
      statistics.states.map((one) => ({ ...one, name: state(one.name) })),
      'recording',
    ),
    histogram('Words of goals', 'words-of-goals', words.goals, 'words', 'goal', true),
    histogram('Words of subtasks', 'words-of-subtasks', words.subtasks, 'words', 'subtask', true),
    histogram('Words of narrations', 'words-of-narrations', words.narrations, 'words', 'narration', true),
    frequent(statistics.frequentWords),
  ];
  return plots.filter((plot) => plot !== null);
}

function softwarePlot(software: DatasetStatistics['software']): BarsPlot | null {
  const [first] = software;
  if (!first) return null;
  const tasks = software.reduce((sum, one) => sum + one.tasks, 0);
  return {
    kind: 'bars',
    title: 'Tasks by software',
    file: 'software',
    caption: `${plural(tasks, 'task')} in ${plural(software.length, 'software', 'software')}; most in ${first.name}, ${plural(first.tasks, 'task')} (${percent(first.tasks / tasks)}).`,
    items: software
      .slice(0, MOST_BARS)
      .map((one) => ({ name: one.name, value: one.tasks, note: percent(one.tasks / tasks) })),
    table: {
      columns: [
        'Software',
        'Tasks',
        'Recordings',
        'Subtasks',
        'Actions',
        'Seconds',
        'Actions a task',
        'Actions a subtask',
      ],
      rows: software.map((one) => [
        one.name,
        one.tasks,
        one.recordings,
        one.subtasks,
        one.actions,
        one.seconds,
        one.actionsPerTask,
        one.actionsPerSubtask,
      ]),
    },
  };
}

function counted(
  title: string,
  file: string,
  column: string,
  list: DatasetStatistics['kinds'],
  thing: string,
): BarsPlot | null {
  const [first] = [...list].sort((a, b) => b.count - a.count);
  if (!first) return null;
  const total = list.reduce((sum, { count }) => sum + count, 0);
  return {
    kind: 'bars',
    title,
    file,
    caption: `${plural(total, thing)}, ${plural(list.length, column.toLowerCase())}; ${first.name} is the most frequent, ${percent(first.share)}.`,
    items: list.slice(0, MOST_BARS).map(({ name, count, share }) => ({ name, value: count, note: percent(share) })),
    table: { columns: [column, 'Count', 'Share'], rows: list.map(({ name, count, share }) => [name, count, share]) },
  };
}

function histogram(
  title: string,
  file: string,
  { spread, values }: Distribution,
  unit: string,
  thing: string,
  whole: boolean,
): HistogramPlot | null {
  if (spread === null || values.length === 0) return null;
  const bins = binsOf(values);
  const [first] = bins;
  const width = first ? first.to - first.from : 1;
  // Whole numbers stand in the middle of a bin of their own; measured ones where they lie.
  const offset = whole ? 0.5 / width : 0;
  // One bar stands for its one value, wherever in it that lies.
  const medianAt = (): number => (bins.length === 1 ? 0.5 : (spread.median - (first?.from ?? 0)) / width + offset);
  return {
    kind: 'histogram',
    title,
    file,
    caption: `Of ${plural(spread.n, thing)}: median ${figure(spread.median)} ${unit}, mean ${figure(spread.mean)}, from ${figure(spread.min)} to ${figure(spread.max)}.`,
    bins: bins.map((bin) => ({ label: binLabel(bin, whole), from: bin.from, count: bin.count })),
    median: first ? medianAt() : null,
    medianLabel: `median ${figure(spread.median)}`,
    xLabel: unit,
    table: {
      columns: [unit.charAt(0).toUpperCase() + unit.slice(1), 'Count'],
      rows: bins.map((bin) => [binLabel(bin, whole), bin.count]),
    },
  };
}

function frequent(words: DatasetStatistics['frequentWords']): BarsPlot | null {
  const [first] = words;
  if (!first) return null;
  const shown = words.slice(0, FREQUENT_WORDS);
  return {
    kind: 'bars',
    title: 'Frequent words',
    file: 'frequent-words',
    caption: `Of goals, subtasks and narrations: “${first.word}” stands there ${plural(first.count, 'time')}. The ${plural(shown.length, 'most frequent word')}; the table has ${words.length}.`,
    items: shown.map(({ word, count }) => ({ name: word, value: count })),
    table: { columns: ['Word', 'Count'], rows: words.map(({ word, count }) => [word, count]) },
  };
}
