import type { Records } from '../../../core/annotate/document.ts';
import { type Assessment, assess, unansweredThreads } from '../../../core/review/decisions.ts';
import { type Review, replicasOf } from '../../../core/review/project.ts';
import { replicaId, type Situation } from '../../../core/review/rules.ts';
import type { Difference } from '../../../schemas/api/review-models.ts';
import { readDocumentLog } from '../../store/documents.ts';
import { listPeople, personAmong } from '../../store/people.ts';
import { recordingFacts } from '../../store/recording-states.ts';
import { countEvents } from '../../store/review-events.ts';
import type { Store } from '../../store/store.ts';
import type { Documents, Looked } from '../documents.ts';
import { type Comparisons, comparisons, type FigureSide } from './figures.ts';
import { type ReviewReader, reviewReader } from './log.ts';
import { touchReader } from './looks.ts';
import { readPolicy } from './policy.ts';
import { checkFor, documentsNow, namesAmong, type SituationFrame, situationFrom } from './situation.ts';
import type { Known } from './view.ts';

/** Replicas that an adjudication decides between. */
export const sidesOf = (review: Review): FigureSide[] =>
  replicasOf(review)
    .filter(({ submitted }) => submitted !== null)
    .map(({ id, person }) => ({ id, person }));

/** Reads what the rules of the review ask: of the log, the people, the policy and the documents, as they are at the moment. */
export class Knowledge {
  readonly reader: ReviewReader = reviewReader();
  readonly figures: Comparisons;
  readonly #touches = touchReader();

  constructor(store: Store, documents: Documents) {
    this.figures = comparisons(store, documents);
  }

  async frameOf(at: Store, given: string): Promise<SituationFrame> {
    const people = await listPeople(at);
    const now = new Date().toISOString();
    return { policy: await readPolicy(at), person: personAmong(people, given), names: namesAmong(people), now };
  }

  /** The situation without what is said in the documents: enough to tell what is kept from whom. */
  async outline(at: Store, recording: string, frame: SituationFrame): Promise<Situation> {
    const facts = await recordingFacts(at, recording);
    const review = await this.reader.load(at, recording, facts?.state);
    const approved = review.state === 'approved';
    const check = approved && (await checkFor(at, frame.policy, frame.person)) === recording;
    return situationFrom(frame, { recording, review, demonstrator: facts?.demonstrator ?? null }, { check });
  }

  /** Everything that the rules ask, and what came of the decisions. `looked`: the main document at some version. */
  async know(
    at: Store,
    outlined: Situation,
    looked: Looked | null,
    differences: readonly Difference[],
  ): Promise<Known & { records: Records }> {
    const { recording, review, person } = outlined;
    const ids = new Set([recording, replicaId(recording, person.id), ...review.documents.keys()]);
    const now = await documentsNow(at, [...ids], () => review);
    const main = now.get(recording) ?? null;
    const own = now.get(replicaId(recording, person.id)) ?? null;
    let assessment: Assessment | null = null;
    let records: Records = looked?.records ?? new Map();
    let unanswered = 0;
    if (looked && main) {
      if (looked.version !== main.version) records = (await readDocumentLog(at, recording))?.records ?? records;
      const touched = await this.#touches.read(at, recording, main.version);
      assessment = assess(review, { steps: looked.steps, records, touches: touched });
      unanswered = unansweredThreads(review, touched).length;
    }
    const situation: Situation = {
      ...outlined,
      main,
      own,
      undecided: assessment?.undecided.length ?? 0,
      rejected: assessment?.rejected.length ?? 0,
      unanswered,
      unsettled: differences.filter(({ id }) => !review.settled.has(id)).length,
    };
    const ownEvents = await countEvents(at, recording, person.id);
    return { situation, ownEvents, documents: now, assessment, records };
  }

  /** The differences between the replicas; empty while nobody adjudicates. */
  async differencesIn(review: Review): Promise<readonly Difference[]> {
    const adjudicated = review.claim?.role === 'adjudicate';
    const sides = sidesOf(review);
    if (!adjudicated || sides.length < 2) return [];
    const recording = sides[0]!.id.slice(0, -(sides[0]!.person!.length + 1));
    return (await this.figures.compare(recording, sides)).differences;
  }
}
