import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PlayRow } from '../../schemas/api/play.ts';
import type { PlayReport } from '../../schemas/play.ts';
import { tr } from '../language/tr.ts';
import { ago } from '../ui/format.ts';
import { Kbd } from '../ui/keys/kbd.tsx';
import classes from './page.module.css';
import { paceWords, playWords } from './words.ts';

/** Which play is shown, of all that there are. */
export function Plays(props: {
  plays: readonly PlayRow[];
  shown: PlayRow | undefined;
  report: PlayReport | null;
  playing: boolean;
  onChoose: (id: string | null) => void;
}): ReactNode {
  const { plays, shown, report, playing, onChoose } = props;
  if (playing || plays.length === 0) {
    return (
      <div className={classes.which}>
        <p className={classes.quiet}>{playing ? tr('A play goes on.') : tr('Not played yet.')}</p>
      </div>
    );
  }
  const now = new Date();
  return (
    <div className={classes.which}>
      <Select
        aria-label={tr('Which play')}
        data={plays.map((one) => ({ value: one.id, label: `${ago(one.startedAt, now)}: ${playWords(one)}` }))}
        value={shown?.id ?? null}
        allowDeselect={false}
        rightSection={plays.length > 1 ? <Kbd command="play.older" /> : undefined}
        rightSectionPointerEvents="none"
        onChange={onChoose}
      />
      {shown && <p className={classes.quiet}>{aboutPlay(shown, report)}</p>}
    </div>
  );
}

function aboutPlay({ report: head }: PlayRow, report: PlayReport | null): string {
  if (head === null) return tr('It was ended before there was a report.');
  const words = [
    tr('{agreed} of {of, plural, one {# step} other {# steps}} agreed', { agreed: head.agreed, of: head.of }),
    report && head.stopped === null ? paceWords(report) : '',
    head.leftOut === null ? '' : tr('one step was left out on purpose'),
  ];
  return words.filter((one) => one !== '').join(' · ');
}
