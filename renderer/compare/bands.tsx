import { type MouseEvent, type ReactNode, useMemo } from 'react';
import type { DocumentView } from '../../core/annotate/view.ts';
import { tr } from '../language/tr.ts';
import { Clamp } from '../ui/parts.tsx';
import { clock } from '../workbench/frames/times.ts';
import { useWork, useWorkStore } from '../workbench/store.ts';
import { bandsIn, stepNear } from '../workbench/timeline/layout.ts';
import { fitScale, ticks, timeToX } from '../workbench/timeline/scale.ts';
import classes from './bands.module.css';
import { type ComparedSide, letterOf } from './sides.ts';
import { type ComparisonRow, isAdjudicated, useCompare, useComparing } from './store.ts';
import { Swatch } from './swatch.tsx';

/** Places are per cent of the width: the lanes are as wide as the page, and nothing is measured. */
const WHOLE = 100;
const MARKS = 8;

/** Each side's subtasks over one time, with where they differ and the step in hand. */
export function Bands({
  rows,
  nameOf,
}: {
  rows: readonly ComparisonRow[];
  nameOf: (side: ComparedSide) => string;
}): ReactNode {
  const store = useWorkStore();
  const { actions } = useComparing();
  const sides = useCompare((state) => state.sides);
  const selected = useCompare((state) => state.selected);
  const main = useWork((state) => state.doc);
  const adjudicated = useWork(isAdjudicated);
  const opened = useWork((state) => state.opened);
  const at = useWork((state) => state.at);
  const { steps, span } = opened;
  const scale = useMemo(() => fitScaleOf(span), [span]);
  const now = timeToX(scale, steps[at]?.start[2] ?? span.start);
  const marked = rows.filter(({ difference }) => difference.index !== null);

  function onClick(event: MouseEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - left) / Math.max(width, 1)) * WHOLE;
    const step = stepNear(steps, scale, x, WHOLE);
    const nearest = marked.toSorted(
      (a, b) => Math.abs((a.difference.index ?? 0) - step) - Math.abs((b.difference.index ?? 0) - step),
    )[0];
    if (nearest && nearest.difference.index === step) actions.select(nearest.difference.id);
    else if (step >= 0) store.setState({ at: step, side: 'before', looking: null });
  }

  const lanes: { key: string; label: ReactNode; name: string; view: DocumentView }[] = sides.map((side) => ({
    key: side.document,
    label: <Swatch place={side.place} />,
    name: `${letterOf(side.place)}, ${nameOf(side)}`,
    view: side.view,
  }));
  if (adjudicated) {
    lanes.push({ key: 'main', label: <span className={classes.mainMark} />, name: tr('Adjudicated'), view: main });
  }
  return (
    <section className={classes.bands} aria-label={tr('Subtasks of each')}>
      <div className={classes.laneLabels}>
        <span className={classes.rulerLabel} />
        {lanes.map(({ key, label, name }) => (
          <span key={key} className={classes.laneLabel}>
            {label} <Clamp>{name.replace(/^[A-Z], /, '')}</Clamp>
          </span>
        ))}
        <span className={classes.laneLabel}>{tr('Differences')}</span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the pointer; by key one goes through the differences */}
      <div className={classes.lanes} onClick={onClick}>
        <div className={classes.ruler} aria-hidden="true">
          {marksOf(span).map((t) => (
            <span key={t} style={{ left: `${timeToX(scale, t)}%` }}>
              {clock(t, span.start).replace(/\.\d+$/, '')}
            </span>
          ))}
        </div>
        {lanes.map(({ key, name, view }) => (
          <div key={key} className={classes.lane} role="img" aria-label={laneWords(name, view)}>
            {bandsIn(view.subtasks, steps, span, scale, WHOLE).map(({ index, x, width }) => {
              const subtask = view.subtasks[index];
              return (
                <span
                  key={index}
                  className={classes.band}
                  data-odd={index % 2 === 1}
                  data-current={subtask !== undefined && at >= subtask.from && at < subtask.to}
                  style={{ left: `${x}%`, width: `${width}%` }}
                  title={`${index + 1} ${subtask?.title.slice(0, 400) || tr('No title')}`}
                >
                  {index + 1} {subtask?.title.slice(0, 120)}
                </span>
              );
            })}
          </div>
        ))}
        <div className={classes.ticks} aria-hidden="true">
          {marked.map(({ difference, standing }) => (
            <span
              key={difference.id}
              data-state={adjudicated ? standing.state : 'open'}
              data-current={difference.id === selected}
              style={{ left: `${timeToX(scale, steps[difference.index ?? 0]?.start[2] ?? span.start)}%` }}
            />
          ))}
        </div>
        <span className={classes.playhead} style={{ left: `${now}%` }} aria-hidden="true" />
      </div>
    </section>
  );
}

type TimeSpan = { start: number; end: number };

/** µs to per cent. A recording of less than 30 ms would be drawn wider than it is. */
function fitScaleOf(span: TimeSpan) {
  return { start: span.start, usPerPx: Math.max(span.end - span.start, 1) / WHOLE };
}

/** About as many times as there is room for on the smallest screen. */
function marksOf(span: TimeSpan): number[] {
  const width = MARKS * 90;
  return ticks(fitScale(span, width), span, width);
}

function laneWords(name: string, { subtasks }: DocumentView): string {
  const parts = subtasks.slice(0, 30).map(({ from, to, title }, index) => {
    const words = title.slice(0, 80) || tr('no title');
    return tr('{number} {words}, steps {from} to {to}', { number: index + 1, words, from: from + 1, to });
  });
  return `${name}: ${parts.join('; ') || tr('no subtasks')}`;
}
