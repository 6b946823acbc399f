import { Anchor } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { CheckResult } from '../../schemas/checks.ts';
import type { PlayReport } from '../../schemas/play.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { Clamp } from '../ui/parts.tsx';
import classes from './page.module.css';
import { sentence } from './words.ts';

/** The outcome of the task's checks after the play. */
export function CheckOutcome({ ws, task, report }: { ws: string; task: string; report: PlayReport }): ReactNode {
  return (
    <section aria-labelledby="checks-title" className={classes.checks}>
      <h2 id="checks-title">
        {tr('Checks')}{' '}
        {report.passed !== null && (
          <span className={classes.mark} data-mark={report.passed ? 'same' : 'different'}>
            {report.passed ? tr('Passed') : tr('Failed')}
          </span>
        )}
      </h2>
      {report.passed === null ? (
        <p className={classes.quiet}>
          {tr('The task has no checks, so only the screen was compared.')}{' '}
          <Anchor component={Link} href={paths.task(ws, task)} size="sm" underline="always">
            {tr('Add checks to the task')}
          </Anchor>
        </p>
      ) : (
        <CheckResults checks={report.checks} weak={report.weak} />
      )}
    </section>
  );
}

/** Each check with its score and the reason. */
function CheckResults({ checks, weak }: { checks: readonly CheckResult[]; weak: string | null }): ReactNode {
  return (
    <>
      <ul className={classes.results}>
        {checks.map(({ id, score, why, able }) => (
          <li key={id}>
            <span className={classes.mark} data-mark={score >= 1 ? 'same' : able ? 'different' : 'missing'}>
              {score >= 1 ? <IconCheck size={15} aria-hidden /> : <IconX size={15} aria-hidden />}
              <span className="visually-hidden">{score >= 1 ? tr('Passed') : tr('Failed')}: </span>
            </span>
            <strong>
              <Clamp>{id}</Clamp>
            </strong>
            <span className={classes.why}>
              {score > 0 && score < 1
                ? tr('{why} Score {score}.', { why: sentence(why), score: score.toFixed(2) })
                : sentence(why)}
            </span>
          </li>
        ))}
      </ul>
      {weak !== null && <p className={classes.quiet}>{sentence(weak)}</p>}
    </>
  );
}
