import type { Evaluation, Metric } from '../../schemas/evaluate.ts';
import { PLAN_QUERIES } from '../../schemas/question-lists.ts';
import { aidedName } from './aids.ts';

/** Results of several models laid out as the paper lays its tables out (videogui.txt tables 3, 4, 5; figure 5). */

export type ScoreColumn = { name: string; metric: string; better: 'high' | 'low' };
type Cell = Metric | null;
type Table = { columns: ScoreColumn[]; rows: { model: string; cells: Cell[] }[] };

export const TABLE_3: readonly ScoreColumn[] = [
  { name: 'High Plan', metric: 'high.plan', better: 'high' },
  { name: 'Mid Plan', metric: 'mid.plan', better: 'high' },
  { name: 'Action', metric: 'action.full', better: 'high' },
  { name: 'Overall', metric: 'overall', better: 'high' },
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
  { name: 'Click Dist', metric: 'click.dist', better: 'low' },
  { name: 'Click Recall', metric: 'click.recall', better: 'high' },
  { name: 'Drag Dist', metric: 'drag.dist', better: 'low' },
  { name: 'Drag Recall', metric: 'drag.recall', better: 'high' },
  { name: 'Keys Recall', metric: 'keys.recall', better: 'high' },
  { name: 'Keys Prec.', metric: 'keys.precision', better: 'high' },
  { name: 'Scroll Acc.', metric: 'scroll.accuracy', better: 'high' },
  { name: 'Action Full', metric: 'action.full', better: 'high' },
];

export const TASK_TABLES: Readonly<Record<'trajectories' | 'scenario', readonly ScoreColumn[]>> = {
  trajectories: [
    { name: 'SR', metric: 'sr', better: 'high' },
    { name: 'CR', metric: 'cr', better: 'high' },
    { name: 'DA', metric: 'decisionAccuracy', better: 'high' },
    { name: 'Steps', metric: 'steps', better: 'low' },
    { name: 'WPSR', metric: 'wpsr', better: 'high' },
    { name: 'MATCR', metric: 'matcr', better: 'high' },
    { name: 'p-ATSR', metric: 'patsr', better: 'high' },
  ],
  scenario: [
    { name: 'SR', metric: 'sr', better: 'high' },
    { name: 'AS', metric: 'steps', better: 'low' },
    { name: 'CAS', metric: 'cas', better: 'high' },
    { name: 'Score', metric: 'final', better: 'high' },
  ],
};

/** Errors by kind (M24); execution errors also by type. */
export const TASK_ERRORS: readonly ScoreColumn[] = [
  { name: 'Planning', metric: 'error.planning', better: 'low' },
  { name: 'Structural', metric: 'error.structural', better: 'low' },
  { name: 'Execution', metric: 'error.execution', better: 'low' },
  { name: 'Operational', metric: 'error.execution.operational', better: 'low' },
  { name: 'Knowledge', metric: 'error.execution.knowledge', better: 'low' },
  { name: 'Perceptual', metric: 'error.execution.perceptual', better: 'low' },
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
