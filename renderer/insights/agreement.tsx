import type { ReactNode } from 'react';
import type { Agreement, Dashboard, Figure } from '../../schemas/api/review-models.ts';
import {
  AGREEMENT_KINDS,
  type AgreementKind,
  figureText,
  figureWords,
  intervalText,
  type KindWords,
  nameOfPerson,
  scaleStart,
  valueWords,
} from '../figures/figures.ts';
import { Whisker, WhiskerScale } from '../figures/whisker.tsx';
import { shownLanguage, tr, trParts } from '../language/tr.ts';
import { Clamp } from '../ui/parts.tsx';
import classes from './insights.module.css';

/** Agreement of each kind of data over every recording that two or more people annotated. */
export function AgreementByKind({ agreement, recordings }: { agreement: Agreement; recordings: number }): ReactNode {
  const start = scaleStart(AGREEMENT_KINDS.map(({ kind }) => agreement[kind]));
  return (
    <section className={classes.section} aria-labelledby="insights-kinds">
      <h2 className={classes.heading} id="insights-kinds">
        {tr('Agreement by kind')}
        <span className={classes.note}>
          {tr(
            'over {recordings, plural, one {# recording} other {# recordings}}; whiskers are 95 % intervals by bootstrap, n counts what was compared',
            { recordings },
          )}
        </span>
      </h2>
      <div className={classes.scroller}>
        <table className={classes.table}>
          <FigureHead first={tr('Kind')} second={tr('Measure')} start={start} />
          <tbody>
            {shownKinds(agreement).map(({ kind, label, measure, about, scale }) => (
              <tr key={kind} data-none={agreement[kind].value === null} data-whole={kind === 'overall'}>
                <th scope="row">{label}</th>
                <td title={about}>{measure}</td>
                <FigureCells figure={agreement[kind]} start={start} plotted={scale !== 'actions'} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Most data sets hold no thoughts: without any they are not a row of their own. */
const shownKinds = (agreement: Agreement): readonly KindWords[] =>
  AGREEMENT_KINDS.filter(({ kind }) => !kind.startsWith('thought') || agreement[kind].n > 0);

/** The same of each two people, of one kind. */
export function AgreementByPair(props: {
  pairs: Dashboard['pairs'];
  people: Dashboard['people'];
  kind: AgreementKind;
}): ReactNode {
  const { pairs, people, kind } = props;
  const start = scaleStart(pairs.map(({ agreement }) => agreement[kind]));
  const name = (id: string): string => people.find((one) => one.id === id)?.name ?? id;
  return (
    <section className={classes.section} aria-labelledby="insights-pairs">
      <h2 className={classes.heading} id="insights-pairs">
        {tr('Agreement by pair')} <span className={classes.note}>{nameOfPerson(kind)}</span>
      </h2>
      <div className={classes.scroller}>
        <table className={classes.table}>
          <FigureHead first={tr('Pair')} second={tr('Recordings')} start={start} />
          <tbody>
            {pairs.map((pair) => (
              <tr key={pair.people.join('\n')} data-none={pair.agreement[kind].value === null}>
                <th scope="row">
                  <span className={classes.pair}>
                    {trParts('{one} and {other}', {
                      one: <Clamp>{name(pair.people[0])}</Clamp>,
                      other: <Clamp>{name(pair.people[1])}</Clamp>,
                    })}
                  </span>
                </th>
                <td className={classes.number}>{pair.recordings.toLocaleString(shownLanguage())}</td>
                <FigureCells
                  figure={pair.agreement[kind]}
                  start={start}
                  plotted={valueWords(kind).scale !== 'actions'}
                />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function FigureHead(props: { first: string; second: string; start: number }): ReactNode {
  return (
    <thead>
      <tr>
        <th scope="col">{props.first}</th>
        <th scope="col" className={props.second === 'Recordings' ? classes.number : undefined}>
          {props.second}
        </th>
        <th scope="col" className={classes.plot}>
          <span className="visually-hidden">{tr('Plot')}</span>
          <WhiskerScale start={props.start} />
        </th>
        <FigureColumns />
      </tr>
    </thead>
  );
}

export function FigureColumns(): ReactNode {
  return (
    <>
      <th scope="col" className={classes.number}>
        {tr('Value')}
      </th>
      <th scope="col" className={classes.number}>
        {tr('95 % interval')}
      </th>
      <th scope="col" className={classes.number}>
        n
      </th>
    </>
  );
}

/** A figure drawn and in numbers: four cells. A distance has no place on the scale. */
export function FigureCells(props: { figure: Figure; start: number; plotted: boolean }): ReactNode {
  const { figure, start, plotted } = props;
  return (
    <>
      <td className={classes.plot} title={figureWords(figure)}>
        {plotted && <Whisker figure={figure} start={start} />}
      </td>
      <td className={classes.number}>{figureText(figure.value)}</td>
      <td className={classes.number}>{intervalText(figure) || '–'}</td>
      <td className={classes.number}>{figure.n.toLocaleString(shownLanguage())}</td>
    </>
  );
}
