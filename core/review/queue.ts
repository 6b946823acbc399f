import type { WorkItem } from '../../schemas/api/review-models.ts';
import { isReplicated, replicasOf } from './project.ts';
import { inReplicas, isBlind, mayDo, NOBODY, ownDocument, replicaId, type Situation } from './rules.ts';

/** The work that somebody is to do next, by the rules of the data set (RV11). */

/** A recording with what the order asks of it. */
export type QueueEntry = {
  situation: Situation;
  task: string;
  software: string;
  goal: string;
  /** ISO 8601: when it was recorded. */
  startedAt: string;
  /** How well its replicas agree, 0 to 1; null when they were not compared. */
  agreement: number | null;
};

type Work = { kind: WorkItem['kind']; mine: boolean };

/** Null when there is nothing in it for this person. */
function workOf({ situation }: QueueEntry): Work | null {
  const { recording, review, person, check, main } = situation;
  const own = review.documents.get(replicaId(recording, person.id));
  if (own?.check && own.submitted === null) return { kind: 'annotate', mine: true };
  if (check) return { kind: 'annotate', mine: false };
  if (review.claim) {
    const kind = review.claim.role === 'adjudicate' ? 'adjudicate' : 'review';
    return review.claim.person === person.id ? { kind, mine: true } : null;
  }
  const authors = [...(main?.authors ?? []), ...(review.documents.get(recording)?.begunBy ?? [])];
  const known = authors.filter((author) => !NOBODY.has(author));
  const theirs = known.includes(person.id);
  switch (review.state) {
    case 'rejected':
      return theirs || known.length === 0 ? { kind: 'repair', mine: theirs } : null;
    case 'recorded':
      return mayDo(situation, 'begin') === null ? { kind: 'annotate', mine: false } : null;
    case 'annotating':
      if (inReplicas(situation)) {
        if (own) return own.submitted === null ? { kind: 'annotate', mine: true } : null;
        return mayDo(situation, 'begin') === null ? { kind: 'annotate', mine: false } : null;
      }
      if (!theirs && known.length > 0) return null;
      return { kind: review.round > 1 ? 'repair' : 'annotate', mine: theirs };
    case 'annotated':
    case 'in-review':
      if (mayDo(situation, 'claim') !== null) return null;
      return { kind: isReplicated(review) ? 'adjudicate' : 'review', mine: false };
    case 'approved':
      return null;
  }
}

/** Work that was sent back first, then work in hand, then work that others wait for. */
function rank({ kind, mine }: Work): number {
  if (kind === 'repair') return 0;
  if (mine) return 1;
  return { adjudicate: 2, review: 3, annotate: 4 }[kind];
}

/** A person's work, the next first. Recordings in which there is none are left out. */
export function queueOf(entries: readonly QueueEntry[]): WorkItem[] {
  return entries
    .flatMap((entry) => {
      const work = workOf(entry);
      return work ? [{ entry, work }] : [];
    })
    .sort((a, b) => rank(a.work) - rank(b.work) || within(a.entry, b.entry, a.work))
    .map(({ entry, work }) => itemOf(entry, work));
}

/** The order within one kind. Ids last, so that it is the same whatever order they came in. */
function within(a: QueueEntry, b: QueueEntry, { kind, mine }: Work): number {
  const [left, right] = [a.situation, b.situation];
  const byId = left.recording < right.recording ? -1 : 1;
  if (kind === 'annotate' && !mine) {
    // A check comes where it would come if it were none: among the first.
    const begun = ({ check, review }: Situation): number => (check ? 99 : replicasOf(review).length);
    return begun(right) - begun(left) || compare(a.startedAt, b.startedAt) || byId;
  }
  const agreement = ({ agreement: value }: QueueEntry): number => value ?? 2;
  return agreement(a) - agreement(b) || compare(sinceOf(a), sinceOf(b)) || byId;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sinceOf = ({ situation, startedAt }: QueueEntry): string =>
  isBlind(situation) ? startedAt : (situation.review.since ?? startedAt);

function itemOf(entry: QueueEntry, work: Work): WorkItem {
  const { situation, task, software, goal } = entry;
  const { recording, review, main, own } = situation;
  const wanted = ownDocument(situation);
  const replica = review.documents.get(replicaId(recording, situation.person.id));
  const isOwn = wanted !== null && wanted !== recording;
  const begun = isOwn ? replica !== undefined : review.state !== 'recorded';
  const now = isOwn ? own : main;
  return {
    kind: work.kind,
    recording,
    document: begun ? wanted : null,
    task,
    software,
    goal,
    state: isBlind(situation) ? (begun ? 'annotating' : 'recorded') : review.state,
    steps: begun ? (now?.steps ?? null) : null,
    done: begun ? (now?.done ?? null) : null,
    open: openThreads(situation),
    mine: work.mine,
    since: sinceOf(entry),
  };
}

/** Open threads in which somebody else had the last word. */
function openThreads(situation: Situation): number {
  if (isBlind(situation)) return 0;
  const { review, person } = situation;
  return [...review.threads.values()].filter(({ open, entries }) => open && entries.at(-1)?.person !== person.id)
    .length;
}
