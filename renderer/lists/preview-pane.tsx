import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { fileUrl } from '../client/api.ts';
import { paths } from '../client/paths.ts';
import { tr } from '../language/tr.ts';
import { Duration, Time } from '../ui/parts.tsx';
import { StateLabel, Verdicts } from '../ui/states.tsx';
import { AssignedLabel } from './assigned-label.tsx';
import classes from './preview-pane.module.css';

/** A list needs its own width first. */
const WIDE = '(min-width: 1600px)';
/** While somebody walks through a list with a key held down nothing is fetched. */
const REST_MS = 200;

/** Whether there is room for a preview beside a list. */
export const useWide = (): boolean => useMediaQuery(WIDE, undefined, { getInitialValueInEffect: false }) ?? false;

/** Beside a list at wide windows: the highlighted recording's first picture and what is known of it. */
export function PreviewPane({ ws, row }: { ws: string; row: RecordingRow | undefined }): ReactNode {
  const wide = useWide();
  const [rested] = useDebouncedValue(row?.id, REST_MS);
  const [missing, setMissing] = useState<string | null>(null);
  if (!wide || !row) return null;
  const shown = rested === row.id && row.phase === 'closed' && missing !== row.id;
  return (
    <aside className={classes.pane} aria-label={tr('Preview')}>
      <div className={classes.stage}>
        {shown && (
          <img
            key={row.id}
            src={fileUrl.smallPicture(ws, row.id, 'medium')}
            alt={tr('{task} at its first step', { task: row.task })}
            onError={() => setMissing(row.id)}
          />
        )}
      </div>
      <div className={classes.words}>
        <Link href={paths.annotate(ws, row.id)} className={classes.title}>
          {row.task}
        </Link>
        <p>{row.goal || tr('No goal yet')}</p>
        <p className={classes.facts}>
          <StateLabel state={row.state} /> <Time iso={row.startedAt} /> · <Duration us={row.durationUs} />
          {row.steps !== null &&
            ` · ${tr('{done, number} of {steps, plural, one {# step} other {# steps}} done', { done: row.done ?? 0, steps: row.steps })}`}
        </p>
        {row.assigned && <AssignedLabel ws={ws} row={row} />}
        <Verdicts row={row} />
      </div>
    </aside>
  );
}
