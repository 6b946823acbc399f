import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { VerifyReport } from '../../schemas/verify.ts';
import { tr } from '../language/tr.ts';
import { ago } from '../ui/format.ts';
import { Clamp } from '../ui/parts.tsx';
import classes from './page.module.css';
import { sentence } from './words.ts';

type Verdict = { report: VerifyReport; current: boolean; shown: boolean; by: string | null };

function verdictWords({ report: { proven }, current, shown, by }: Verdict): string {
  if (current && !shown)
    return by ? tr('Said to be proven by {name}', { name: by }) : tr('Said to be proven elsewhere');
  if (current) return proven ? tr('Proven') : tr('Not proven');
  return proven
    ? tr('Proven, by checks that the task no longer has')
    : tr('Not proven, by checks that the task no longer has');
}

/** What the last "Verify" said of the demonstration, with every reason. */
export function ProofVerdict(verdict: Verdict): ReactNode {
  const { report, current, shown } = verdict;
  const { proven, problems, weak, at } = report;
  const mark = !current || !shown ? 'not reached' : proven ? 'same' : 'different';
  return (
    <section aria-labelledby="verdict-title" className={classes.missing}>
      <h2 id="verdict-title">
        <span className={classes.mark} data-mark={mark}>
          {proven ? <IconCheck size={15} aria-hidden /> : <IconX size={15} aria-hidden />}
        </span>{' '}
        {verdictWords(verdict)}
      </h2>
      <p className={classes.quiet}>
        {howItWasTried(report)} {sentence(tr('verified {ago}', { ago: ago(at, new Date()) }))}
      </p>
      {current && !shown && (
        <p className={classes.quiet}>
          {tr('This workspace has no plays that show it, so it does not count as proven here. Verify it to prove it.')}
        </p>
      )}
      {(problems.length > 0 || weak.length > 0) && (
        <ul>
          {problems.map((problem) => (
            <li key={problem}>
              <Clamp>{sentence(problem)}</Clamp>
            </li>
          ))}
          {weak.map(({ id, why }) => (
            <li key={`weak ${id}`}>
              <Clamp>{tr('The check {id} proves little by itself: {why}', { id, why: sentence(why) })}</Clamp>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** `3 of 3 plays agreed and passed. Without step 7 the checks fail, as they should.` */
function howItWasTried({ plays, without }: VerifyReport): string {
  const good = plays.filter(({ agreed, of, passed }) => agreed === of && passed).length;
  const left = without.map(({ number, passed }) =>
    passed
      ? tr('Without step {number} the checks pass all the same.', { number })
      : tr('Without step {number} the checks fail, as they should.', { number }),
  );
  return [
    tr('{good} of {plays, plural, one {# play} other {# plays}} agreed and passed.', { good, plays: plays.length }),
    ...left,
  ].join(' ');
}
