import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Dashboard } from '../../schemas/api/review-models.ts';
import { FigureText } from '../figures/whisker.tsx';
import { shownLanguage, tr, trParts } from '../language/tr.ts';
import { percent } from '../ui/format.ts';
import { Clamp } from '../ui/parts.tsx';
import classes from './insights.module.css';
import { NumberHead, ScrolledTable, Section } from './parts.tsx';

type Person = Dashboard['people'][number];

/** Who did how much, how quickly, and how it was received. */
export function People({ people, work }: { people: readonly Person[]; work: string }): ReactNode {
  const busy = people.filter((one) => one.begun + one.reviewed > 0);
  const idle = people.length - busy.length;
  return (
    <Section
      id="people"
      heading={
        <>
          {tr('People')}
          {idle > 0 && busy.length > 0 && (
            <span className={classes.note}>
              {tr('{idle, plural, one {# other has} other {# others have}} not begun', { idle })}
            </span>
          )}
        </>
      }
    >
      {busy.length === 0 ? (
        <p className={classes.nothing}>
          {trParts(
            'Nobody has started yet. Choose your name in the bar above, then open <link>My work</link>: it says what to do next.',
            {
              link: (inside) => (
                <Link href={work} className={classes.inText}>
                  {inside}
                </Link>
              ),
            },
          )}
        </p>
      ) : (
        <ScrolledTable wide>
          <thead>
            <tr>
              <th scope="col">{tr('Person')}</th>
              <NumberHead title={tr('Annotations started')}>{tr('Started')}</NumberHead>
              <NumberHead title={tr('Annotations submitted')}>{tr('Submitted')}</NumberHead>
              <NumberHead title={tr('Of those submitted, what reviewers sent back')}>{tr('Returned')}</NumberHead>
              <NumberHead title={tr('Recordings reviewed or adjudicated')}>{tr('Reviewed')}</NumberHead>
              <NumberHead title={tr('Of those reviewed, what was sent back')}>{tr('Rejected')}</NumberHead>
              <NumberHead title={tr('Steps worked on')}>{tr('Steps')}</NumberHead>
              <NumberHead
                title={tr('Median seconds between gestures on two steps; pauses of more than two minutes left out')}
              >
                {tr('Time per step')}
              </NumberHead>
              <NumberHead title={tr('Hidden checks: how well they agree with the known answers')}>
                {tr('Hidden checks')}
              </NumberHead>
            </tr>
          </thead>
          <tbody>
            {busy.map((one) => (
              <tr key={one.id}>
                <th scope="row">
                  <Clamp>{one.name}</Clamp>
                </th>
                <Count n={one.begun} />
                <Count n={one.submitted} />
                <Count n={one.returned} of={one.submitted} />
                <Count n={one.reviewed} />
                <Count n={one.rejected} of={one.reviewed} />
                <Count n={one.steps} />
                <td className={classes.number}>{paceText(one.medianStepSeconds)}</td>
                <td className={classes.number}>
                  {one.checks.n === 0 ? '–' : <FigureText figure={{ ...one.checks.overall, n: one.checks.n }} />}
                </td>
              </tr>
            ))}
          </tbody>
        </ScrolledTable>
      )}
    </Section>
  );
}

/** Seconds a step, to a tenth. */
function paceText(seconds: number | null): string {
  if (seconds === null) return '–';
  return seconds < 0.1 ? '< 0.1 s' : `${seconds.toFixed(1)} s`;
}

/** A count, and which share of another it is. */
function Count({ n, of }: { n: number; of?: number }): ReactNode {
  return (
    <td className={classes.number} data-none={n === 0}>
      {n.toLocaleString(shownLanguage())}
      {of !== undefined && of > 0 && n > 0 && <span className={classes.note}> {percent(n / of)}</span>}
    </td>
  );
}
