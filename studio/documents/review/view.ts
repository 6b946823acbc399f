import type { Assessment } from '../../../core/review/decisions.ts';
import { disguise } from '../../../core/review/disguise.ts';
import { isReplicated, newWorkDocument, type WorkDocument } from '../../../core/review/project.ts';
import {
  type DocumentNow,
  inReplicas,
  isBlind,
  mayOfAll,
  ownDocument,
  replicaId,
  replicasWanted,
  type Situation,
} from '../../../core/review/rules.ts';
import type { ReviewDocument, ReviewState, Thread } from '../../../schemas/api/review-models.ts';
import type { ReviewEvent } from '../../../schemas/review.ts';
import type { RecordingState } from '../../../schemas/task-terms.ts';

/** A recording's review as one person may see it (RV6). */

export type Known = {
  situation: Situation;
  /** Events of the log that are this person's. */
  ownEvents: number;
  documents: ReadonlyMap<string, DocumentNow>;
  assessment: Assessment | null;
};

export function stateFor({ situation: real, ownEvents, documents, assessment }: Known): ReviewState {
  const situation = disguise(real);
  const { recording, review } = situation;
  const shared = { recording, own: ownDocument(situation), may: mayOfAll(situation) };
  if (isBlind(situation)) return { ...shared, ...blindPart(situation, ownEvents, documents) };
  const { claim } = review;
  return {
    ...shared,
    n: review.n,
    state: review.state,
    replicas: replicasWanted(situation),
    assigned: review.assigned,
    round: review.round,
    claim: claim && { person: claim.person, role: claim.role, at: claim.at },
    documents: visibleDocuments(situation, documents),
    blind: false,
    decisions: assessment?.decisions ?? [],
    threads: [...review.threads.values()].map(threadOf),
    settled: [...review.settled.values()],
    judgements: [...review.judgements.values()],
  };
}

/** Their own document and their own notes. Also of the log's length they learn only what they did themselves. */
function blindPart(
  situation: Situation,
  n: number,
  documents: Known['documents'],
): Omit<ReviewState, 'recording' | 'own' | 'may'> {
  const { recording, review, person } = situation;
  const id = replicaId(recording, person.id);
  const own = review.documents.get(id);
  const threads = [...review.threads.values()]
    .filter(({ entries }) => entries[0]!.person === person.id)
    .map((thread) => ({ ...threadOf(thread), entries: thread.entries.filter((entry) => entry.person === person.id) }));
  return {
    n,
    state: review.state,
    replicas: replicasWanted(situation),
    assigned: review.assigned,
    round: 1,
    claim: null,
    documents: own ? [documentOf(own, documents.get(id))] : [],
    blind: true,
    decisions: [],
    threads,
    settled: [],
    judgements: [],
  };
}

/** A recording's state as this person may see it: a check does not give itself away by being approved. */
export const shownState = (situation: Situation): RecordingState => disguise(situation).review.state;

function visibleDocuments(situation: Situation, now: Known['documents']): ReviewDocument[] {
  const { recording, review, person } = situation;
  const main = now.get(recording);
  const withMain = main && (!inReplicas(situation) || review.adjudicationBegun);
  const known = [...review.documents.values()].filter((one) => one.id !== recording);
  // The answers of others to checks are nobody's business; least of all for somebody who may be given the same one.
  const own = known.filter((one) => !one.check || one.person === person.id);
  const mainKnown = review.documents.get(recording) ?? newWorkDocument(recording);
  return [...(withMain ? [documentOf(mainKnown, main)] : []), ...own.map((one) => documentOf(one, now.get(one.id)))];
}

function documentOf(known: WorkDocument, now: DocumentNow | undefined): ReviewDocument {
  const { id, person, submitted } = known;
  const authors = [...new Set([...known.authors, ...(now?.authors ?? [])])].toSorted();
  return {
    id,
    person,
    version: now?.version ?? 0,
    steps: now?.steps ?? 0,
    done: now?.done ?? 0,
    submitted,
    authors,
  };
}

function threadOf({ id, pin, item, reason, open, resolvedBy, entries }: Thread): Thread {
  return { id, pin, item, reason, open, resolvedBy, entries };
}

/** The events of the log that this person may see, oldest first. */
export function historyFor(situation: Situation, events: readonly ReviewEvent[]): ReviewEvent[] {
  const { review, recording, person } = situation;
  const own = replicaId(recording, person.id);
  if (isBlind(situation)) {
    const mine = events.filter((event) => event.person === person.id);
    return mine.map((event, at) => ({ ...eventFor(situation, event), n: at + 1 }));
  }
  const hidden = new Set(
    [...review.documents.values()].filter((one) => one.check && one.id !== own).map(({ id }) => id),
  );
  // A person's plan of a check of theirs is as hidden as their answer.
  const isPretence = ({ facts, person: by }: ReviewEvent): boolean =>
    facts.check === true && facts.document === null && by !== person.id;
  return events.filter(
    (event) => !isPretence(event) && (event.facts.document === null || !hidden.has(event.facts.document)),
  );
}

/**
 * The values that the studio fixed with an event, and its place in the log, would tell a person who is blind that it is a
 * check.
 */
export function eventFor(situation: Situation, event: ReviewEvent, ownEvents = event.n): ReviewEvent {
  if (!isBlind(situation)) return event;
  return { ...event, n: ownEvents, facts: { ...event.facts, check: null, from: null, to: null } };
}

/**
 * Why a document is kept from this person; null when it is not. Main documents say nothing of replicas before these are
 * adjudicated.
 */
export function readRefusal(real: Situation, document: string): string | null {
  const situation = disguise(real);
  const { recording, review, person } = situation;
  const own = replicaId(recording, person.id);
  if (document === own) {
    const may = review.documents.has(own) || ownDocument(situation) === own;
    return may ? null : 'You have no annotation of your own of this recording.';
  }
  const known = review.documents.get(document);
  if (document !== recording && (!known || known.check)) return 'Nobody has begun such a document.';
  if (!isBlind(situation)) return null;
  if (document === recording && isReplicated({ ...review, replicas: replicasWanted(situation) })) return null;
  return 'You annotate it blind, or may still be asked to: what others say of it is kept from you until all have submitted.';
}
