import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { LiveRunState } from '../../schemas/api/runs.ts';
import { tr } from '../language/tr.ts';
import { ErrorPanel } from '../ui/parts.tsx';
import classes from './page.module.css';
import { endWords } from './words.ts';

/** How a run ended, and the reason of each check. */
export function OutcomeOfRun({ state }: { state: LiveRunState }): ReactNode {
  const { outcome, error } = state;
  if (error !== null) return <ErrorPanel error={new Error(error)} what={tr('The run could not go on.')} />;
  if (!outcome)
    return (
      <p className={classes.verdict}>
        {tr('It is over. The task has no checks, so nothing says whether it succeeded.')}
      </p>
    );
  const { how, why, passed, score, checks } = outcome;
  return (
    <section className={classes.verdict} aria-labelledby="run-outcome">
      <h2 id="run-outcome" data-passed={passed}>
        {passed ? <IconCircleCheck size={20} aria-hidden /> : <IconCircleX size={20} aria-hidden />}
        {passed ? tr('Succeeded') : tr('Failed')}
      </h2>
      <p>
        {endWords(how)}
        {why !== '' && ` ${why}`}
      </p>
      {how === 'done' && !passed && <p>{tr('It says that it is done; the checks say otherwise.')}</p>}
      <p>{tr('Score {score, number, ::.00}', { score })}</p>
      <ul className={classes.checks}>
        {checks.map(({ id, score: one, why: because }) => (
          <li key={id}>
            <strong>{id}</strong> <span className="tabular">{one.toFixed(2)}</span> {because}
          </li>
        ))}
      </ul>
    </section>
  );
}
