import { toRecords } from '../../../core/annotate/document.ts';
import { GOAL_ID } from '../../../core/annotate/ids.ts';
import { agreedRecords } from '../../../core/review/compare.ts';
import { disguise, isOpenCheck } from '../../../core/review/disguise.ts';
import { isReplicated, type Review } from '../../../core/review/project.ts';
import { mayDo, ownDocument, type Situation, verbOf } from '../../../core/review/rules.ts';
import { StudioError } from '../../../schemas/errors.ts';
import type { ReviewAct, ReviewEvent } from '../../../schemas/review.ts';
import { takeRecording } from '../../store/recording-states.ts';
import { findEvent } from '../../store/review-events.ts';
import type { Store, StoreTransaction } from '../../store/store.ts';
import type { Documents } from '../documents.ts';
import { begin } from './gate.ts';
import { type Knowledge, sidesOf } from './knowledge.ts';
import { appendEvents } from './log.ts';
import { adjudicators, authorsAt, checkAct } from './send.ts';
import { shownState } from './view.ts';

/** An act as somebody sends it; `id` is the event's. */
type Sent = { recording: string; person: string; id: string; act: ReviewAct };
type Done = { event: ReviewEvent; isNew: boolean };

/**
 * Does an act, all or nothing; one that came before is answered, not done twice. Throws CONFLICT when it may not be done now
 * or by this person, USAGE for what cannot be taken.
 */
export async function doAct(
  { store, documents, knowledge }: { store: Store; documents: Documents; knowledge: Knowledge },
  { recording, person, id, act }: Sent,
): Promise<Done> {
  for (;;) {
    // Read before the transaction, which holds the one connection; made again when somebody was quicker.
    const before = await knowledge.reader.load(store, recording);
    const looked = await documents.look(recording);
    const differences = await knowledge.differencesIn(before);
    const adjudicate = await adjudicationOf(before, { recording, act }, { documents, knowledge });
    const done = await store.transaction(async (trx): Promise<Done | null> => {
      await takeRecording(trx, recording);
      const known = await findEvent(trx, id);
      if (known) return { event: sameRecording(known, recording, person), isNew: false };
      const outlined = await knowledge.outline(trx, recording, await knowledge.frameOf(trx, person));
      if (outlined.review.n !== before.n) return null;
      const knows = await knowledge.know(trx, outlined, looked, differences);
      const { situation, records, assessment } = knows;
      refuseDoing(situation, act);
      await checkAct(trx, act, { situation, steps: looked.steps, records, assessment, differences });
      return { event: await write(trx, situation, { id, act }, adjudicate), isNew: true };
    });
    if (done) return done;
  }
}

/** Prepares `claim` for an adjudication that nobody has begun: the main document is begun from what all agree on. */
async function adjudicationOf(
  review: Review,
  { recording, act }: { recording: string; act: ReviewAct },
  { documents, knowledge }: { documents: Documents; knowledge: Knowledge },
) {
  if (act.type !== 'claim' || !isReplicated(review) || review.adjudicationBegun) return null;
  const sides = sidesOf(review);
  if (sides.length < 2) return null;
  const compared = await knowledge.figures.compare(recording, sides);
  const { steps } = compared.documents[0]!;
  const all = sides.map((side, at) => ({ ...side, records: compared.documents[at]!.records }));
  const agreed = toRecords(agreedRecords(steps, all));
  const main = await documents.look(recording);
  const goal = main.records.get(GOAL_ID);
  // Where they do not agree on the goal, the recording's own stands until that is settled.
  const records = agreed.has(GOAL_ID) || !goal ? agreed : new Map(agreed).set(GOAL_ID, goal);
  const write = await documents.beginner(recording);
  return (trx: StoreTransaction) => write(trx, 'Begin from what all agree on', records);
}

/** Writes the event, with what follows from it at once. */
async function write(
  trx: StoreTransaction,
  situation: Situation,
  { id, act }: { id: string; act: ReviewAct },
  adjudicate: ((trx: StoreTransaction) => Promise<number>) | null,
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
    case 'assign':
      return write({ check: isOpenCheck(situation) || null });
    default:
      return write({});
  }
}

function refuseDoing(situation: Situation, act: ReviewAct): void {
  const refused = mayDo(disguise(situation), verbOf(act));
  if (refused === null) return;
  const { recording } = situation;
  const details = { recording, act: act.type, state: shownState(situation) };
  throw new StudioError('CONFLICT', `Nothing was changed. ${refused}`, details);
}

function sameRecording(known: ReviewEvent, recording: string, person: string): ReviewEvent {
  if (known.recording === recording && known.person === person) return known;
  throw new StudioError(
    'USAGE',
    `The event ${known.id} is ${known.recording === recording ? "another person's" : `another recording's (${known.recording})`}. Give each act an id of its own.`,
    { event: known.id, recording: known.recording },
  );
}
