import type { ReactNode } from 'react';
import type { Agreement, Dashboard } from '../../schemas/api/review-models.ts';
import {
  AGREEMENT_KINDS,
  type AgreementKind,
  type KindWords,
  nameOfPerson,
  scaleStart,
  valueWords,
} from '../figures/figures.ts';
import { tr } from '../language/tr.ts';
import classes from './insights.module.css';
import { FigureCells, FigureHeads, NumberCell, NumberHead, PairHead, ScrolledTable, Section } from './parts.tsx';

/** Agreement of each kind of data over every recording that two or more people annotated. */
export function AgreementByKind({ agreement, recordings }: { agreement: Agreement; recordings: number }): ReactNode {
  const start = scaleStart(AGREEMENT_KINDS.map(({ kind }) => agreement[kind]));
  return (
    <Section
      id="kinds"
      heading={
        <>
          {tr('Agreement by kind')}
          <span className={classes.note}>
            {tr(
              'over {recordings, plural, one {# recording} other {# recordings}}; whiskers are 95 % intervals by bootstrap, n counts what was compared',
              { recordings },
            )}
          </span>
        </>
      }
    >
      <ScrolledTable>
        <thead>
          <tr>
            <th scope="col">{tr('Kind')}</th>
            <th scope="col">{tr('Measure')}</th>
            <FigureHeads start={start} />
          </tr>
        </thead>
        <tbody>
          {shownKinds(agreement).map(({ kind, label, measure, about, scale }) => (
            <tr key={kind} data-none={agreement[kind].value === null} data-whole={kind === 'overall'}>
              <th scope="row">{label}</th>
              <td title={about}>{measure}</td>
              <FigureCells figure={agreement[kind]} start={start} plotted={scale !== 'actions'} />
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
    </Section>
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
  return (
    <Section
      id="pairs"
      heading={
        <>
          {tr('Agreement by pair')} <span className={classes.note}>{nameOfPerson(kind)}</span>
        </>
      }
    >
      <ScrolledTable>
        <thead>
          <tr>
            <th scope="col">{tr('Pair')}</th>
            <NumberHead>{tr('Recordings')}</NumberHead>
            <FigureHeads start={start} />
          </tr>
        </thead>
        <tbody>
          {pairs.map(({ people: pair, recordings, agreement }) => (
            <tr key={pair.join('\n')} data-none={agreement[kind].value === null}>
              <PairHead pair={pair} people={people} />
              <NumberCell n={recordings} />
              <FigureCells figure={agreement[kind]} start={start} plotted={valueWords(kind).scale !== 'actions'} />
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
    </Section>
  );
}
