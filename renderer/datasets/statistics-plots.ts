import type { DatasetStatistics, Distribution } from '../../schemas/dataset.ts';
import { english, tr } from '../language/tr.ts';
import { percent } from '../ui/format.ts';
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

const THINGS = {
  action: english('{n, plural, one {# action} other {# actions}}'),
  recording: english('{n, plural, one {# recording} other {# recordings}}'),
  subtask: english('{n, plural, one {# subtask} other {# subtasks}}'),
  goal: english('{n, plural, one {# goal} other {# goals}}'),
  narration: english('{n, plural, one {# narration} other {# narrations}}'),
  kind: english('{n, plural, one {# kind} other {# kinds}}'),
  resolution: english('{n, plural, one {# resolution} other {# resolutions}}'),
  split: english('{n, plural, one {# split} other {# splits}}'),
  state: english('{n, plural, one {# state} other {# states}}'),
} as const;
type Thing = keyof typeof THINGS;

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
    counted(tr('Kinds of actions'), 'kinds', tr('Kind'), 'kind', statistics.kinds, 'action'),
    histogram(tr('Actions per task'), 'actions-per-task', statistics.actionsPerTask, tr('actions'), 'recording', true),
    histogram(
      tr('Actions per subtask'),
      'actions-per-subtask',
      statistics.actionsPerSubtask,
      tr('actions'),
      'subtask',
      true,
    ),
    histogram(tr('Recording time'), 'seconds-per-task', statistics.secondsPerTask, tr('seconds'), 'recording', false),
    histogram(
      tr('Time per subtask'),
      'seconds-per-subtask',
      statistics.secondsPerSubtask,
      tr('seconds'),
      'subtask',
      false,
    ),
    counted(tr('Resolutions'), 'resolutions', tr('Resolution'), 'resolution', statistics.resolutions, 'recording'),
    counted(tr('Splits'), 'splits', tr('Split'), 'split', statistics.splits, 'recording'),
    counted(
      tr('States'),
      'states',
      tr('State'),
      'state',
      statistics.states.map((one) => ({ ...one, name: state(one.name) })),
      'recording',
    ),
    histogram(tr('Words per goal'), 'words-of-goals', words.goals, tr('words'), 'goal', true),
    histogram(tr('Words per subtask title'), 'words-of-subtasks', words.subtasks, tr('words'), 'subtask', true),
    histogram(tr('Words per narration'), 'words-of-narrations', words.narrations, tr('words'), 'narration', true),
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
    title: tr('Tasks by software'),
    file: 'software',
    caption: tr(
      '{tasks, plural, one {# task} other {# tasks}} in {software, plural, one {# software} other {# software}}; most in {name}, {tasksThere, plural, one {# task} other {# tasks}} ({percent}).',
      {
        tasks,
        software: software.length,
        name: first.name,
        tasksThere: first.tasks,
        percent: percent(first.tasks / tasks),
      },
    ),
    items: software
      .slice(0, MOST_BARS)
      .map((one) => ({ name: one.name, value: one.tasks, note: percent(one.tasks / tasks) })),
    table: {
      columns: [
        tr('Software'),
        tr('Tasks'),
        tr('Recordings'),
        tr('Subtasks'),
        tr('Actions'),
        tr('Seconds'),
        tr('Actions per task'),
        tr('Actions per subtask'),
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
  group: Thing,
  list: DatasetStatistics['kinds'],
  thing: Thing,
): BarsPlot | null {
  const [first] = [...list].sort((a, b) => b.count - a.count);
  if (!first) return null;
  const total = list.reduce((sum, { count }) => sum + count, 0);
  return {
    kind: 'bars',
    title,
    file,
    caption: tr('{things}, {groups}; {name} is the most frequent, {percent}.', {
      things: tr(THINGS[thing], { n: total }),
      groups: tr(THINGS[group], { n: list.length }),
      name: first.name,
      percent: percent(first.share),
    }),
    items: list.slice(0, MOST_BARS).map(({ name, count, share }) => ({ name, value: count, note: percent(share) })),
    table: {
      columns: [column, tr('Count'), tr('Share')],
      rows: list.map(({ name, count, share }) => [name, count, share]),
    },
  };
}

function histogram(
  title: string,
  file: string,
  { spread, values }: Distribution,
  unit: string,
  thing: Thing,
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
    caption: tr('Of {things}: median {median} {unit}, mean {mean}, from {least} to {most}.', {
      things: tr(THINGS[thing], { n: spread.n }),
      median: figure(spread.median),
      unit,
      mean: figure(spread.mean),
      least: figure(spread.min),
      most: figure(spread.max),
    }),
    bins: bins.map((bin) => ({ label: binLabel(bin, whole), from: bin.from, count: bin.count })),
    median: first ? medianAt() : null,
    medianLabel: tr('median {median}', { median: figure(spread.median) }),
    xLabel: unit,
    table: {
      columns: [unit.charAt(0).toUpperCase() + unit.slice(1), tr('Count')],
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
    title: tr('Frequent words'),
    file: 'frequent-words',
    caption: tr(
      'Of goals, subtasks and narrations: “{word}” stands there {count, plural, one {# time} other {# times}}. The {shown, plural, one {# most frequent word} other {# most frequent words}}; the table has {words}.',
      { word: first.word, count: first.count, shown: shown.length, words: words.length },
    ),
    items: shown.map(({ word, count }) => ({ name: word, value: count })),
    table: { columns: [tr('Word'), tr('Count')], rows: words.map(({ word, count }) => [word, count]) },
  };
}
