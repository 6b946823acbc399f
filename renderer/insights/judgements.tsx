import type { ReactNode } from 'react';
import type { Dashboard, JudgementAgreement } from '../../schemas/api/review-models.ts';
import { scaleStart } from '../figures/figures.ts';
import { FigureText, WhiskerScale } from '../figures/whisker.tsx';
import { plural } from '../ui/format.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import { Clamp } from '../ui/parts.tsx';
import { FigureCells, FigureColumns } from './agreement.tsx';
import classes from './insights.module.css';

/** In the order in which they are read. */
const JUDGEMENT_KINDS: readonly {
  kind: keyof JudgementAgreement;
  label: string;
  measure: string;
  about: string;
}[] = [
  {
    kind: 'groundedKappa',
    label: 'Grounded or not',
    measure: 'kappa',
    about: "Cohen's kappa for two people, Fleiss' for more: agreement beyond chance. 0: as by chance.",
  },
  {
    kind: 'groundedAlpha',
    label: 'Grounded or not',
    measure: 'alpha',
    about: "Krippendorff's alpha: agreement beyond chance, also where not everybody judged every step.",
  },
  {
    kind: 'errorKappa',
    label: 'Kind of error',
    measure: 'kappa',
    about: 'None, planning, structural, or one of the three kinds of execution errors: agreement beyond chance.',
  },
  {
    kind: 'errorAlpha',
    label: 'Kind of error',
    measure: 'alpha',
    about: "The same by Krippendorff's alpha, also where not everybody judged every step.",
  },
];

/** How well people agree who judged the same steps of a trajectory, all together and each two. */
export function Judgements(props: { judgements: Dashboard['judgements']; people: Dashboard['people'] }): ReactNode {
  const { recordings, agreement, pairs } = props.judgements;
  const name = (id: string): string => props.people.find((one) => one.id === id)?.name ?? id;
  const start = scaleStart(JUDGEMENT_KINDS.map(({ kind }) => agreement[kind]));
  return (
    <section className={classes.section} aria-labelledby="insights-judgements">
      <h2 className={classes.heading} id="insights-judgements">
        Judgements of trajectories
        {recordings > 0 && (
          <span className={classes.note}>
            over {plural(recordings, 'recording')} that two or more judged; n counts steps
          </span>
        )}
      </h2>
      {recordings === 0 ? (
        <p className={classes.nothing}>
          No recording was judged by two people yet. On the review page <Kbd command="judge.toggle" /> judges step by
          step whether it was grounded in what the screen showed, and what kind of error it is.
        </p>
      ) : (
        <>
          <div className={classes.scroller}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">Judgement</th>
                  <th scope="col">Measure</th>
                  <th scope="col" className={classes.plot}>
                    <span className="visually-hidden">Plot</span>
                    <WhiskerScale start={start} />
                  </th>
                  <FigureColumns />
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
            </table>
          </div>
          <div className={classes.scroller}>
            <table className={classes.table} data-wide>
              <thead>
                <tr>
                  <th scope="col">Pair</th>
                  <th scope="col" className={classes.number}>
                    Recordings
                  </th>
                  {JUDGEMENT_KINDS.map(({ kind, label, measure, about }) => (
                    <th key={kind} scope="col" className={classes.number} title={about}>
                      {label}, {measure}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {pairs.map(({ people: [a, b], recordings: count, agreement: of }) => (
                  <tr key={`${a}\n${b}`}>
                    <th scope="row">
                      <span className={classes.pair}>
                        <Clamp>{name(a)}</Clamp> and <Clamp>{name(b)}</Clamp>
                      </span>
                    </th>
                    <td className={classes.number}>{count.toLocaleString('en')}</td>
                    {JUDGEMENT_KINDS.map(({ kind }) => (
                      <td key={kind} className={classes.number}>
                        <FigureText figure={of[kind]} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}
