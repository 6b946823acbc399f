import type { ReviewActOf } from '../../schemas/review.ts';
import { judgedIn, judgedUntil } from '../documents/review/judgements.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { eventsOfKinds } from '../store/review-events.ts';
import type { Store } from '../store/store.ts';

/** What people who reviewed demonstrations say of whether their task came out. */

type Entry = Pick<RecordingEntry, 'id' | 'state'>;
type SaidOutcome = { recording: string; good: boolean };

/** Reasons of a rejection that speak of what was done; the others are of its annotation, and say nothing of the outcome. */
const OF_THE_DOING: ReadonlySet<string> = new Set(['missing-step', 'other']);

/** Of people: what they approved came out; what they rejected for what was done, or judged wrong beyond repair, did not. */
export async function outcomesOfReviews(store: Store, entries: readonly Entry[]): Promise<SaidOutcome[]> {
  const last = new Map<string, ReviewActOf<'verdict'>>();
  for (const { recording, read } of await eventsOfKinds(store, ['verdict'])) {
    const { act } = read();
    if (act.type === 'verdict') last.set(recording, act);
  }
  const judged = await judgedUntil(store);
  const said: SaidOutcome[] = [];
  const add = (recording: string, good: boolean): void => {
    said.push({ recording, good });
  };
  for (const { id, state } of entries) {
    const verdict = last.get(id);
    if (state === 'approved') add(id, true);
    else if (verdict?.verdict === 'reject' && isOfTheDoing(verdict.reasons)) add(id, false);
  }
  for (const id of judged.keys()) {
    const steps = [...(await judgedIn(store, id)).values()];
    if (steps.some(({ wrong, recoverable }) => wrong === true && recoverable === false)) add(id, false);
  }
  return said;
}

const isOfTheDoing = (reasons: readonly string[]): boolean =>
  reasons.length === 0 || reasons.some((reason) => OF_THE_DOING.has(reason));
