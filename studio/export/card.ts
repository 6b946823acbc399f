import type { LeftOut } from '../../core/export/model.ts';
import type { ExportStatistics, Spread } from '../../core/export/statistics.ts';
import { DATA_SETS, type DataSet } from '../../core/export/videogui/columns.ts';

/** Dataset cards (README.md). The front matter tells Hugging Face's `load_dataset` where each split's files are. */

/** `data_files` of a data set, from the card's place: `prefix` is its folder with a slash, or empty inside of it. */
function config(dataSet: DataSet, name: string, prefix: string, isDefault: boolean): string {
  const files = dataSet.split === 'high_plan' ? 'high_plan/*/metadata.parquet' : `data/${dataSet.split}-*.parquet`;
  return [
    `- config_name: ${name}`,
    ...(isDefault ? ['  default: true'] : []),
    '  data_files:',
    `  - split: ${dataSet.split}`,
    `    path: "${prefix}${files}"`,
  ].join('\n');
}

/** Folders named by their split. `load_dataset` knows train, validation and test by themselves, others by this alone. */
export function splitConfig(splits: readonly string[]): string[] {
  const files = splits.flatMap((split) => [
    // Its names of splits have no dash.
    `  - split: ${split.replaceAll('-', '_')}`,
    `    path: "${split}/**"`,
  ]);
  return splits.length > 0 ? [['- config_name: default', '  data_files:', ...files].join('\n')] : [];
}

function frontMatter(title: string, configs: readonly string[]): string {
  return ['---', `pretty_name: ${title}`, ...(configs.length ? ['configs:', ...configs] : []), '---', ''].join('\n');
}

/** The card inside a data set's own folder, so that the folder can be put up as a repository of its own. */
export function dataSetCard(dataSet: DataSet, rows: number): string {
  return [
    frontMatter(dataSet.folder, [config(dataSet, 'default', '', true)]),
    `# ${dataSet.folder}`,
    '',
    `${rows} rows, split \`${dataSet.split}\`.`,
    '',
    '| column | type |',
    '| --- | --- |',
    ...dataSet.columns.map(({ name, type }) => `| \`${name}\` | ${type} |`),
    '',
  ].join('\n');
}

/** What a format says of itself on its card. */
export type CardHead = {
  /** `pretty_name` of the front matter. */
  name: string;
  /** The first heading. */
  heading: string;
  /** `configs` of the front matter: where `load_dataset` finds the splits. */
  configs: readonly string[];
  /** What is in which file, and how to load it. Empty lines are the caller's. */
  about: readonly string[];
};

export function videoguiCard(parts: readonly string[]): CardHead {
  const dataSets = parts.includes('parquet') ? DATA_SETS : [];
  return {
    name: 'VideoGUI',
    heading: 'Recorded demonstrations in the layout of VideoGUI',
    configs: dataSets.map((dataSet, index) => config(dataSet, dataSet.split, `${dataSet.folder}/`, index === 0)),
    about: [],
  };
}

/** The card of the whole export, with the paper's statistics (videogui.txt 3.1, table 9, figures 3 and 16). */
export function exportCard(head: CardHead, statistics: ExportStatistics, leftOut: readonly LeftOut[]): string {
  const { software, kinds, resolutions } = statistics;
  return [
    frontMatter(head.name, head.configs),
    `# ${head.heading}`,
    '',
    ...head.about,
    `${statistics.tasks} tasks, ${statistics.subtasks} subtasks, ${statistics.actions} actions.`,
    'Made by Trajectory Studio; manifest.json lists every file with its hash, and what was left out.',
    '',
    '## Software',
    '',
    table(
      ['Software', '# Tasks', '# Subtasks', '# Actions', '# Action per task', '# Action per subtask'],
      [
        ...software.map((row) => [
          row.name,
          row.tasks,
          row.subtasks,
          row.actions,
          row.actionsPerTask.toFixed(1),
          row.actionsPerSubtask.toFixed(1),
        ]),
        [
          'Total',
          statistics.tasks,
          statistics.subtasks,
          statistics.actions,
          mean(statistics.actionsPerTask),
          mean(statistics.actionsPerSubtask),
        ],
      ],
    ),
    '',
    '## Action kinds',
    '',
    table(
      ['Action', '#', '%'],
      kinds.map(({ name, count, share }) => [name, count, (share * 100).toFixed(1)]),
    ),
    '',
    '## Screen resolutions',
    '',
    table(
      ['Resolution', '# Tasks'],
      resolutions.map(({ name, count }) => [name, count]),
    ),
    '',
    '## Distributions',
    '',
    table(
      ['', 'n', 'min', 'median', 'mean', 'max'],
      [
        spreadRow('Actions a task', statistics.actionsPerTask),
        spreadRow('Actions a subtask', statistics.actionsPerSubtask),
        spreadRow('Recording time a task, s', statistics.secondsPerTask),
        spreadRow('Recording time a subtask, s', statistics.secondsPerSubtask),
      ],
    ),
    '',
    '## Left out',
    '',
    leftOut.length === 0 ? 'Nothing.' : reasons(leftOut),
    '',
  ].join('\n');
}

function reasons(leftOut: readonly LeftOut[]): string {
  const groups = [...Map.groupBy(leftOut, ({ from }) => from)].sort(([a], [b]) => (a < b ? -1 : 1));
  return table(
    ['From', '# Items'],
    groups.map(([from, items]) => [from === '*' ? 'everything' : from, items.length]),
  );
}

function spreadRow(name: string, spread: Spread | null): (string | number)[] {
  if (!spread) return [name, 0, '', '', '', ''];
  const { n, min, median, max } = spread;
  return [name, n, ...[min, median, spread.mean, max].map((value) => value.toFixed(1))];
}

function mean(spread: Spread | null): string {
  return spread ? spread.mean.toFixed(1) : '';
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((each) => String(each).replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
