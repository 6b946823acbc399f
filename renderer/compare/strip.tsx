import type { ReactNode } from 'react';
import type { Comparison } from '../../schemas/api/review-models.ts';
import { figureWords, kindsWithFigures, scaleStart, valueWords } from '../figures/figures.ts';
import { FigureText, Whisker } from '../figures/whisker.tsx';
import { tr } from '../language/tr.ts';
import classes from './compare.module.css';

/** The agreement of each kind that has a figure, with n and interval. */
export function AgreementStrip({ comparison }: { comparison: Comparison }): ReactNode {
  const { agreement } = comparison;
  const kinds = kindsWithFigures([agreement]);
  const start = scaleStart(kinds.map((kind) => agreement[kind]));
  return (
    <ul className={classes.strip} aria-label={tr('Agreement by kind')}>
      {kinds.map((kind) => {
        const { label, measure, about, scale } = valueWords(kind);
        return (
          <li
            key={kind}
            className={classes.figure}
            title={`${label}, ${measure}: ${figureWords(agreement[kind])}. ${about}`}
          >
            <span className={classes.figureName}>{label}</span>
            <span className={`${classes.figureName} ${classes.quiet}`}>{measure}</span>
            <FigureText figure={agreement[kind]} />
            {scale !== 'actions' && (
              <span className={classes.figurePlot}>
                <Whisker figure={agreement[kind]} start={start} />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
