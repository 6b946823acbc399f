import type { ReactNode } from 'react';
import type { Dashboard, Figure } from '../../schemas/api/review-models.ts';
import { figureText, figureWords, intervalText } from '../figures/figures.ts';
import { Whisker, WhiskerScale } from '../figures/whisker.tsx';
import { shownLanguage, tr, trParts } from '../language/tr.ts';
import { Clamp } from '../ui/parts.tsx';
import classes from './insights.module.css';

/** A section of the page; `id` names it within the page. */
export function Section(props: { id: string; heading: ReactNode; children: ReactNode }): ReactNode {
  const id = `insights-${props.id}`;
  return (
    <section className={classes.section} aria-labelledby={id}>
      <h2 className={classes.heading} id={id}>
        {props.heading}
      </h2>
      {props.children}
    </section>
  );
}

/** A table that scrolls by itself where it is wider than the page. */
export function ScrolledTable(props: { wide?: boolean; children: ReactNode }): ReactNode {
  return (
    <div className={classes.scroller}>
      <table className={classes.table} data-wide={props.wide}>
        {props.children}
      </table>
    </div>
  );
}

/** The head of a column of numbers. */
export function NumberHead({ title, children }: { title?: string; children: ReactNode }): ReactNode {
  return (
    <th scope="col" className={classes.number} title={title}>
      {children}
    </th>
  );
}

export function NumberCell({ n }: { n: number }): ReactNode {
  return <td className={classes.number}>{n.toLocaleString(shownLanguage())}</td>;
}

/** The head of a row: the two people it is about. */
export function PairHead(props: { pair: readonly [string, string]; people: Dashboard['people'] }): ReactNode {
  const [one, other] = props.pair.map((id) => (
    <Clamp key={id}>{props.people.find((person) => person.id === id)?.name ?? id}</Clamp>
  ));
  return (
    <th scope="row">
      <span className={classes.pair}>{trParts('{one} and {other}', { one, other })}</span>
    </th>
  );
}

/** The heads of FigureCells. `start`: the least value on the scale. */
export function FigureHeads({ start }: { start: number }): ReactNode {
  return (
    <>
      <th scope="col" className={classes.plot}>
        <span className="visually-hidden">{tr('Plot')}</span>
        <WhiskerScale start={start} />
      </th>
      <NumberHead>{tr('Value')}</NumberHead>
      <NumberHead>{tr('95 % interval')}</NumberHead>
      <NumberHead>n</NumberHead>
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
      <NumberCell n={figure.n} />
    </>
  );
}
