import type { ExportSaid } from '../../core/export/model.ts';
import { mentionsOf } from '../../core/review/mentions.ts';
import { peopleSaid, rejectsTheDoing } from '../../core/review/outcome.ts';
import { judgingsIn } from '../recordings/judge-log.ts';
import { listPeople } from '../store/people.ts';
import type { RecordingEntry } from '../store/recordings.ts';
import { readReviewEvents } from '../store/review-events.ts';
import type { Store } from '../store/store.ts';

/** The word of models that were asked as judges, and of each person who reviewed, on a recording: for exports. */

/** A recording that nobody reviewed and of which no judge was asked. */
export const NOTHING_SAID: ExportSaid = { people: [], rejected: false, judgings: [] };

/** In the place of a name in a comment. */
const SOMEBODY = '@somebody';

/** Reads it of one recording after another. Names that comments mention are taken out of them. */
export async function saidReader(
  store: Store,
): Promise<(entry: Pick<RecordingEntry, 'id' | 'folder'>) => Promise<ExportSaid>> {
  const partsOf = mentionsOf(await listPeople(store));
  const withoutNames = (text: string): string =>
    partsOf(text)
      .map((part) => (part.person === null ? part.text : SOMEBODY))
      .join('');
  return async (entry) => {
    const events = await readReviewEvents(store, entry.id);
    const last = events.findLast(({ act }) => act.type === 'verdict')?.act;
    const people = peopleSaid(events).map((one) => ({
      ...one,
      comment: withoutNames(one.comment),
      steps: one.steps.map((step) => ({ ...step, comment: withoutNames(step.comment) })),
    }));
    return {
      people,
      rejected: last?.type === 'verdict' && rejectsTheDoing(last),
      judgings: (await judgingsIn(store, entry)).map(({ judging: { refused: _, ...judging } }) => judging),
    };
  };
}
