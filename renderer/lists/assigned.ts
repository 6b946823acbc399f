import type { RecordingRow } from '../../schemas/api/models.ts';
import type { AssignedWork } from '../../schemas/task-terms.ts';
import { localDay } from '../ui/format.ts';

/** The work of a recording that is to be done next, of those that are assigned. */
export const workAhead = ({ state }: Pick<RecordingRow, 'state'>): AssignedWork | null => {
  if (state === 'approved') return null;
  return state === 'annotated' || state === 'in-review' ? 'review' : 'annotate';
};

/** Work that is to be done still, past its day. */
export function isOverdue(
  row: Pick<RecordingRow, 'state' | 'assigned'>,
  work: AssignedWork,
  now = new Date(),
): boolean {
  const due = row.assigned?.[work]?.due ?? null;
  const ahead = workAhead(row);
  const open = ahead === work || (work === 'review' && ahead === 'annotate');
  return due !== null && open && due < localDay(now);
}

/** Everybody that any work of it is assigned to. */
export const assigneesOf = ({ assigned }: Pick<RecordingRow, 'assigned'>): string[] => [
  ...(assigned?.annotate?.people ?? []),
  ...(assigned?.review?.people ?? []),
];
