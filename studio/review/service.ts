import type { Transaction as Sql } from 'kysely';
import { type Records, toRecords } from '../../core/annotate/document.ts';
import { GOAL_ID } from '../../core/annotate/ids.ts';
import { agreedRecords } from '../../core/review/compare.ts';
import { type Assessment, assess, unansweredThreads } from '../../core/review/decisions.ts';
import { disguise, isOpenCheck } from '../../core/review/disguise.ts';
import { isReplicated, type Review, replicasOf } from '../../core/review/project.ts';
import { mayDo, ownDocument, replicaId, type Situation, verbOf } from '../../core/review/rules.ts';
import { plural } from '../../core/words.ts';
import type { Comparison, Difference, ReviewState } from '../../schemas/api/review-models.ts';
import { StudioError } from '../../schemas/errors.ts';
import type { ReviewAct, ReviewEvent } from '../../schemas/review.ts';
import type { Documents, Looked } from '../documents/documents.ts';
import { type Db, readDocumentLog } from '../documents/log.ts';
import { personOf } from '../store/people.ts';
import type { Tables } from '../store/tables.ts';
import type { Workspace } from '../store/workspace.ts';
import { type Comparisons, comparisons, type FigureSide } from './figures.ts';
import { begin } from './gate.ts';
import {
  appendEvents,
  countEvents,
  findEvent,
  type ReviewReader,
  readReviewEvents,
  reviewReader,
  takeRecording,
} from './log.ts';
import { touchReader } from './looks.ts';
import { type Mask, type Masked, NOTHING_MASKED, possibleChecks } from './mask.ts';
import { type StateParts, stateParts } from './parts.ts';
import { readPolicy } from './policy.ts';
import { adjudicators, authorsAt, checkAct } from './send.ts';
import {
  checkFor,
  demonstratorOf,
  documentsNow,
  knownPerson,
  namesOf,
  type SituationFrame,
  situationFrom,
} from './situation.ts';
import { eventFor, historyFor, type Known, readRefusal, shownState, stateFor } from './view.ts';

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
  /** Default: all replicas that are handed in. Throws CONFLICT when one of them is kept from this person. */
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

export function openReviews(workspace: Workspace, documents: Documents): Reviews & ReviewParts {
  const { db } = workspace;
  const reader = reviewReader();
  const touches = touchReader();
  const figures = comparisons(db, documents);
  const listeners = new Set<(recording: string) => void>();

  async function frameOf(at: Db, given: string): Promise<SituationFrame> {
    const person = await personOf(at, given);
    const now = new Date().toISOString();
    return { policy: await readPolicy(at), person, names: await namesOf(at), now };
  }

  /** The situation without what is said in the documents: enough to tell what is kept from whom. */
  async function outline(at: Db, recording: string, frame: SituationFrame): Promise<Situation> {
    const review = await reader.load(at, recording);
    const approved = review.state === 'approved';
    const check = approved && (await checkFor(at, frame.policy, frame.person)) === recording;
    return situationFrom(frame, { recording, review, demonstrator: await demonstratorOf(at, recording) }, { check });
  }

  /** Everything that the rules ask, and what came of the decisions. `looked`: the main document at some version. */
  async function know(
    at: Db,
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
      const touched = await touches.read(at, recording, main.version);
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

  /** Replicas that an adjudication decides between. */
  const sidesOf = (review: Review): FigureSide[] =>
    replicasOf(review)
      .filter(({ submitted }) => submitted !== null)
      .map(({ id, person }) => ({ id, person }));

  async function differencesIn(review: Review): Promise<readonly Difference[]> {
    const adjudicated = review.claim?.role === 'adjudicate';
    const sides = sidesOf(review);
    if (!adjudicated || sides.length < 2) return [];
    const recording = sides[0]!.id.slice(0, -(sides[0]!.person!.length + 1));
    return (await figures.compare(recording, sides)).differences;
  }

  async function stateNow(recording: string, given: string): Promise<ReviewState> {
    const situation = await outline(db, recording, await frameOf(db, given));
    const { review } = situation;
    const asked = review.claim !== null || review.decisions.size > 0 || review.threads.size > 0;
    const looked = asked ? await documents.look(recording) : null;
    return stateFor(await know(db, situation, looked, await differencesIn(review)));
  }

  /** Prepares `claim` for an adjudication that nobody has begun: the main document is begun from what all agree on. */
  async function adjudicationOf(review: Review, recording: string, act: ReviewAct) {
    if (act.type !== 'claim' || !isReplicated(review) || review.adjudicationBegun) return null;
    const sides = sidesOf(review);
    if (sides.length < 2) return null;
    const compared = await figures.compare(recording, sides);
    const { steps } = compared.documents[0]!;
    const all = sides.map((side, at) => ({ ...side, records: compared.documents[at]!.records }));
    const agreed = toRecords(agreedRecords(steps, all));
    const main = await documents.look(recording);
    const goal = main.records.get(GOAL_ID);
    // Where they do not agree on the goal, the recording's own stands until that is settled.
    const records = agreed.has(GOAL_ID) || !goal ? agreed : new Map(agreed).set(GOAL_ID, goal);
    const write = await documents.beginner(recording);
    return (trx: Sql<Tables>) => write(trx, 'Begin from what all agree on', records);
  }

  async function store(
    trx: Sql<Tables>,
    situation: Situation,
    { id, act }: { id: string; act: ReviewAct },
    adjudicate: ((trx: Sql<Tables>) => Promise<number>) | null,
  ): Promise<ReviewEvent> {
    const { recording, review, person, main, own, now: at, policy } = situation;
    const line = { id, recording, person: person.id, at, act };
    const version = main?.version ?? null;
    const write = async (facts: Partial<ReviewEvent['facts']>): Promise<ReviewEvent> =>
      (await appendEvents(trx, review, { ...line, facts })).event;
    switch (act.type) {
      case 'begin':
        return (await begin(trx, situation, { id, document: ownDocument(situation) ?? recording })).event;
      case 'submit': {
        const isMain = act.document === recording;
        const writers = isMain ? (main?.authors ?? []) : [person.id];
        const authors = authorsAt(review, act.document, writers, person.id);
        return write({ document: act.document, authors, version: (isMain ? main : own)?.version ?? null });
      }
      case 'withdraw':
        return write({ document: act.document });
      case 'claim':
        return write({ document: recording, version: adjudicate ? await adjudicate(trx) : version });
      case 'verdict': {
        if (act.verdict === 'reject' || review.claim?.role !== 'adjudicate') {
          return write({ document: recording, version });
        }
        const to = policy.reviewAdjudicated ? 'annotated' : 'approved';
        return write({ document: recording, version, authors: adjudicators(review, person.id), to });
      }
      case 'release':
      case 'decide':
      case 'settle':
      case 'reopen':
        return write({ document: recording, version });
      case 'plan':
        return write({ check: isOpenCheck(situation) || null });
      default:
        return write({});
    }
  }

  type Done = { event: ReviewEvent; isNew: boolean };

  async function attempt(recording: string, person: string, id: string, act: ReviewAct): Promise<Done> {
    for (;;) {
      // Read before the transaction, which holds the one connection; made again when somebody was quicker.
      const before = await reader.load(db, recording);
      const looked = await documents.look(recording);
      const differences = await differencesIn(before);
      const adjudicate = await adjudicationOf(before, recording, act);
      const done = await db.transaction().execute(async (trx): Promise<Done | null> => {
        await takeRecording(trx, recording);
        const known = await findEvent(trx, id);
        if (known) return { event: sameRecording(known, recording, person), isNew: false };
        const outlined = await outline(trx, recording, await frameOf(trx, person));
        if (outlined.review.n !== before.n) return null;
        const knows = await know(trx, outlined, looked, differences);
        const { situation, records, assessment } = knows;
        refuseDoing(situation, act);
        await checkAct(trx, act, { situation, steps: looked.steps, records, assessment, differences });
        return { event: await store(trx, situation, { id, act }, adjudicate), isNew: true };
      });
      if (done) return done;
    }
  }

  return {
    reader,
    figures,
    parts: stateParts(),
    async get(given, person) {
      const { id } = await workspace.getRecording(given);
      return stateNow(id, person);
    },

    async send(given, who, id, act) {
      const { id: recording } = await workspace.getRecording(given);
      const person = await knownPerson(db, who);
      const { event, isNew } = await attempt(recording, person, id, act);
      if (isNew) for (const listener of listeners) listener(recording);
      const situation = await outline(db, recording, await frameOf(db, person));
      const place = await countEvents(db, recording, person, event.n);
      return { event: eventFor(situation, event, place), state: await stateNow(recording, person) };
    },

    async history(given, person) {
      const { id } = await workspace.getRecording(given);
      const situation = await outline(db, id, await frameOf(db, person));
      return historyFor(situation, await readReviewEvents(db, id));
    },

    async compare(given, person, named) {
      const { id } = await workspace.getRecording(given);
      const situation = await outline(db, id, await frameOf(db, person));
      const { review } = situation;
      const ids = named ?? sidesOf(review).map((side) => side.id);
      for (const document of ids) refuseReading(situation, document);
      if (ids.length < 2) {
        throw new StudioError(
          'CONFLICT',
          `Recording ${id} has ${plural(ids.length, 'handed-in replica')}; two are needed.`,
          {
            recording: id,
          },
        );
      }
      const sides = ids.map((document) => ({ id: document, person: review.documents.get(document)?.person ?? null }));
      const { differences, agreed, agreement } = await figures.compare(id, sides);
      const state = stateFor(await know(db, situation, null, []));
      const shown = ids.flatMap((document) => state.documents.find((one) => one.id === document) ?? []);
      return { recording: id, documents: shown, differences, agreed, agreement };
    },

    async mayRead(given, document, person) {
      const { id } = await workspace.getRecording(given);
      const situation = await outline(db, id, await frameOf(db, person ?? 'me'));
      refuseReading(situation, document ?? id);
      const isMask = isOpenCheck(situation) && (document ?? id) === id;
      return isMask ? { what: 'beginning', own: replicaId(id, situation.person.id) } : { what: 'all' };
    },

    async maskOf(given) {
      if (given === undefined) return NOTHING_MASKED;
      const frame = await frameOf(db, given);
      const mask = new Map<string, Masked>();
      for (const recording of await possibleChecks(db, frame)) {
        const situation = await outline(db, recording, frame);
        if (!isOpenCheck(situation)) continue;
        const { steps } = await documents.look(recording);
        mask.set(recording, { state: shownState(situation), steps: steps.length, done: 0 });
      }
      return mask;
    },

    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function refuseDoing(situation: Situation, act: ReviewAct): void {
  const refused = mayDo(disguise(situation), verbOf(act));
  if (refused === null) return;
  const { recording } = situation;
  const details = { recording, act: act.type, state: shownState(situation) };
  throw new StudioError('CONFLICT', `Nothing was changed. ${refused}`, details);
}

function refuseReading(situation: Situation, document: string): void {
  const refused = readRefusal(situation, document);
  if (refused === null) return;
  throw new StudioError('CONFLICT', refused, { recording: situation.recording, document });
}

function sameRecording(known: ReviewEvent, recording: string, person: string): ReviewEvent {
  if (known.recording === recording && known.person === person) return known;
  throw new StudioError(
    'USAGE',
    `The event ${known.id} is ${known.recording === recording ? "another person's" : `another recording's (${known.recording})`}. Give each act an id of its own.`,
    { event: known.id, recording: known.recording },
  );
}
