import { SCALE_NAMES } from '../../core/evaluate/reading/scale.ts';
import {
  type ScoreColumn,
  TABLE_3,
  TABLE_4,
  TABLE_4_OFFLINE,
  TABLE_5,
  TASK_ERRORS,
  TASK_TABLES,
  tableOf,
} from '../../core/evaluate/tables.ts';
import { largestOf, smallestOf } from '../../core/lists.ts';
import type { QuestionSet, Run } from '../../schemas/api/evaluate.ts';
import type { EvaluateOptions, EvaluationRow, Metric } from '../../schemas/evaluate.ts';
import { tr } from '../language/tr.ts';

/** The leaderboard as data: the paper's tables 3, 4 and 5, the best of each column marked (docs/metrics.md). */

export type BoardCell = { metric: Metric | null; best: boolean };
export type BoardTable = {
  id: string;
  title: string;
  about: string;
  columns: readonly ScoreColumn[];
  rows: { run: Run; cells: BoardCell[] }[];
  /** Beside the models: what chance gets (table 5's first row), and the mean of the models (table 4's last). */
  references: { name: string; values: (number | null)[] }[];
};

/** Columns whose names are words; abbreviations such as SR stay as they are. */
const COLUMN_NAMES: Readonly<Record<string, string>> = {
  'High Plan': tr('High Plan'),
  'Mid Plan': tr('Mid Plan'),
  Action: tr('Action'),
  Overall: tr('Overall'),
  'Click Dist': tr('Click Dist'),
  'Click Recall': tr('Click Recall'),
  'Drag Dist': tr('Drag Dist'),
  'Drag Recall': tr('Drag Recall'),
  'Keys Recall': tr('Keys Recall'),
  'Keys Prec.': tr('Keys Prec.'),
  'Scroll Acc.': tr('Scroll Acc.'),
  'Action Full': tr('Action Full'),
  Steps: tr('Steps'),
  Score: tr('Graded score'),
  Planning: tr('Planning'),
  Structural: tr('Structural'),
  Execution: tr('Execution'),
  Operational: tr('Operational'),
  Knowledge: tr('Knowledge'),
  Perceptual: tr('Perceptual'),
};
export const columnName = ({ name }: Pick<ScoreColumn, 'name'>): string => COLUMN_NAMES[name] ?? name;

type Layout = { id: string; title: string; about: string; columns: readonly ScoreColumn[] };
const LAYOUTS: readonly Layout[] = [
  {
    id: 'overall',
    title: tr('Overall'),
    about: tr(
      'Plans, actions, and the mean of the three, in per cent (the paper’s table 3), beside what each action gave.',
    ),
    columns: [
      ...TABLE_3,
      ...TABLE_5.filter(({ metric }) => /recall|precision|accuracy/.test(metric)).filter(notKeysRecall),
    ],
  },
  {
    id: 'plans',
    title: tr('Plans by what was asked from'),
    about: tr('A critic’s score from 0 to 5 (table 4), and step F1 in per cent, which needs none.'),
    columns: [...TABLE_4, ...TABLE_4_OFFLINE],
  },
  {
    id: 'actions',
    title: tr('Actions in detail'),
    about: tr('Distance and recall in per cent of each action (table 5). For distance, lower is better.'),
    columns: TABLE_5,
  },
];

const TASK_LAYOUTS: Readonly<Record<'trajectories' | 'scenario', readonly Layout[]>> = {
  trajectories: [
    {
      id: 'tasks',
      title: tr('Whole tasks'),
      about: tr(
        'Success, completion, decisions and steps (Mobile-Knowledge); weighted success, consecutive and weighted completion (NaturalGAIA). In per cent but for the steps.',
      ),
      columns: TASK_TABLES.trajectories,
    },
    {
      id: 'errors',
      title: tr('Errors'),
      about: tr('How many errors of each kind the runs name (NaturalGAIA). Fewer are better.'),
      columns: TASK_ERRORS,
    },
  ],
  scenario: [
    {
      id: 'tasks',
      title: tr('Scenario'),
      about: tr(
        'Success, steps, success that pays for its questions (CAS), and the mean graded score (ScenDroid). In per cent but for the steps.',
      ),
      columns: TASK_TABLES.scenario,
    },
  ],
};

/** The kind of result: of questions, or of whole tasks. */
export function taskLevelOf(runs: readonly Run[]): 'trajectories' | 'scenario' | null {
  const level = runs[0]?.evaluation.level;
  return level === 'trajectories' || level === 'scenario' ? level : null;
}

const layoutsOf = (runs: readonly Run[]): readonly Layout[] => {
  const level = taskLevelOf(runs);
  return level === null ? LAYOUTS : TASK_LAYOUTS[level];
};

function notKeysRecall({ metric }: ScoreColumn): boolean {
  return metric !== 'keys.recall';
}

/** The tables that have at least one column; rows in the order of the runs. */
export function boardTables(runs: readonly Run[]): BoardTable[] {
  return layoutsOf(runs)
    .map(({ columns, ...layout }) => {
      const table = tableOf(
        columns,
        runs.map(({ name, evaluation }) => ({ ...evaluation, model: name })),
      );
      const shown = table.columns.filter((_, i) => table.rows.some(({ cells }) => hasValue(cells[i])));
      const places = shown.map((column) => table.columns.indexOf(column));
      const best = shown.map((column, i) =>
        bestOf(
          column,
          table.rows.map(({ cells }) => cells[places[i]!] ?? null),
        ),
      );
      const rows = runs.map((run, at) => ({
        run,
        cells: places.map((place, i): BoardCell => {
          const metric = table.rows[at]?.cells[place] ?? null;
          return { metric, best: metric?.value != null && metric.value === best[i] };
        }),
      }));
      return { ...layout, columns: shown, rows, references: referencesOf(runs, shown, rows) };
    })
    .filter(({ columns }) => columns.length > 0);
}

function referencesOf(
  runs: readonly Run[],
  columns: readonly ScoreColumn[],
  rows: BoardTable['rows'],
): BoardTable['references'] {
  const random = runs.find(({ evaluation }) => (evaluation.random ?? []).length > 0)?.evaluation.random ?? [];
  const chance = columns.map(({ metric }) => random.find((one) => one.metric === metric)?.value ?? null);
  const mean = columns.map((_, i) => {
    const values = rows.flatMap(({ cells }) => cells[i]?.metric?.value ?? []);
    return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
  });
  return [
    ...(chance.some((value) => value !== null) ? [{ name: tr('Random guess'), values: chance }] : []),
    // The mean of one model is itself.
    ...(rows.length > 1 ? [{ name: tr('Average by models'), values: mean }] : []),
  ];
}

const hasValue = (cell: Metric | null | undefined): boolean => cell != null && cell.value !== null;

/** The best value of a column; null with fewer than two, where "best" says nothing. */
export function bestOf({ better }: ScoreColumn, cells: readonly (Metric | null)[]): number | null {
  const values = cells.flatMap((cell) => (cell?.value == null ? [] : [cell.value]));
  if (values.length < 2 || new Set(values).size === 1) return null;
  return better === 'high' ? largestOf(values) : smallestOf(values);
}

/** A count of things that happened has none; a mean of counts, and a share, have one. */
const digitsOf = ({ unit, metric }: Pick<Metric, 'unit' | 'metric'>): number =>
  unit === '0-5' || unit === 'tau' ? 2 : metric.startsWith('error.') ? 0 : 1;

/** `60.1`, or `–` where nothing was counted. */
export function valueText(metric: Pick<Metric, 'value' | 'unit' | 'metric'> | null): string {
  return metric?.value == null ? '–' : metric.value.toFixed(digitsOf(metric));
}

/** `without drag`: what a mean leaves out because these questions do not ask it; '' when it is whole. */
export const lacksText = (metric: Metric | null): string =>
  metric?.lacks && metric.lacks.length > 0 ? tr('without {lacks}', { lacks: metric.lacks.join(', ') }) : '';

/** `58.0–62.2`, or nothing. */
export function scoreIntervalText(metric: Metric | null): string {
  if (!metric?.interval) return '';
  const digits = digitsOf(metric);
  const [low, high] = [metric.interval.low.toFixed(digits), metric.interval.high.toFixed(digits)];
  // One case, or several that scored the same, say nothing of how far the value may be off: two equal numbers would look exact.
  return metric.n < 2 || low === high ? '' : `${low} – ${high}`;
}

type OptionNames = Partial<Record<keyof EvaluateOptions, string>>;
const INTERVAL_NAMES: OptionNames = { resamples: tr('resamples'), level: tr('interval'), seed: tr('seed') };
const OPTION_NAMES: OptionNames = {
  answerForms: tr('forms of answers'),
  coordinates: tr('numbers of positions'),
  threshold: tr('hit within (px)'),
  comparator: tr('distance compared by'),
  missingDist: tr('distance of a missing answer'),
  boxRecall: tr('a box hits by'),
  markPlace: tr('a mark stands for its'),
  keysReading: tr('keys compared as'),
  otherCharacters: tr('characters without a key'),
  mouseCalls: tr('mouse calls in code'),
  unreadableCritic: tr('unreadable critic'),
  planScore: tr('plan score'),
  mainHigh: tr('high plans from'),
  mainMid: tr('mid plans from'),
  actionGroups: tr('action groups from'),
  ...INTERVAL_NAMES,
};
const TASK_OPTION_NAMES: Readonly<Record<'trajectories' | 'scenario', OptionNames>> = {
  trajectories: {
    benchmark: tr('step limits of'),
    stepLimits: tr('Mobile-Agent-V: most steps (basic, normal, advanced)'),
    naturalgaiaStepLimits: tr('NaturalGAIA: most steps (levels 1, 2, 3; 0: no limit)'),
    difficulty: tr('difficulty: nodes and applications as'),
    matcrMean: tr('weights in MATCR'),
    positionWeight: tr('weight of place i'),
    passAttempts: tr('attempts of Pass@k'),
    ...INTERVAL_NAMES,
  },
  scenario: {
    scenarioMean: tr('mean over'),
    passScore: tr('passed from score'),
    clarificationCost: tr('a question costs'),
    ...INTERVAL_NAMES,
  },
};

function optionNames(runs: readonly Run[]): [keyof EvaluateOptions, string][] {
  const level = taskLevelOf(runs);
  const names = level === null ? OPTION_NAMES : TASK_OPTION_NAMES[level];
  return Object.entries(names) as [keyof EvaluateOptions, string][]; // The records' own keys.
}

/** The options that decide the numbers of these tables, in words. */
export function optionTexts(run: Run): string[] {
  return optionNames([run]).map(([key, name]) => {
    const value = run.evaluation.options[key];
    return `${name}: ${Array.isArray(value) ? value.join(', ') : value}`;
  });
}

/** The scale that a run's positions were taken to have; null where no position was asked for. */
export function coordinatesText({ evaluation: { coordinates } }: Run): string | null {
  if (!coordinates) return null;
  const { scale, guessed, sure, why } = coordinates;
  const read = tr('positions read as {scale}', { scale: SCALE_NAMES[scale] });
  if (!guessed) return tr('{read}, as chosen', { read });
  return sure
    ? tr('{read}, guessed ({why})', { read, why })
    : tr('{read}, guessed without certainty ({why})', { read, why });
}

/** Results from before there were others do not name theirs. */
export const rulesOf = ({ evaluation }: Pick<Run, 'evaluation'>): number => evaluation.rules ?? 1;

/** From fewer answers than this nobody could tell more than that the prompts ask for pixels. */
const FEW_ANSWERS = 10;

/** Runs whose scale is a guess that the person should look at: not pixels, or not certain. */
export function doubtfulScales(runs: readonly Run[]): string[] {
  return runs.flatMap((run) => {
    const { coordinates } = run.evaluation;
    const few = (coordinates?.answers ?? 0) < FEW_ANSWERS;
    const plain = !coordinates?.guessed || (coordinates.scale === 'pixels' && (coordinates.sure || few));
    return plain ? [] : [`${run.name}: ${coordinatesText(run)}`];
  });
}

/** Why the rows cannot be compared one to one; empty when they can. Another aid is what a row's name says. */
export function differences(runs: readonly Run[], set: QuestionSet | null = null): string[] {
  const found: string[] = [];
  const [first, ...others] = runs;
  if (!first) return found;
  for (const [key, name] of optionNames(runs)) {
    const value = JSON.stringify(first.evaluation.options[key]);
    if (others.some(({ evaluation }) => JSON.stringify(evaluation.options[key]) !== value)) {
      found.push(tr('option “{name}”', { name }));
    }
  }
  if (others.some(({ evaluation }) => rulesOf({ evaluation }) !== rulesOf(first))) found.push(tr('the scoring rules'));
  const filesOf = (run: Run): string => [...new Set(run.files.map((file) => askedBy(set, file)))].sort().join(', ');
  const files = filesOf(first);
  if (others.some((run) => filesOf(run) !== files)) found.push(tr('the questions that were scored'));
  const critics = new Set(runs.map(({ evaluation }) => evaluation.critic?.model).filter((one) => one !== undefined));
  if (critics.size > 1) found.push(tr('the critic'));
  return found;
}

/** Files that ask the same clicks and drags with one aid or another go by one name. */
function askedBy(set: QuestionSet | null, name: string): string {
  const file = set?.files.find((one) => one.file === name);
  const aided = set?.files.some(({ aid }) => aid !== null) ?? false;
  return aided && file?.level === 'action' ? 'actions' : name;
}

/** Groups of rows that at least one run has, in the order of the results (figure 5: actions ascending). */
export function groupNames(runs: readonly Run[], group: EvaluationRow['group']): string[] {
  const names = new Set<string>();
  for (const { evaluation } of runs) for (const row of evaluation.rows) if (row.group === group) names.add(row.name);
  const sorted = [...names];
  if (group === 'actions') return sorted.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return group === 'difficulty' ? sorted.sort(byDifficulty) : sorted.sort();
}

/** Mobile-Knowledge's names; others by their own order, numbers in them as numbers. */
const DIFFICULTIES = ['basic', 'normal', 'advanced'];
function byDifficulty(a: string, b: string): number {
  const [one, other] = [a, b].map((name) => DIFFICULTIES.indexOf(name.toLowerCase()));
  return one! >= 0 && other! >= 0 ? one! - other! : a.localeCompare(b, 'en', { numeric: true });
}

export function metricOf(run: Run, group: EvaluationRow['group'], name: string, metric: string): Metric | null {
  const row = run.evaluation.rows.find((one) => one.group === group && one.name === name);
  return row?.metrics.find((one) => one.metric === metric) ?? null;
}

/** Every column of the tables that has a value somewhere in this kind of group. */
export function groupMetrics(runs: readonly Run[], group: EvaluationRow['group']): ScoreColumn[] {
  const known = new Set<string>();
  for (const { evaluation } of runs) {
    for (const row of evaluation.rows) {
      if (row.group === group) for (const one of row.metrics) if (one.value !== null) known.add(one.metric);
    }
  }
  const level = taskLevelOf(runs);
  const all =
    level === null
      ? [...TABLE_4, ...TABLE_4_OFFLINE, ...TABLE_3, ...TABLE_5]
      : [...TASK_TABLES[level], ...(level === 'trajectories' ? TASK_ERRORS : [])];
  const columns = new Map(all.map((one) => [one.metric, one]));
  return [...columns.values()].filter(({ metric }) => known.has(metric));
}

/** Figure 5's own metric where it is there: high plans from pictures by software, mid plans by actions; else the first. */
export function defaultMetric(columns: readonly ScoreColumn[], group: EvaluationRow['group']): string | null {
  const plan = group === 'actions' ? 'mid.vision+text' : 'high.vision';
  const wanted = [`${plan}.score`, `${plan}.stepF1`, 'action.full', 'click.recall', 'sr'];
  return wanted.find((one) => columns.some(({ metric }) => metric === one)) ?? columns[0]?.metric ?? null;
}
