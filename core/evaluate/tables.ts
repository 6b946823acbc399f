import type { Evaluation, Metric } from '../../schemas/evaluate.ts';
import { PLAN_QUERIES } from '../../schemas/question-lists.ts';
import { aidedName } from './aids.ts';

/** Results of several models laid out as the paper lays its tables out (videogui.txt tables 3, 4, 5; figure 5). */

export type ScoreColumn = { name: string; metric: string; better: 'high' | 'low' };
const high = (name: string, metric: string): ScoreColumn => ({ name, metric, better: 'high' });
const low = (name: string, metric: string): ScoreColumn => ({ name, metric, better: 'low' });
type Cell = Metric | null;
type Table = { columns: ScoreColumn[]; rows: { model: string; cells: Cell[] }[] };

export const TABLE_3: readonly ScoreColumn[] = [
  high('High Plan', 'high.plan'),
  high('Mid Plan', 'mid.plan'),
  high('Action', 'action.full'),
  high('Overall', 'overall'),
];

export const TABLE_4: readonly ScoreColumn[] = (['high', 'mid'] as const).flatMap((level) =>
  PLAN_QUERIES.map((query): ScoreColumn => {
    const name = `${level === 'high' ? 'High' : 'Mid'} (${query})`;
    return { name, metric: `${level}.${query}.score`, better: 'high' };
  }),
);

/** The same from step F1, for results without a critic. */
export const TABLE_4_OFFLINE: readonly ScoreColumn[] = TABLE_4.map(({ name, metric, better }) => ({
  name: name.replace(' (', ' F1 ('),
  metric: metric.replace(/score$/, 'stepF1'),
  better,
}));

export const TABLE_5: readonly ScoreColumn[] = [
  low('Click Dist', 'click.dist'),
  high('Click Recall', 'click.recall'),
  low('Drag Dist', 'drag.dist'),
  high('Drag Recall', 'drag.recall'),
  high('Keys Recall', 'keys.recall'),
  high('Keys Prec.', 'keys.precision'),
  high('Scroll Acc.', 'scroll.accuracy'),
  high('Action Full', 'action.full'),
];

export const TASK_TABLES: Readonly<Record<'trajectories' | 'scenario', readonly ScoreColumn[]>> = {
  trajectories: [
    high('SR', 'sr'),
    high('Pass@k', 'passK'),
    high('CR', 'cr'),
    high('DA', 'decisionAccuracy'),
    low('Steps', 'steps'),
    high('WPSR', 'wpsr'),
    high('MATCR', 'matcr'),
    high('p-ATSR', 'patsr'),
  ],
  scenario: [high('SR', 'sr'), low('AS', 'steps'), high('CAS', 'cas'), high('Score', 'final')],
};

/** Errors by kind (M24); execution errors also by type. */
export const TASK_ERRORS: readonly ScoreColumn[] = [
  low('Planning', 'error.planning'),
  low('Structural', 'error.structural'),
  low('Execution', 'error.execution'),
  low('Operational', 'error.execution.operational'),
  low('Knowledge', 'error.execution.knowledge'),
  low('Perceptual', 'error.execution.perceptual'),
];

/** One row a result, in their order, named by its model and its aid; without `group` over all cases. Columns that nobody has are left out. */
export function tableOf(
  columns: readonly ScoreColumn[],
  results: readonly Evaluation[],
  group: { group: Evaluation['rows'][number]['group']; name: string } = { group: 'overall', name: '' },
): Table {
  const rows = results.map(({ model, aid, rows: all }) => {
    const row = all.find((one) => one.group === group.group && one.name === group.name);
    const cells = columns.map(({ metric }) => row?.metrics.find((one) => one.metric === metric) ?? null);
    return { model: aidedName(model ?? '', aid?.kind ?? null), cells };
  });
  const used = columns.map((_, i) => rows.some(({ cells }) => cells[i] !== null));
  return {
    columns: columns.filter((_, i) => used[i]),
    rows: rows.map(({ model, cells }) => ({ model, cells: cells.filter((_, i) => used[i]) })),
  };
}
