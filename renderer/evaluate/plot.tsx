import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { tr } from '../language/tr.ts';
import classes from './plot.module.css';
import { layoutPlot, type PlotPoint, type Series } from './plot-layout.ts';
import { scoreIntervalText, valueText } from './tables.ts';

const HEIGHT = 330;
const SHAPES = ['circle', 'square', 'triangle', 'diamond', 'down'] as const;
/** With as many colours as shapes, the same would meet for ever; with one more, every pair comes. */
const COLOURS = 6;

type Props = {
  title: string;
  groups: readonly string[];
  series: readonly Series[];
  /** Groups have an order (figure 5, number of actions), so the points of a model are joined. */
  joined: boolean;
  axis: string;
};

/** Figure 5: a point for each model and group with its interval. The table beside it says the same. */
export function ScorePlot({ title, groups, series, joined, axis }: Props): ReactNode {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const plot = layoutPlot(groups, series, Math.max(width, 320), HEIGHT);
  const narrow = (plot.right - plot.left) / Math.max(1, groups.length);
  const most = Math.max(4, Math.floor(narrow / 7));
  return (
    <figure className={classes.figure}>
      <div ref={ref}>
        {width > 0 && (
          <svg
            className={classes.plot}
            width={plot.width}
            height={plot.height}
            role="img"
            aria-label={tr('{title}. The table holds every value.', { title })}
          >
            {plot.ticks.map(({ value, y }) => (
              <g key={value}>
                <line x1={plot.left} x2={plot.right} y1={y} y2={y} className={classes.grid} />
                <text x={plot.left - 8} y={y + 4} textAnchor="end">
                  {Number(value.toFixed(1))}
                </text>
              </g>
            ))}
            {plot.groups.map(({ name, x }) => (
              <text key={name} x={x} y={plot.bottom + 18} textAnchor="middle">
                <title>{name}</title>
                {name.length > most ? `${name.slice(0, most - 1)}…` : name}
              </text>
            ))}
            <text x={(plot.left + plot.right) / 2} y={plot.height - 6} textAnchor="middle" className={classes.axis}>
              {axis}
            </text>
            {plot.series.map((points, i) => (
              <g key={series[i]?.name} data-colour={i % COLOURS} className={classes.series}>
                {joined && (
                  <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} className={classes.line} />
                )}
                {points.map((point) => (
                  <Point key={point.group} point={point} place={i} name={series[i]?.name ?? ''} />
                ))}
              </g>
            ))}
          </svg>
        )}
      </div>
      <figcaption className={classes.legend}>
        {series.map(({ name }, i) => (
          <span key={name} className={classes.key}>
            <svg width="16" height="16" aria-hidden="true" data-colour={i % COLOURS} className={classes.series}>
              <Shape x={8} y={8} place={i} />
            </svg>
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

function Point({ point, place, name }: { point: PlotPoint; place: number; name: string }): ReactNode {
  const { x, y, low, high, metric } = point;
  return (
    <g>
      <title>{`${name}: ${valueText(metric)}${scoreIntervalText(metric) === '' ? '' : ` (${scoreIntervalText(metric)})`}, n ${metric.n}`}</title>
      {metric.interval && (
        <path
          d={`M${x} ${low}V${high}M${x - 4} ${low}H${x + 4}M${x - 4} ${high}H${x + 4}`}
          className={classes.whisker}
        />
      )}
      <Shape x={x} y={y} place={place} />
    </g>
  );
}

function Shape({ x, y, place }: { x: number; y: number; place: number }): ReactNode {
  const shape = SHAPES[place % SHAPES.length];
  if (shape === 'circle') return <circle cx={x} cy={y} r={5} className={classes.point} />;
  if (shape === 'square') return <rect x={x - 4.5} y={y - 4.5} width={9} height={9} className={classes.point} />;
  const d = {
    triangle: `M${x} ${y - 6}L${x + 6} ${y + 5}H${x - 6}Z`,
    diamond: `M${x} ${y - 6.5}L${x + 6.5} ${y}L${x} ${y + 6.5}L${x - 6.5} ${y}Z`,
    down: `M${x} ${y + 6}L${x + 6} ${y - 5}H${x - 6}Z`,
  }[shape ?? 'diamond'];
  return <path d={d} className={classes.point} />;
}
