import type { RecordingRow } from '../../../schemas/api/models.ts';
import type { Mask } from '../../store/mask.ts';
import { begunAsChecks } from '../../store/review-events.ts';
import type { Store } from '../../store/store.ts';
import { checkFor, type SituationFrame } from './situation.ts';

export const maskedRows = (rows: readonly RecordingRow[], mask: Mask): RecordingRow[] =>
  rows.map((row) => {
    const masked = mask.get(row.id);
    if (!masked) return row;
    const { assigned: _real, ...rest } = row;
    const { assigned, ...seen } = masked;
    return { ...rest, ...seen, ...(assigned && { assigned }) };
  });

/** Recordings that may be a check of this person's: the one that would be given now, and those that they began as one. */
export async function possibleChecks(store: Store, { policy, person }: SituationFrame): Promise<string[]> {
  const next = await checkFor(store, policy, person);
  const begun = await begunAsChecks(store, person.id);
  return [...new Set([...(next === null ? [] : [next]), ...begun])];
}
