import { largestOf } from '../../core/lists.ts';
import type { Metric } from '../../schemas/evaluate.ts';

/** Where figure 5's points lie, CSS px. Pure. */

export type Series = { name: string; metrics: readonly (Metric | null)[] };
export type PlotPoint = { group: number; x: number; y: number; low: number; high: number; metric: Metric };
type Plot = {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  ticks: { value: number; y: number }[];
  groups: { name: string; x: number }[];
  series: PlotPoint[][];
};

const MARGIN = { left: 44, right: 12, top: 12, bottom: 44 };
/** Between the points of two models in one group, at most. */
const APART_PX = 22;
const BOUNDS: Readonly<Record<Metric['unit'], readonly [number, number] | null>> = {
  '%': [0, 100],
  '0-5': [0, 5],
  tau: [-1, 1],
  count: null,
};

export function layoutPlot(groups: readonly string[], series: readonly Series[], width: number, height: number): Plot {
  const all = series.flatMap(({ metrics }) => metrics.filter((one) => one !== null && one.value !== null)) as Metric[]; // Filtered.
  const [from, to] = BOUNDS[all[0]?.unit ?? '%'] ?? [
    0,
    Math.max(1, largestOf(all.map(({ value, interval }) => interval?.high ?? value ?? 0))),
  ];
  const { left, right, top, bottom } = {
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  };
  const yOf = (value: number): number => bottom - ((value - from) / (to - from)) * (bottom - top);
  const step = (right - left) / Math.max(1, groups.length);
  const middle = (i: number): number => left + step * (i + 0.5);
  const apart = Math.min(APART_PX, (step * 0.8) / Math.max(1, series.length));
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    ticks: Array.from({ length: 6 }, (_, i) => from + ((to - from) * i) / 5).map((value) => ({ value, y: yOf(value) })),
    groups: groups.map((name, i) => ({ name, x: middle(i) })),
    series: series.map(({ metrics }, s) =>
      metrics.flatMap((metric, group): PlotPoint[] => {
        if (metric?.value == null) return [];
        const { low, high } = metric.interval ?? { low: metric.value, high: metric.value };
        const x = middle(group) + (s - (series.length - 1) / 2) * apart;
        return [{ group, x, y: yOf(metric.value), low: yOf(low), high: yOf(high), metric }];
      }),
    ),
  };
}
