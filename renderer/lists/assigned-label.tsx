import { IconChecklist, IconPencil } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RecordingRow } from '../../schemas/api/models.ts';
import { ASSIGNED_WORK } from '../../schemas/task-terms.ts';
import { usePersonName } from '../client/person.ts';
import { tr } from '../language/tr.ts';
import { dayOf } from '../ui/format.ts';
import { Clamp } from '../ui/parts.tsx';
import { isOverdue } from './assigned.ts';
import classes from './assigned-label.module.css';

const SIGNS = { annotate: IconPencil, review: IconChecklist };

/** Who is to annotate and who to review a recording, and by which day. */
export function AssignedLabel({ ws, row }: { ws: string; row: RecordingRow }): ReactNode {
  const name = usePersonName(ws);
  const works = ASSIGNED_WORK.filter((work) => row.assigned?.[work]);
  if (works.length === 0 || row.state === 'approved') return <span className={classes.none}>–</span>;
  return (
    <span className={classes.all}>
      {works.map((work) => {
        const Sign = SIGNS[work];
        const { people = [], due = null } = row.assigned?.[work] ?? {};
        const names = people.map(name).join(', ');
        const late = isOverdue(row, work);
        return (
          <span key={work} className={classes.one}>
            <Sign size={14} aria-hidden />
            <span className="visually-hidden">{work === 'annotate' ? tr('To annotate:') : tr('To review:')}</span>
            <Clamp>{names}</Clamp>
            {due !== null && (
              <span className={classes.due} data-late={late || undefined}>
                {late ? tr('overdue {day}', { day: dayOf(due) }) : dayOf(due)}
              </span>
            )}
          </span>
        );
      })}
    </span>
  );
}
