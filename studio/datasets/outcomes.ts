import { outcomesSaid, rejectsTheDoing } from '../../core/review/outcome.ts';
import type { ReviewActOf } from '../../schemas/review.ts';
import { judgedIn, judgedUntil } from '../documents/review/judgements.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { eventsOfKinds } from '../store/review-events.ts';
import type { Store } from '../store/store.ts';

/** What people who reviewed demonstrations say of whether their task came out. */

type Entry = Pick<RecordingEntry, 'id' | 'state'>;
type SaidOutcome = { recording: string; good: boolean };

/** Of people: what they approved came out; what they rejected for what was done, or judged wrong beyond repair, did not. */
export async function outcomesOfReviews(store: Store, entries: readonly Entry[]): Promise<SaidOutcome[]> {
  const last = new Map<string, ReviewActOf<'verdict'>>();
  for (const { recording, read } of await eventsOfKinds(store, ['verdict'])) {
    const { act } = read();
    if (act.type === 'verdict') last.set(recording, act);
  }
  const said: SaidOutcome[] = [];
  const add = (recording: string, outcomes: readonly boolean[]): void => {
    for (const good of outcomes) said.push({ recording, good });
  };
  for (const { id, state } of entries) {
    const verdict = last.get(id);
    const rejected = verdict !== undefined && rejectsTheDoing(verdict);
    add(id, outcomesSaid({ approved: state === 'approved', rejected, steps: [] }));
  }
  for (const id of (await judgedUntil(store)).keys()) {
    const steps = (await judgedIn(store, id)).values();
    add(id, outcomesSaid({ approved: false, rejected: false, steps }));
  }
  return said;
}
