import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { LawShown } from '../../schemas/api/compositions.ts';
import { tr } from '../language/tr.ts';
import { lawWords } from './law-words.ts';
import classes from './page.module.css';

/** How many laws are broken, and how many notes there are, with a sign as well as a colour. */
export function LawCounts({ broken, notes }: { broken: number; notes: number }): ReactNode {
  return (
    <span className={classes.counts}>
      <span className={classes.law} data-kind={broken > 0 ? 'broken' : 'kept'}>
        {broken > 0 ? <IconAlertTriangle size={14} aria-hidden /> : <IconCheck size={14} aria-hidden />}
        {broken > 0 ? tr('{broken, number} broken', { broken }) : tr('None broken')}
      </span>
      {notes > 0 && (
        <span className={classes.law} data-kind="note">
          <IconInfoCircle size={14} aria-hidden />
          {tr('{notes, plural, one {# note} other {# notes}}', { notes })}
        </span>
      )}
    </span>
  );
}

/** Broken laws and notes, each with its id and its sentence; nothing where there are none. */
export function Laws({ laws }: { laws: readonly LawShown[] }): ReactNode {
  if (laws.length === 0) return null;
  return (
    <ul className={classes.laws}>
      {laws.map(({ law, kind, why, sentence }) => (
        <li key={`${law} ${why}`} className={classes.law} data-kind={kind}>
          {kind === 'broken' ? (
            <IconAlertTriangle size={14} role="img" aria-label={tr('Broken')} />
          ) : (
            <IconInfoCircle size={14} role="img" aria-label={tr('Note')} />
          )}
          <span>
            <b>{law}</b> {lawWords({ sentence, why })}
          </span>
        </li>
      ))}
    </ul>
  );
}
