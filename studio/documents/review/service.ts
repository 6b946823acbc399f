import { disguise, isOpenCheck } from '../../../core/review/disguise.ts';
import { replicaId, type Situation } from '../../../core/review/rules.ts';
import { plural } from '../../../core/words.ts';
import type { Comparison, ReviewState } from '../../../schemas/api/review-models.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ReviewAct, ReviewEvent } from '../../../schemas/review.ts';
import { type Mask, type Masked, NOTHING_MASKED } from '../../store/mask.ts';
import { countEvents, readReviewEvents } from '../../store/review-events.ts';
import type { Workspace } from '../../store/workspace.ts';
import type { Documents } from '../documents.ts';
import { doAct } from './acting.ts';
import type { Comparisons } from './figures.ts';
import { Knowledge, sidesOf } from './knowledge.ts';
import type { ReviewReader } from './log.ts';
import { possibleChecks } from './mask.ts';
import { type StateParts, stateParts } from './parts.ts';
import { knownPerson } from './situation.ts';
import { eventFor, historyFor, readRefusal, stateFor } from './view.ts';

/** Cross-validation of a workspace's recordings. A person is named by id or name; recordings by their whole id. */
export type Reviews = {
  /** The review as this person may see it. Throws UNKNOWN_RECORDING, BAD_FILE, FUTURE_VERSION. */
  get(recording: string, person: string): Promise<ReviewState>;
  /**
   * Does it, all or nothing; one that came before is answered, not done twice. Throws CONFLICT when it may not be done now
   * or by this person, with the reason in words; USAGE for somebody who is nobody here, or what cannot be taken.
   */
  send(
    recording: string,
    person: string,
    id: string,
    act: ReviewAct,
  ): Promise<{ event: ReviewEvent; state: ReviewState }>;
  history(recording: string, person: string): Promise<ReviewEvent[]>;
  /** Default: all replicas that are submitted. Throws CONFLICT when one of them is kept from this person. */
  compare(recording: string, person: string, documents?: readonly string[]): Promise<Comparison>;
  /**
   * How much of a document this person may read: all of it, or what it began with, which is what the main document of a
   * hidden check of theirs seems to be. Throws CONFLICT when it is kept from them; without a person, from anybody.
   */
  mayRead(recording: string, document: string | undefined, person: string | undefined): Promise<Readable>;
  /** Recordings that this person is to see as something else than they are: their hidden checks. */
  maskOf(person: string | undefined): Promise<Mask>;
  /** Told of each event after it is stored. Gives the way to stop. */
  onEvent(listener: (recording: string) => void): () => void;
};

/** `beginning`: version 1 alone. `own`: the document of this person's to work in instead. */
type Readable = { what: 'all' } | { what: 'beginning'; own: string };

/** Shared with the other parts of the review. */
export type ReviewParts = { reader: ReviewReader; figures: Comparisons; parts: StateParts };

export const openReviews = (workspace: Workspace, documents: Documents): Reviews & ReviewParts =>
  new OpenReviews(workspace, documents);

class OpenReviews implements Reviews, ReviewParts {
  readonly parts = stateParts();
  readonly #workspace: Workspace;
  readonly #documents: Documents;
  readonly #knowledge: Knowledge;
  readonly #listeners = new Set<(recording: string) => void>();

  constructor(workspace: Workspace, documents: Documents) {
    this.#workspace = workspace;
    this.#documents = documents;
    this.#knowledge = new Knowledge(workspace.store, documents);
  }

  get reader(): ReviewReader {
    return this.#knowledge.reader;
  }

  get figures(): Comparisons {
    return this.#knowledge.figures;
  }

  async get(given: string, person: string): Promise<ReviewState> {
    return this.#stateNow(await this.#idOf(given), person);
  }

  async send(
    given: string,
    who: string,
    id: string,
    act: ReviewAct,
  ): Promise<{ event: ReviewEvent; state: ReviewState }> {
    const { store } = this.#workspace;
    const recording = await this.#idOf(given);
    const person = await knownPerson(store, who);
    const at = { store, documents: this.#documents, knowledge: this.#knowledge };
    const { event, isNew } = await doAct(at, { recording, person, id, act });
    if (isNew) for (const listener of this.#listeners) listener(recording);
    const situation = await this.#outline(recording, person);
    const place = await countEvents(store, recording, person, event.n);
    return { event: eventFor(situation, event, place), state: await this.#stateNow(recording, person) };
  }

  async history(given: string, person: string): Promise<ReviewEvent[]> {
    const id = await this.#idOf(given);
    const situation = await this.#outline(id, person);
    return historyFor(situation, await readReviewEvents(this.#workspace.store, id));
  }

  async compare(given: string, person: string, named?: readonly string[]): Promise<Comparison> {
    const id = await this.#idOf(given);
    const situation = await this.#outline(id, person);
    const { review } = situation;
    const ids = named ?? sidesOf(review).map((side) => side.id);
    for (const document of ids) refuseReading(situation, document);
    if (ids.length < 2) {
      throw new StudioError(
        'CONFLICT',
        `Recording ${id} has ${plural(ids.length, 'submitted replica')}; two are needed.`,
        { recording: id },
      );
    }
    const sides = ids.map((document) => ({ id: document, person: review.documents.get(document)?.person ?? null }));
    const { differences, agreed, agreement } = await this.figures.compare(id, sides);
    const state = stateFor(await this.#knowledge.know(this.#workspace.store, situation, null, []));
    const shown = ids.flatMap((document) => state.documents.find((one) => one.id === document) ?? []);
    return { recording: id, documents: shown, differences, agreed, agreement };
  }

  async mayRead(given: string, document: string | undefined, person: string | undefined): Promise<Readable> {
    const id = await this.#idOf(given);
    const situation = await this.#outline(id, person ?? 'me');
    refuseReading(situation, document ?? id);
    const isMask = isOpenCheck(situation) && (document ?? id) === id;
    return isMask ? { what: 'beginning', own: replicaId(id, situation.person.id) } : { what: 'all' };
  }

  async maskOf(given: string | undefined): Promise<Mask> {
    if (given === undefined) return NOTHING_MASKED;
    const { store } = this.#workspace;
    const frame = await this.#knowledge.frameOf(store, given);
    const mask = new Map<string, Masked>();
    for (const recording of await possibleChecks(store, frame)) {
      const situation = await this.#knowledge.outline(store, recording, frame);
      if (!isOpenCheck(situation)) continue;
      const { steps } = await this.#documents.look(recording);
      const { state, assigned } = disguise(situation).review;
      // As in a list, which says nothing of what nobody is assigned to.
      const some = assigned.annotate || assigned.review ? assigned : undefined;
      mask.set(recording, { state, steps: steps.length, done: 0, assigned: some });
    }
    return mask;
  }

  onEvent(listener: (recording: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #idOf(given: string): Promise<string> {
    return (await this.#workspace.getRecording(given)).id;
  }

  async #outline(recording: string, person: string): Promise<Situation> {
    const { store } = this.#workspace;
    return this.#knowledge.outline(store, recording, await this.#knowledge.frameOf(store, person));
  }

  async #stateNow(recording: string, person: string): Promise<ReviewState> {
    const situation = await this.#outline(recording, person);
    const { review } = situation;
    const asked = review.claim !== null || review.decisions.size > 0 || review.threads.size > 0;
    const looked = asked ? await this.#documents.look(recording) : null;
    const differences = await this.#knowledge.differencesIn(review);
    return stateFor(await this.#knowledge.know(this.#workspace.store, situation, looked, differences));
  }
}

function refuseReading(situation: Situation, document: string): void {
  const refused = readRefusal(situation, document);
  if (refused === null) return;
  throw new StudioError('CONFLICT', refused, { recording: situation.recording, document });
}
