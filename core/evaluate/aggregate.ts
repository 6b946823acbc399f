import type { EvaluateOptions, EvaluationRow, Metric, ScoredCase } from '../../schemas/evaluate.ts';
import { PLAN_QUERIES, type QuestionKind } from '../../schemas/questions.ts';
import { randomFrom, seedOf } from './random.ts';
import { addTo, type Estimate, emptyTally, estimate, meanEstimate, scaled, type Tally, toMetric } from './tally.ts';

/** From cases to rows (M17 to M20): the paper's tables 3, 4 and 5 and figure 5, for all and for each group. */

/** Everything that is counted, by group and metric; its size does not depend on the number of cases. */
export type Board = Map<string, Map<string, Tally>>;

/** The metrics of each kind, and what a case's score of 1 means. Plans have them for each query. */
const PARTS: Readonly<Record<QuestionKind, readonly [name: string, unit: Metric['unit']][]>> = {
  click: [
    ['dist', '%'],
    ['recall', '%'],
  ],
  drag: [
    ['dist', '%'],
    ['recall', '%'],
  ],
  scroll: [['accuracy', '%']],
  keys: [
    ['recall', '%'],
    ['precision', '%'],
  ],
  mid: [
    ['score', '0-5'],
    ['stepF1', '%'],
    ['order', 'tau'],
  ],
  high: [
    ['score', '0-5'],
    ['stepF1', '%'],
    ['order', 'tau'],
  ],
};

const BOUNDS: Readonly<Record<Metric['unit'], readonly [number, number]>> = {
  '%': [0, 100],
  '0-5': [0, 5],
  tau: [-1, 1],
  count: [0, Number.POSITIVE_INFINITY],
};

/** The parts of the full action score (table 5): click and drag recall, type precision, scroll accuracy. */
const ACTION_PARTS = ['click.recall', 'drag.recall', 'keys.precision', 'scroll.accuracy'] as const;

/** Adds a case to the groups that it belongs to. */
export function addCase(board: Board, scored: ScoredCase, options: EvaluateOptions): void {
  const groups = [['overall', ''] as const];
  const all: (readonly [string, string])[] = [...groups];
  if (scored.software !== '') all.push(['software', scored.software]);
  if (scored.actions > 0) all.push(['actions', actionGroup(scored.actions, options.actionGroups)]);
  if (scored.difficulty !== null) all.push(['difficulty', scored.difficulty]);
  for (const [group, name] of all) {
    const key = `${group}\n${name}`;
    const tallies = board.get(key) ?? new Map<string, Tally>();
    board.set(key, tallies);
    for (const [score, value] of Object.entries(scored.scores)) {
      if (value === null) continue;
      const metric = metricName(scored, score);
      const tally = tallies.get(metric) ?? emptyTally();
      tallies.set(metric, tally);
      addTo(tally, value);
    }
  }
}

const metricName = ({ kind, query }: Pick<ScoredCase, 'kind' | 'query'>, score: string): string =>
  query === null ? `${kind}.${score}` : `${kind}.${query}.${score}`;

/** `5-8` for 6 actions and groups from 1, 3, 5, 9; `17+` for the last. */
export function actionGroup(actions: number, starts: readonly number[]): string {
  const at = starts.findLastIndex((start) => start <= actions);
  if (at < 0) return `1-${starts[0]! - 1}`;
  const start = starts[at]!;
  const end = starts[at + 1];
  if (end === undefined) return `${start}+`;
  return end - 1 === start ? String(start) : `${start}-${end - 1}`;
}

/**
 * All rows: overall first, then software by name, groups of actions ascending, difficulties by name. Scores over several
 * kinds only when all were asked (`everyKind`): of clicks alone, the other kinds are not missing.
 */
export function boardRows(board: Board, options: EvaluateOptions, everyKind: boolean): EvaluationRow[] {
  const rows = [...board].map(([key, tallies]): EvaluationRow => {
    const [group, name] = key.split('\n') as [EvaluationRow['group'], string]; // As `addCase` writes it.
    return { group, name, metrics: metricsOf(tallies, options, key, everyKind) };
  });
  const place = ['overall', 'software', 'actions', 'difficulty', 'scenario'];
  return rows.sort(
    (a, b) =>
      place.indexOf(a.group) - place.indexOf(b.group) ||
      (a.group === 'actions' ? Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10) : compare(a.name, b.name)),
  );
}

function metricsOf(
  tallies: ReadonlyMap<string, Tally>,
  options: EvaluateOptions,
  key: string,
  everyKind: boolean,
): Metric[] {
  const metrics: Metric[] = [];
  const estimates = new Map<string, Estimate>();
  const kinds = Object.keys(PARTS) as QuestionKind[]; // The record's own keys.
  for (const kind of kinds) {
    for (const query of kind === 'mid' || kind === 'high' ? PLAN_QUERIES : [null]) {
      for (const [part, unit] of PARTS[kind]) {
        const metric = metricName({ kind, query }, part);
        const tally = tallies.get(metric);
        const asked = [...tallies.keys()].some((one) => one.startsWith(metricName({ kind, query }, '')));
        if (!tally && !(asked && part === 'dist')) continue;
        const random = randomFrom(seedOf(`${key}\n${metric}`, options.seed));
        const raw = estimate(tally ?? emptyTally(), options.resamples, random);
        const made = unit === '%' ? scaled(raw, 100) : raw;
        estimates.set(metric, made);
        metrics.push(toMetric(metric, unit, made, options, BOUNDS[unit]));
      }
    }
  }
  return [...metrics, ...compositeMetrics(estimates, options, everyKind)];
}

const ACTION_KINDS = ['click', 'drag', 'keys', 'scroll'] as const;
const LEVELS = ['high', 'mid'] as const;

/**
 * The full action score (M17), both plans in percent and the overall score (M19). What the data lacks is left out of the
 * mean and named; what a model lacks counts 0, as its missing answers do.
 */
function compositeMetrics(
  estimates: ReadonlyMap<string, Estimate>,
  options: EvaluateOptions,
  everyKind: boolean,
): Metric[] {
  const has = (kind: string): boolean => [...estimates.keys()].some((metric) => metric.startsWith(`${kind}.`));
  const made: Metric[] = [];
  const put = (name: string, value: Estimate, lacks: readonly string[]): void => {
    const metric = toMetric(name, '%', value, options, BOUNDS['%']);
    made.push(lacks.length > 0 ? { ...metric, lacks: [...lacks] } : metric);
  };
  const kinds = ACTION_KINDS.filter(has);
  const asked = everyKind && kinds.length > 0;
  // Nothing but empty programs has no precision (M12); what a model lacks counts 0 here.
  const none: Estimate = { value: 0, n: 0, replicates: new Float64Array(options.resamples), method: 'bootstrap' };
  const parts = ACTION_PARTS.flatMap((part) => estimates.get(part) ?? (has(part.split('.')[0]!) ? [none] : []));
  const full = meanEstimate(parts, options.resamples);
  const lackingKinds = ACTION_KINDS.filter((kind) => !has(kind));
  if (asked) put('action.full', full, lackingKinds);
  const planOf = (kind: 'high' | 'mid'): Estimate | undefined => {
    const query = kind === 'high' ? options.mainHigh : options.mainMid;
    if (options.planScore !== 'critic') return estimates.get(`${kind}.${query}.stepF1`);
    const score = estimates.get(`${kind}.${query}.score`);
    return score && scaled(score, 100 / 5);
  };
  const levels = LEVELS.filter(has);
  const plans = levels.flatMap((kind) => {
    const plan = planOf(kind);
    return plan && plan.value !== null ? [{ kind, plan }] : [];
  });
  for (const { kind, plan } of plans) put(`${kind}.plan`, plan, []);
  // One level alone has no overall score; plans without their score leave it empty instead of counting 0.
  if (levels.length > 0 && asked && plans.length === levels.length) {
    const lackingLevels = LEVELS.filter((kind) => !has(kind));
    const all = [...plans.map(({ plan }) => plan), full];
    put('overall', meanEstimate(all, options.resamples), [...lackingLevels, ...lackingKinds]);
  }
  return made;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
