import { type DraftedField, draftLines } from '../../../core/export/drafts.ts';
import type { LeftOut } from '../../../core/export/model.ts';
import { plainWords } from '../../../core/export/plain.ts';
import type { ExportStatistics, Spread } from '../../../core/export/statistics.ts';
import { plural } from '../../../core/words.ts';
import { type DatasetTerms, NO_TERMS } from '../../../schemas/dataset-terms.ts';
import type { ExportManifest } from '../../../schemas/export.ts';
import { licenceLines, termsSections } from './card-terms.ts';

/** Dataset cards (README.md). The front matter tells Hugging Face's `load_dataset` where each split's files are. */

export function frontMatter(
  title: string,
  configs: readonly string[],
  { info = [], terms = NO_TERMS }: { info?: readonly string[] | undefined; terms?: DatasetTerms | undefined } = {},
): string {
  return [
    '---',
    `pretty_name: ${title}`,
    ...licenceLines(terms),
    ...(info.length ? ['dataset_info:', ...info] : []),
    ...(configs.length ? ['configs:', ...configs] : []),
    '---',
    '',
  ].join('\n');
}

/** A format's part of the card. */
export type CardHead = {
  /** `pretty_name` of the front matter. */
  name: string;
  /** The first heading. */
  heading: string;
  /** `configs` of the front matter: where `load_dataset` finds the splits. */
  configs: readonly string[];
  /** `dataset_info` of the front matter: the types of columns, where files do not say them. */
  info?: readonly string[];
  /** The files, their content, and how to load them. The caller adds empty lines around it. */
  about: readonly string[];
};

/** Without it readers would take them for what people did. */
function runLines(runs: NonNullable<ExportManifest['runs']>): string[] {
  if (runs.length === 0) return [];
  const models = [...new Set(runs.map(({ agent, model }) => plainWords(`${model} (agent ${agent})`)))].sort();
  const person = runs.reduce((sum, { personSteps }) => sum + personSteps.length, 0);
  const succeeded = runs.filter(({ success }) => success).length;
  const helped = runs.filter((run) => run.helped > 0).length;
  return [
    `They are runs of models, no demonstrations: ${models.join(', ')}. By their checks ${succeeded} of ${runs.length} succeeded; a person took over ${helped} of them and did ${plural(person, 'step')}, which manifest.json names (\`runs\`).`,
  ];
}

/** The card of the whole export, with the paper's statistics (videogui.txt 3.1, table 9, figures 3 and 16). */
export function exportCard(
  head: CardHead,
  statistics: ExportStatistics,
  leftOut: readonly LeftOut[],
  {
    terms,
    splits = [],
    folders = [],
    runs = [],
    drafts = [],
  }: {
    terms?: DatasetTerms | undefined;
    /** Splits that stand together in the files. */
    splits?: readonly string[];
    /** Folders of splits. */
    folders?: readonly string[] | undefined;
    /** Tasks that are runs of models. */
    runs?: ExportManifest['runs'];
    /** Fields whose words come from models' drafts. */
    drafts?: readonly DraftedField[];
  } = {},
): string {
  const { software, kinds, resolutions } = statistics;
  const said = proofLine(statistics);
  return [
    frontMatter(head.name, head.configs, { info: head.info, terms }),
    `# ${head.heading}`,
    '',
    ...head.about,
    `${plural(statistics.tasks, 'task')}, ${plural(statistics.subtasks, 'subtask')}, ${plural(statistics.actions, 'action')}.`,
    ...(said === null ? [] : [said]),
    ...runLines(runs),
    ...draftLines(drafts),
    ...splitLines(splits),
    ...folderLines(folders),
    'Made by Trajectory Studio; manifest.json lists every file with its hash, and what was left out.',
    '',
    '## Software',
    '',
    table(
      [
        ...['Software', 'Category', 'Platform', '# Full task', '# Simple task', '# Subtask', '# Action'],
        ...['# Action per full task', '# Action per subtask'],
      ],
      [
        ...software.map((row) => [
          row.name,
          row.category,
          row.platforms.join(' + '),
          row.fullTasks,
          row.tasks - row.fullTasks,
          row.subtasks,
          row.actions,
          // As in the paper: 0 where there is none.
          row.actionsPerFullTask === 0 ? 0 : row.actionsPerFullTask.toFixed(1),
          row.actionsPerSubtask.toFixed(1),
        ]),
        [
          'Total',
          '',
          '',
          statistics.fullTasks,
          statistics.tasks - statistics.fullTasks,
          statistics.subtasks,
          statistics.actions,
          mean(statistics.actionsPerFullTask),
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
        spreadRow('Actions per task', statistics.actionsPerTask),
        spreadRow('Actions per subtask', statistics.actionsPerSubtask),
        spreadRow('Recording time a task, s', statistics.secondsPerTask),
        spreadRow('Recording time a subtask, s', statistics.secondsPerSubtask),
      ],
    ),
    '',
    '## Sources',
    '',
    statistics.sources.length === 0
      ? 'No task names a video that was followed.'
      : table(
          ['Task', 'Source video'],
          statistics.sources.map(({ task, source }) => [task, source]),
        ),
    '',
    ...termsSections(terms),
    '## Skipped',
    '',
    leftOut.length === 0 ? 'Nothing.' : reasons(leftOut),
    '',
  ].join('\n');
}

/** A loader's own split is none of the data set's: whoever trains on all rows trains on the tests, too. */
const splitLines = (splits: readonly string[]): string[] =>
  splits.length === 0
    ? []
    : [
        `**All splits of the data set are in these files (${splits.join(', ')}), under whatever name a loader gives to all rows;** \`splits\` in manifest.json lists the tasks of each.`,
      ];

const folderLines = (folders: readonly string[]): string[] =>
  folders.length === 0
    ? []
    : [
        `**Each split is a folder of its own (${folders.join(', ')}), and no file holds rows of two;** the files named here lie in it. \`splits\` in manifest.json lists the tasks of each.`,
      ];

/** `12 of 20 tasks proven by playing.`; null where nobody tried. */
export function proofLine({
  tasks,
  proof: { proven, failed, said },
}: Pick<ExportStatistics, 'tasks' | 'proof'>): string | null {
  if (proven + failed + said === 0) return null;
  const others = failed === 0 ? '' : `, ${failed} tried and not proven`;
  const claimed = said === 0 ? '' : `, ${said} said to be proven elsewhere, which was not shown here`;
  return `${proven} of ${plural(tasks, 'task')} proven by playing${others}${claimed}.`;
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
    `| ${cells.map((each) => plainWords(String(each))).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
