import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import type { TaskKind } from '../../schemas/task-terms.ts';
import type { Printed } from '../compositions/tables.ts';
import type { ArenaTable } from './arena.ts';
import { shareOf } from './judge/card.ts';

/** The outcome of runs, as the papers lay it out: VideoGUI's tables 6 and 7, Mobile-Agent-V's metrics (4.1.2, A.3.3). */

/** A run as the tables count it. */
export type TableRun = {
  task: string;
  kind: TaskKind;
  /** `minimal+high`: with what was given it; `human`. */
  agent: string;
  model: string;
  at: string;
  passed: boolean;
  score: number;
  rounds: number;
  steps: number;
  /** It says done, the checks say otherwise; it stopped although all was well. */
  silentWrong: boolean;
  overHalt: boolean;
  /** A person took it over: no success of the model. */
  helped: boolean;
  completion: number | null;
  accuracy: number | null;
  /** The film that it followed; null: none. */
  film: { isOfItsTask: boolean; reflects: boolean; window: number } | null;
};

const ATTEMPTS = DEFAULT_OPTIONS.passAttempts;
const percent = (share: number | null): string => (share === null ? '–' : (100 * share).toFixed(1));
const number = (value: number | null, digits: number): string => (value === null ? '–' : value.toFixed(digits));

export function meanOf(values: readonly (number | null)[]): number | null {
  const some = values.filter((value) => value !== null);
  return some.length === 0 ? null : some.reduce((sum, one) => sum + one, 0) / some.length;
}

const succeeded = ({ passed, helped }: TableRun): boolean => passed && !helped;

/** `40.0 (11.8 – 76.9)`: Wilson's 95 % interval. */
function rateWords(runs: readonly TableRun[]): string {
  const share = shareOf(runs.filter(succeeded).length, runs.length);
  return share ? `${percent(share.value)} (${percent(share.low)} – ${percent(share.high)})` : '–';
}

/** The share of tasks that succeeded in one of the first attempts. */
export function passAt(
  runs: readonly Pick<TableRun, 'task' | 'at' | 'passed' | 'helped'>[],
  attempts: number,
): number | null {
  const tasks = [...Map.groupBy(runs, ({ task }) => task).values()];
  if (tasks.length === 0) return null;
  const good = tasks.filter((some) =>
    some
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .slice(0, attempts)
      .some(({ passed, helped }) => passed && !helped),
  );
  return good.length / tasks.length;
}

const byAgent = (runs: readonly TableRun[]): [string, TableRun[]][] =>
  [...Map.groupBy(runs, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));

const nameOf = ({ agent, model }: TableRun): string => (agent === 'human' ? 'human' : `${agent} ${model}`);

/** Its settings as the paper's column says them. */
function settingOf(agent: string): string {
  const given = agent.split('+')[1]?.split(',') ?? [];
  const plan = given.includes('mid') ? ['w. GT High & Mid Plan.'] : given.includes('high') ? ['w. GT High Plan.'] : [];
  const shots = given.flatMap((one) => /^shots(\d+)$/.exec(one)?.[1] ?? []);
  const shown = shots.map((n) => `w. ${n} ${n === '1' ? 'demonstration' : 'demonstrations'}`);
  return [...plan, ...shown].join(' ') || 'Orig. query';
}

/** All tables that the runs have anything for. `arena`: null while who looks has something to rank. */
export function runTables(runs: readonly TableRun[], arena: ArenaTable | null): Printed[] {
  const ofKind = (kind: TaskKind): TableRun[] => runs.filter((run) => run.kind === kind);
  const filmed = runs.filter(({ film }) => film !== null);
  return [
    ...(ofKind('full').length > 0 ? [fullTasks(ofKind('full'), arena)] : []),
    ...(ofKind('simple').length > 0 ? [simpleTasks(ofKind('simple'))] : []),
    ...(runs.length > 0 ? [followed(runs)] : []),
    ...(filmed.length > 0 ? [films(filmed)] : []),
  ];
}

function fullTasks(runs: readonly TableRun[], arena: ArenaTable | null): Printed {
  return {
    title: 'VideoGUI, table 6: full tasks on stages',
    rows: [
      ['Actor', 'Settings', 'Tasks', 'Runs', 'Success rate (%)', `Pass@${ATTEMPTS}`, 'Check score', 'Rank (Arena)'],
      ...byAgent(runs).map(([name, some]) => [
        name,
        settingOf(some[0]!.agent), // No group is empty.
        String(new Set(some.map(({ task }) => task)).size),
        String(some.length),
        rateWords(some),
        percent(passAt(some, ATTEMPTS)),
        number(meanOf(some.map(({ score }) => score)), 2),
        number(arena?.rows.find((row) => row.name === name)?.meanRank ?? null, 2),
      ]),
    ],
  };
}

function simpleTasks(runs: readonly TableRun[]): Printed {
  return {
    title: 'VideoGUI, table 7: simple tasks on stages',
    rows: [
      ['Actor', 'Settings', 'Tasks', 'Runs', 'Success rate (%)', `Pass@${ATTEMPTS}`, 'Avg. round'],
      ...byAgent(runs).map(([name, some]) => [
        name,
        settingOf(some[0]!.agent),
        String(new Set(some.map(({ task }) => task)).size),
        String(some.length),
        rateWords(some),
        percent(passAt(some, ATTEMPTS)),
        number(meanOf(some.map(({ rounds }) => rounds)), 1),
      ]),
    ],
  };
}

const metricCells = (some: readonly TableRun[]): string[] => [
  String(some.length),
  rateWords(some),
  percent(meanOf(some.map(({ completion }) => completion))),
  percent(meanOf(some.map(({ accuracy }) => accuracy))),
  number(meanOf(some.map(({ steps }) => steps)), 1),
];
const METRICS = ['Runs', 'SR', 'CR', 'DA', 'Step'];

function followed(runs: readonly TableRun[]): Printed {
  return {
    title: 'Mobile-Agent-V, 4.1.2: success, completion, decision accuracy, steps',
    rows: [
      ['Actor', ...METRICS, 'Says done, is not', 'Stopped though done'],
      ...byAgent(runs).map(([name, some]) => [
        name,
        ...metricCells(some),
        String(some.filter(({ silentWrong }) => silentWrong).length),
        String(some.filter(({ overHalt }) => overHalt).length),
      ]),
    ],
  };
}

/** Its ablations, and instructions that are another film's. */
function films(runs: readonly TableRun[]): Printed {
  const settings = (run: TableRun): string[] => [
    nameOf(run),
    run.film?.isOfItsTask ? 'aligned' : 'misaligned',
    run.film?.reflects ? 'yes' : 'no',
    String(run.film?.window ?? ''),
  ];
  const groups = [...Map.groupBy(runs, (run) => JSON.stringify(settings(run))).values()];
  return {
    title: 'Mobile-Agent-V, 4.4 and 4.5: instructions, deep reflection, window',
    rows: [
      ['Actor', 'Instructions', 'Reflection', 'Window', ...METRICS],
      ...groups
        .map((some) => [...settings(some[0]!), ...metricCells(some)])
        .sort((a, b) => (a.join() < b.join() ? -1 : 1)),
    ],
  };
}
