import type { ReactNode } from 'react';
import type { Dashboard, JudgementAgreement } from '../../schemas/api/review-models.ts';
import { scaleStart } from '../figures/figures.ts';
import { FigureText } from '../figures/whisker.tsx';
import { tr, trParts } from '../language/tr.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import classes from './insights.module.css';
import { FigureCells, FigureHeads, NumberCell, NumberHead, PairHead, ScrolledTable, Section } from './parts.tsx';

/** In the order in which they are read. */
const JUDGEMENT_KINDS: readonly {
  kind: keyof JudgementAgreement;
  label: string;
  measure: string;
  about: string;
}[] = [
  {
    kind: 'groundedKappa',
    label: tr('Grounded or not'),
    measure: 'kappa',
    about: tr("Cohen's kappa for two people, Fleiss' for more: agreement beyond chance. 0: as by chance."),
  },
  {
    kind: 'groundedAlpha',
    label: tr('Grounded or not'),
    measure: 'alpha',
    about: tr("Krippendorff's alpha: agreement beyond chance, also where not everybody judged every step."),
  },
  {
    kind: 'errorKappa',
    label: tr('Kind of error'),
    measure: 'kappa',
    about: tr('None, planning, structural, or one of the three kinds of execution errors: agreement beyond chance.'),
  },
  {
    kind: 'errorAlpha',
    label: tr('Kind of error'),
    measure: 'alpha',
    about: tr("The same by Krippendorff's alpha, also where not everybody judged every step."),
  },
];

/** How well people agree who judged the same steps of a trajectory, all together and each two. */
export function Judgements(props: { judgements: Dashboard['judgements']; people: Dashboard['people'] }): ReactNode {
  const { recordings, agreement, pairs } = props.judgements;
  const start = scaleStart(JUDGEMENT_KINDS.map(({ kind }) => agreement[kind]));
  return (
    <Section
      id="judgements"
      heading={
        <>
          {tr('Judgements of trajectories')}
          {recordings > 0 && (
            <span className={classes.note}>
              {tr(
                'over {recordings, plural, one {# recording} other {# recordings}} that two or more judged; n counts steps',
                { recordings },
              )}
            </span>
          )}
        </>
      }
    >
      {recordings === 0 ? (
        <p className={classes.nothing}>
          {trParts(
            'No recording was judged by two people yet. On the review page {kbd} judges step by step whether it was grounded in what the screen showed, and what kind of error it is.',
            { kbd: <Kbd command="judge.toggle" main /> },
          )}
        </p>
      ) : (
        <>
          <ScrolledTable>
            <thead>
              <tr>
                <th scope="col">{tr('Judgement')}</th>
                <th scope="col">{tr('Measure')}</th>
                <FigureHeads start={start} />
              </tr>
            </thead>
            <tbody>
              {JUDGEMENT_KINDS.map(({ kind, label, measure, about }) => (
                <tr key={kind} data-none={agreement[kind].value === null}>
                  <th scope="row">{label}</th>
                  <td title={about}>{measure}</td>
                  <FigureCells figure={agreement[kind]} start={start} plotted />
                </tr>
              ))}
            </tbody>
          </ScrolledTable>
          <ScrolledTable wide>
            <thead>
              <tr>
                <th scope="col">{tr('Pair')}</th>
                <NumberHead>{tr('Recordings')}</NumberHead>
                {JUDGEMENT_KINDS.map(({ kind, label, measure, about }) => (
                  <NumberHead key={kind} title={about}>
                    {label}, {measure}
                  </NumberHead>
                ))}
              </tr>
            </thead>
            <tbody>
              {pairs.map(({ people: pair, recordings: count, agreement: of }) => (
                <tr key={pair.join('\n')}>
                  <PairHead pair={pair} people={props.people} />
                  <NumberCell n={count} />
                  {JUDGEMENT_KINDS.map(({ kind }) => (
                    <td key={kind} className={classes.number}>
                      <FigureText figure={of[kind]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </ScrolledTable>
        </>
      )}
    </Section>
  );
}
