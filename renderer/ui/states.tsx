import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RecordingRow } from '../../schemas/api/models.ts';
import type { RecordingState } from '../../schemas/task-terms.ts';
import { tr } from '../language/tr.ts';
import { percent } from './format.ts';
import classes from './states.module.css';

/** A recording's or task's state in words; `unrecorded` is a task without a recording. */
export const STATE_NAMES: Readonly<Record<RecordingState | 'unrecorded', string>> = {
  unrecorded: tr('Not recorded'),
  recorded: tr('Recorded'),
  annotating: tr('Annotating'),
  annotated: tr('Annotated'),
  'in-review': tr('In review'),
  rejected: tr('Rejected'),
  approved: tr('Approved'),
};

/** Told by its shape and word, not by colour alone. */
export function StateLabel({ state }: { state: RecordingState | 'unrecorded' }): ReactNode {
  return (
    <span className={classes.state}>
      <span className={classes.dot} data-state={state} aria-hidden />
      <span className={classes.name} title={STATE_NAMES[state]}>
        {STATE_NAMES[state]}
      </span>
    </span>
  );
}

/** A share of annotated steps: a bar and the figure. */
export function Share({ value }: { value: number }): ReactNode {
  return (
    <span className={classes.share}>
      <span className={classes.track} aria-hidden>
        <span className={classes.fill} data-whole={value >= 1} style={{ width: `${value * 100}%` }} />
      </span>
      <span className="tabular">{percent(value)}</span>
    </span>
  );
}

type Flag = { bad: boolean; text: string; why: string };

type Judged = Pick<RecordingRow, 'phase' | 'verdict' | 'sync' | 'dropped'>;

/** The doubts about a recording's data, in words; empty when it is complete and in sync. */
function flagsOf(row: Judged): Flag[] {
  const flags: Flag[] = [];
  const say = (bad: boolean, text: string, why: string): void => void flags.push({ bad, text, why });
  if (row.phase === 'recording')
    say(false, tr('not closed'), tr('It is being recorded now, or the recorder was killed.'));
  if (row.verdict === 'recovered')
    say(false, tr('recovered'), tr('It was closed after a crash; the end may be missing.'));
  if (row.verdict === 'damaged')
    say(true, tr('damaged'), tr('Something is missing from its data; open it to see what.'));
  const { dropped } = row;
  if (row.sync === 'warn') {
    const why =
      dropped > 0
        ? tr(
            'Pictures and events fit less exactly than they should ({dropped, plural, one {# picture} other {# pictures}} dropped while recording); open it to see why.',
            { dropped },
          )
        : tr('Pictures and events fit less exactly than they should; open it to see why.');
    say(false, tr('sync unsure'), why);
  }
  if (row.sync === 'failed') {
    const why =
      dropped > 0
        ? tr(
            'The check that pictures and events fit has failed ({dropped, plural, one {# picture} other {# pictures}} dropped while recording); open it to see why.',
            { dropped },
          )
        : tr('The check that pictures and events fit has failed; open it to see why.');
    say(true, tr('not in sync'), why);
  }
  return flags;
}

/** The same as labels. */
export function Verdicts({ row }: { row: Judged }): ReactNode {
  const flags = flagsOf(row);
  if (flags.length === 0) return <span className={classes.complete}>{tr('complete')}</span>;
  return (
    <span className={classes.verdicts} title={flags.map((flag) => flag.why).join(' ')}>
      {flags.map(({ bad, text }) => (
        <span key={text} className={classes.flag} data-bad={bad}>
          <IconAlertTriangle size={14} aria-hidden /> {text}
        </span>
      ))}
    </span>
  );
}
