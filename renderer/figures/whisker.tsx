import type { ReactNode } from 'react';
import type { Figure } from '../../schemas/api/review-models.ts';
import { shownLanguage, tr } from '../language/tr.ts';
import { figureText, figureWords, intervalText, placeOf, scaleTicks } from './figures.ts';
import classes from './whisker.module.css';

/**
 * A figure as a dot with its 95 % interval as a whisker, on a scale from `start` to 1. Places are per cent, so it is as wide
 * as its cell. Not read out: the numbers stand beside it. A hollow dot has no interval.
 */
export function Whisker({ figure, start }: { figure: Figure; start: number }): ReactNode {
  const { value, low, high } = figure;
  const at = (one: number): string => `${placeOf(one, start)}%`;
  return (
    <svg className={classes.plot} aria-hidden="true">
      <Grid start={start} />
      {low !== null && high !== null && (
        <>
          <line x1={at(low)} x2={at(high)} y1="50%" y2="50%" className={classes.whisker} />
          <line x1={at(low)} x2={at(low)} y1="28%" y2="72%" className={classes.whisker} />
          <line x1={at(high)} x2={at(high)} y1="28%" y2="72%" className={classes.whisker} />
        </>
      )}
      {value !== null && <circle cx={at(value)} cy="50%" r={4.5} className={classes.dot} data-hollow={low === null} />}
    </svg>
  );
}

function Grid({ start }: { start: number }): ReactNode {
  return scaleTicks(start).map((tick) => (
    <line
      key={tick}
      x1={`${placeOf(tick, start)}%`}
      x2={`${placeOf(tick, start)}%`}
      y1="0"
      y2="100%"
      className={classes.grid}
      data-zero={tick === 0}
    />
  ));
}

/** The scale over a column of whiskers. */
export function WhiskerScale({ start }: { start: number }): ReactNode {
  return (
    <span className={classes.scale} aria-hidden="true">
      {scaleTicks(start).map((tick) => (
        <span key={tick} style={{ left: `${placeOf(tick, start)}%` }}>
          {figureText(tick).replace(/\.?0+$/, '')}
        </span>
      ))}
    </span>
  );
}

/** A figure with its interval and n, small, one under the other. */
export function FigureText({ figure }: { figure: Figure }): ReactNode {
  const interval = intervalText(figure);
  return (
    <span className={classes.figure} title={figureWords(figure)}>
      <strong>{figureText(figure.value)}</strong>
      {interval && (
        <span className={classes.quiet} data-part="interval">
          <span className="visually-hidden">{tr('95 % interval')} </span>
          {interval}
        </span>
      )}
      <span className={classes.quiet}>n {figure.n.toLocaleString(shownLanguage())}</span>
    </span>
  );
}
