import type { WorkItem } from '../../schemas/api/review-models.ts';
import { disguise } from './disguise.ts';
import { askedIn, mentionsOf, type TextPart } from './mentions.ts';
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

/**
 * `asked`: when the comments were written that name the person and wait for an answer, ISO 8601. `assigned`: it is assigned to
 * them; `others`: to these others instead.
 */
type Work = {
  kind: WorkItem['kind'];
  mine: boolean;
  asked: readonly string[];
  assigned: { due: string | null } | null;
  others: readonly string[];
};

/** Null when there is nothing in it for this person. */
function workOf(entry: QueueEntry, mentions: (text: string) => TextPart[]): Work | null {
  const { situation } = entry;
  const { review, person } = situation;
  // A person who annotates blind learns nothing of what others say.
  const threads = isBlind(situation) ? [] : [...review.threads.values()];
  const asked = threads.flatMap((thread) => askedIn(thread, person.id, mentions)?.at ?? []).sort();
  const own = ownWork(entry);
  if (own) return { ...own, asked, ...assignedOf(situation, own.kind) };
  return asked.length > 0 ? { kind: 'answer', mine: false, asked, assigned: null, others: [] } : null;
}

/** A hidden check is assigned as it seems to be. */
function assignedOf(situation: Situation, kind: WorkItem['kind']): Pick<Work, 'assigned' | 'others'> {
  const { assigned } = disguise(situation).review;
  const found = kind === 'review' || kind === 'adjudicate' ? assigned.review : assigned.annotate;
  if (!found) return { assigned: null, others: [] };
  const theirs = found.people.includes(situation.person.id);
  return theirs ? { assigned: { due: found.due }, others: [] } : { assigned: null, others: found.people };
}

function ownWork({ situation }: QueueEntry): Pick<Work, 'kind' | 'mine'> | null {
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
  // Assigned to somebody else than who began it: they go on with it.
  const given = review.assigned.annotate?.people.includes(person.id) === true;
  switch (review.state) {
    case 'rejected':
      return theirs || given || known.length === 0 ? { kind: 'repair', mine: theirs } : null;
    case 'recorded':
      return mayDo(situation, 'begin') === null ? { kind: 'annotate', mine: false } : null;
    case 'annotating':
      if (inReplicas(situation)) {
        if (own) return own.submitted === null ? { kind: 'annotate', mine: true } : null;
        return mayDo(situation, 'begin') === null ? { kind: 'annotate', mine: false } : null;
      }
      if (!theirs && !given && known.length > 0) return null;
      return { kind: review.round > 1 ? 'repair' : 'annotate', mine: theirs };
    case 'annotated':
    case 'in-review':
      if (mayDo(situation, 'claim') !== null) return null;
      return { kind: isReplicated(review) ? 'adjudicate' : 'review', mine: false };
    case 'approved':
      return null;
  }
}

/** What is assigned to them first, and what is assigned to others last; see RV11 for the order within each. */
function turn({ assigned, others, mine }: Work): number {
  if (assigned) return 0;
  return others.length > 0 && !mine ? 2 : 1;
}

/** Work that was sent back first, then work in hand, then what others asked, then work that others wait for. */
function rank({ kind, mine }: Work): number {
  if (kind === 'repair') return 0;
  if (mine) return 1;
  return { answer: 2, adjudicate: 3, review: 4, annotate: 5 }[kind];
}

/**
 * A person's work, the next first. Recordings in which there is none are left out. `people`: whom comments may name.
 */
export function queueOf(
  entries: readonly QueueEntry[],
  people: readonly { id: string; name: string }[] = [],
): WorkItem[] {
  const mentions = mentionsOf(people);
  return entries
    .flatMap((entry) => {
      const work = workOf(entry, mentions);
      return work ? [{ entry, work }] : [];
    })
    .sort((a, b) => turn(a.work) - turn(b.work) || byDay(a.work, b.work) || rank(a.work) - rank(b.work) || within(a, b))
    .map(({ entry, work }) => itemOf(entry, work));
}

/** Of assigned work what was sent back comes first, then what is due first; without a day last. */
function byDay(a: Work, b: Work): number {
  if (!a.assigned || !b.assigned) return 0;
  const back = (work: Work): number => (work.kind === 'repair' ? 0 : 1);
  const day = ({ assigned }: Work): string => assigned?.due ?? '9999';
  return back(a) - back(b) || compare(day(a), day(b));
}

type Ranked = { entry: QueueEntry; work: Work };

/** The order within one kind. Ids last, so that it is the same whatever order they came in. */
function within({ entry: a, work }: Ranked, { entry: b, work: other }: Ranked): number {
  const { kind, mine, asked } = work;
  const [left, right] = [a.situation, b.situation];
  const byId = left.recording < right.recording ? -1 : 1;
  if (kind === 'answer') return compare(asked[0] ?? '', other.asked[0] ?? '') || byId;
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
    asked: work.asked.length,
    mine: work.mine,
    assigned: work.assigned,
    ...(work.others.length > 0 && { others: [...work.others] }),
    since: (work.kind === 'answer' ? work.asked[0] : undefined) ?? sinceOf(entry),
  };
}

/** Open threads in which somebody else had the last word. */
function openThreads(situation: Situation): number {
  if (isBlind(situation)) return 0;
  const { review, person } = situation;
  return [...review.threads.values()].filter(({ open, entries }) => open && entries.at(-1)?.person !== person.id)
    .length;
}
