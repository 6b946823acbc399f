import type { RecordingRow } from '../../schemas/api/models.ts';
import type { RecordingState } from '../../schemas/task-terms.ts';
import { assigneesOf } from '../lists/assigned.ts';

/** `assigned`: to this person, or to nobody. */
export type RecordingFilter = {
  text: string;
  state: RecordingState | null;
  doubtful: boolean;
  assigned: string | null;
};
export const EVERYTHING: RecordingFilter = { text: '', state: null, doubtful: false, assigned: null };
export const ASSIGNED_TO_NOBODY = 'nobody';

export const isNarrowed = ({ text, state, doubtful, assigned }: RecordingFilter): boolean =>
  text !== '' || state !== null || doubtful || assigned !== null;

function fitsAssigned(row: RecordingRow, assigned: string | null): boolean {
  if (assigned === null) return true;
  const people = assigneesOf(row);
  return assigned === ASSIGNED_TO_NOBODY ? people.length === 0 : people.includes(assigned);
}

/** Something about its data should be looked at before it is annotated. */
export function isDoubtful(row: Pick<RecordingRow, 'verdict' | 'sync' | 'dropped'>): boolean {
  return (row.verdict !== null && row.verdict !== 'complete') || row.sync === 'warn' || row.sync === 'failed';
}

/** The recordings that have all words in id, task, goal or software, and all that was chosen; newest first. */
export function filterRecordings(
  rows: readonly RecordingRow[],
  { text, state, doubtful, assigned }: RecordingFilter,
): RecordingRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows
    .filter((row) => {
      if (state !== null && row.state !== state) return false;
      if (doubtful && !isDoubtful(row)) return false;
      if (!fitsAssigned(row, assigned)) return false;
      const hay = `${row.id} ${row.task} ${row.goal} ${row.software}`.toLowerCase();
      return words.every((word) => hay.includes(word));
    })
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0));
}
