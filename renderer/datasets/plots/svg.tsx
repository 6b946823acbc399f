import type { ReactNode, Ref } from 'react';
import { shownLanguage } from '../../language/tr.ts';
import { niceTicks } from './bins.ts';

/** Plots as plain SVG. All that they look like is in their attributes, so that a saved file looks the same. */

const BAR = '#4a80cc';
const FONT = { fontFamily: 'system-ui, sans-serif', fontSize: 11.5 } as const;
const GRID = { stroke: 'currentColor', strokeOpacity: 0.14 } as const;
/** Average width of a letter at this size, px: for cutting labels to their room. */
const LETTER = 7.2;

type Common = { svgRef: Ref<SVGSVGElement>; width: number; label: string };
export type BarItem = { name: string; value: number; note?: string };

const ROW = 22;

/** Horizontal bars, a row each, with its figure at the end. */
export function Bars({ svgRef, width, label, items }: Common & { items: readonly BarItem[] }): ReactNode {
  const longest = items.reduce((most, { name }) => Math.max(most, name.length), 0);
  const left = Math.min(Math.max(48, longest * LETTER + 10), width * 0.4);
  const right = 76;
  const most = items.reduce((max, { value }) => Math.max(max, value), 0) || 1;
  const room = Math.max(20, width - left - right);
  const height = items.length * ROW + 4;
  const letters = Math.floor((left - 10) / LETTER);
  return (
    <svg ref={svgRef} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {items.map(({ name, value, note }, i) => {
        const length = (value / most) * room;
        return (
          <g key={name} transform={`translate(0 ${i * ROW + 2})`}>
            <title>{`${name}: ${value.toLocaleString(shownLanguage())}${note ? ` (${note})` : ''}`}</title>
            <text x={left - 8} y={ROW / 2} dominantBaseline="central" textAnchor="end" fill="currentColor" {...FONT}>
              {name.length > letters ? `${name.slice(0, Math.max(1, letters - 1))}…` : name}
            </text>
            <rect x={left} y={4} width={Math.max(value > 0 ? 1.5 : 0, length)} height={ROW - 8} rx={2} fill={BAR} />
            <text x={left + length + 6} y={ROW / 2} dominantBaseline="central" fill="currentColor" {...FONT}>
              {value.toLocaleString(shownLanguage())}
              {note && <tspan fillOpacity={0.75}> · {note}</tspan>}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

export type HistogramBin = { label: string; from: number; count: number };

const HEIGHT = 204;
/** Room for the median's words above the highest bar. */
const TOP = 24;
const BOTTOM = 38;

/** A bar with its gap, px. */
const WIDEST_STEP = 76;

/** Upright bars over an axis of values; `median` is marked. */
export function Histogram(
  props: Common & {
    bins: readonly HistogramBin[];
    /** Where the median lies, in bins from the left. */
    median: number | null;
    medianLabel: string;
    xLabel: string;
  },
): ReactNode {
  const { svgRef, width, label, bins, median, medianLabel, xLabel } = props;
  const marks = niceTicks(bins.reduce((max, { count }) => Math.max(max, count), 0));
  const top = marks.at(-1) ?? 1;
  const left = 14 + String(top).length * LETTER;
  const room = Math.max(20, width - left - 8);
  // Few bars stand side by side at the left, so that a bar's place and the median's are measured alike.
  const step = Math.min(WIDEST_STEP, room / Math.max(1, bins.length));
  const plot = HEIGHT - TOP - BOTTOM;
  const y = (count: number): number => TOP + plot - (count / top) * plot;
  const widest = bins.reduce((most, bin) => Math.max(most, bin.label.length), 1) * LETTER + 8;
  const every = Math.max(1, Math.ceil(widest / step));
  return (
    <svg ref={svgRef} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
      {marks.map((mark) => (
        <g key={mark}>
          <line x1={left} x2={width - 8} y1={y(mark)} y2={y(mark)} {...GRID} />
          <text x={left - 6} y={y(mark)} dominantBaseline="central" textAnchor="end" fill="currentColor" {...FONT}>
            {mark}
          </text>
        </g>
      ))}
      {bins.map((bin, i) => (
        <g key={bin.from}>
          <title>{`${bin.label}: ${bin.count.toLocaleString(shownLanguage())}`}</title>
          <rect
            x={left + i * step + Math.min(2, step * 0.1)}
            y={y(bin.count)}
            width={Math.max(0.5, step - Math.min(4, step * 0.2))}
            height={TOP + plot - y(bin.count)}
            fill={BAR}
          />
          {i % every === 0 && (
            <text
              x={left + i * step + step / 2}
              y={HEIGHT - BOTTOM + 14}
              textAnchor="middle"
              fill="currentColor"
              {...FONT}
            >
              {bin.label}
            </text>
          )}
        </g>
      ))}
      {median !== null && (
        <g>
          <line
            x1={left + median * step}
            x2={left + median * step}
            y1={TOP - 18}
            y2={TOP + plot}
            stroke="currentColor"
            strokeDasharray="3 3"
          />
          <text
            x={left + median * step + (median > bins.length * 0.7 ? -5 : 5)}
            y={TOP - 9}
            textAnchor={median > bins.length * 0.7 ? 'end' : 'start'}
            fill="currentColor"
            {...FONT}
          >
            {medianLabel}
          </text>
        </g>
      )}
      <text
        x={left + Math.max(step * bins.length, xLabel.length * LETTER) / 2}
        y={HEIGHT - 6}
        textAnchor="middle"
        fill="currentColor"
        fillOpacity={0.8}
        {...FONT}
      >
        {xLabel}
      </text>
    </svg>
  );
}
