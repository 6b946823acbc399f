import type { Judgement, Thread } from '../../schemas/api/review-models.ts';
import type { Assigned, ReviewActOf, ReviewEvent } from '../../schemas/review.ts';
import { isRecordingState, type RecordingState } from '../../schemas/task-terms.ts';
import { itemKey } from './items.ts';
import { isEmptyJudgement } from './judged.ts';

/**
 * The state that the log of a recording's review leads to (RV1). A pure fold: the same events give the same review, and
 * events that come later are folded onto what the earlier ones made.
 */

/** A document as the log knows it. */
export type WorkDocument = {
  id: string;
  /** Null: the main document. */
  person: string | null;
  /** The person who took the work up: in this round, for the main document. */
  begunBy: readonly string[];
  /** A hidden check (RV12): its work says nothing of the recording's state. */
  check: boolean;
  /** The version that was submitted; null while it is being worked on. */
  submitted: number | null;
  submittedAt: string | null;
  /** Everybody who wrote in it before it was submitted. */
  authors: readonly string[];
  /** Others may have seen it: it cannot be taken back any more (RV7). */
  sealed: boolean;
};

type ClaimRole = 'review' | 'adjudicate';
type Claim = { person: string; role: ClaimRole; at: string; last: string };

/** Versions `from` (exclusive) to `to` (inclusive; null: until now) of the main document are in a claim of this person. */
type ClaimSpan = { person: string; from: number; to: number | null };

/** The last decision on an item. */
export type StandingDecision = Omit<ReviewActOf<'decide'>, 'type' | 'verdict'> & {
  event: string;
  n: number;
  round: number;
  person: string;
  at: string;
  verdict: 'accept' | 'fixed' | 'reject';
};

/** `rejection`: must be answered, resolved or put right before the work is submitted again. */
export type ReviewThread = Thread & { rejection: boolean; version: number | null };

export type Review = {
  n: number;
  state: RecordingState;
  /** How many annotate it blind; null until it was planned or begun. */
  replicas: number | null;
  round: number;
  claim: Claim | null;
  /** The replicas have become one document; from then on it is reviewed like any other. */
  adjudicated: boolean;
  /** Somebody has taken it up for adjudication: the replicas are fixed from then on. */
  adjudicationBegun: boolean;
  documents: ReadonlyMap<string, WorkDocument>;
  decisions: ReadonlyMap<string, StandingDecision>;
  threads: ReadonlyMap<string, ReviewThread>;
  settled: ReadonlyMap<string, { difference: string; side: string | null; person: string }>;
  judgements: ReadonlyMap<string, Judgement>;
  claims: readonly ClaimSpan[];
  /** Everybody who gave a verdict, and how many of what kind. */
  verdicts: readonly { person: string; role: ClaimRole; verdict: 'approve' | 'reject'; at: string }[];
  /** Everybody who did anything here. */
  people: ReadonlySet<string>;
  /** By person: how many they planned while it was a hidden check of theirs. It counts in what they see alone (RV12). */
  pretended: ReadonlyMap<string, number>;
  /** Who is to do its work (RV15). */
  assigned: Assigned;
  /** By person: what they assigned while it was a hidden check of theirs, as `pretended`. */
  pretendedAssigned: ReadonlyMap<string, Assigned>;
  /** When it came into its state; null before the first event. */
  since: string | null;
};

export const UNASSIGNED: Assigned = { annotate: null, review: null };

/** Before the first event. `state`: what a recording is in whose state was set before there was a log (RV2). */
export function startReview(state: RecordingState = 'recorded'): Review {
  return {
    n: 0,
    state,
    replicas: null,
    round: 1,
    claim: null,
    adjudicated: false,
    adjudicationBegun: false,
    documents: new Map(),
    decisions: new Map(),
    threads: new Map(),
    settled: new Map(),
    judgements: new Map(),
    claims: [],
    verdicts: [],
    people: new Set(),
    pretended: new Map(),
    assigned: UNASSIGNED,
    pretendedAssigned: new Map(),
    since: null,
  };
}

/** The review that these events make, in order; `from` is what the events before them made. */
export function project(events: readonly ReviewEvent[], from?: Review): Review {
  const first = events[0]?.facts.from;
  const start = from ?? startReview(isRecordingState(first) ? first : 'recorded');
  if (events.length === 0) return start;
  const draft: Draft = {
    ...start,
    documents: new Map(start.documents),
    decisions: new Map(start.decisions),
    threads: new Map(start.threads),
    settled: new Map(start.settled),
    judgements: new Map(start.judgements),
    claims: [...start.claims],
    verdicts: [...start.verdicts],
    people: new Set(start.people),
    pretended: new Map(start.pretended),
    pretendedAssigned: new Map(start.pretendedAssigned),
  };
  for (const event of events) step(draft, event);
  return draft;
}

/** A review's own copy of everything that a step changes. */
type Draft = Omit<
  Review,
  | 'documents'
  | 'decisions'
  | 'threads'
  | 'settled'
  | 'judgements'
  | 'claims'
  | 'verdicts'
  | 'people'
  | 'pretended'
  | 'pretendedAssigned'
> & {
  documents: Map<string, WorkDocument>;
  decisions: Map<string, StandingDecision>;
  threads: Map<string, ReviewThread>;
  settled: Map<string, { difference: string; side: string | null; person: string }>;
  judgements: Map<string, Judgement>;
  claims: ClaimSpan[];
  verdicts: { person: string; role: ClaimRole; verdict: 'approve' | 'reject'; at: string }[];
  people: Set<string>;
  pretended: Map<string, number>;
  pretendedAssigned: Map<string, Assigned>;
};

/** Several people annotate it, and their work has not become one document yet. */
export const isReplicated = ({ replicas, adjudicated }: Pick<Review, 'replicas' | 'adjudicated'>): boolean =>
  (replicas ?? 1) > 1 && !adjudicated;

/** Documents of people who annotate it blind, without hidden checks. */
export const replicasOf = ({ documents }: Pick<Review, 'documents'>): WorkDocument[] =>
  [...documents.values()].filter(({ person, check }) => person !== null && !check);

function step(draft: Draft, event: ReviewEvent): void {
  const { act, person, at, facts } = event;
  const before = draft.state;
  draft.n = event.n;
  draft.people.add(person);
  if (draft.claim?.person === person) draft.claim = { ...draft.claim, last: at };
  switch (act.type) {
    case 'plan':
      if (facts.check === true) {
        draft.pretended.set(person, act.replicas);
        break;
      }
      draft.replicas = act.replicas;
      if (replicasOf(draft).length > 0) settleReplicas(draft);
      break;
    case 'assign':
      if (facts.check === true) {
        draft.pretendedAssigned.set(
          person,
          foldAssignment(draft.pretendedAssigned.get(person) ?? UNASSIGNED, act, event),
        );
      } else draft.assigned = foldAssignment(draft.assigned, act, event);
      break;
    case 'begin':
      begin(draft, event);
      break;
    case 'submit':
      submit(draft, act, event);
      break;
    case 'withdraw':
      change(draft, act.document, { submitted: null, submittedAt: null });
      draft.state = 'annotating';
      break;
    case 'claim': {
      const role = isReplicated(draft) ? 'adjudicate' : 'review';
      draft.claim = { person, role, at, last: at };
      draft.state = 'in-review';
      if (role === 'adjudicate') draft.adjudicationBegun = true;
      draft.claims.push({ person, from: facts.version ?? 0, to: null });
      break;
    }
    case 'release':
      endClaim(draft, facts.version);
      draft.state = 'annotated';
      break;
    case 'decide':
      decide(draft, act, event);
      break;
    case 'comment':
      comment(draft, act, event);
      break;
    case 'resolve':
    case 'unresolve': {
      const thread = draft.threads.get(act.thread);
      const open = act.type === 'unresolve';
      if (thread) draft.threads.set(act.thread, { ...thread, open, resolvedBy: open ? null : person });
      break;
    }
    case 'settle':
      if (act.back) draft.settled.delete(act.difference);
      else draft.settled.set(act.difference, { difference: act.difference, side: act.side, person });
      break;
    case 'verdict':
      verdict(draft, act, event);
      break;
    case 'reopen':
      draft.state = 'annotating';
      draft.round++;
      change(draft, facts.document, { submitted: null, submittedAt: null, begunBy: [person] });
      openThread(draft, event, { text: act.comment, rejection: false });
      break;
    case 'judge':
      judge(draft, act, event);
      break;
  }
  if (draft.state !== before || draft.since === null) draft.since = at;
}

/** The last assignment of a part of the work stands. */
export function foldAssignment(
  before: Assigned,
  { work, to, due }: ReviewActOf<'assign'>,
  { person, at }: Pick<ReviewEvent, 'person' | 'at'>,
): Assigned {
  return { ...before, [work]: to.length === 0 ? null : { people: to, due, by: person, at } };
}

/** A document of which the log says nothing yet. */
export const newWorkDocument = (id: string, person: string | null = null): WorkDocument => ({
  id,
  person,
  begunBy: [],
  check: false,
  submitted: null,
  submittedAt: null,
  authors: [],
  sealed: false,
});

function change(draft: Draft, id: string | null, facts: Partial<WorkDocument>, person: string | null = null): void {
  if (id === null) return;
  const known = draft.documents.get(id) ?? newWorkDocument(id, person);
  draft.documents.set(id, { ...known, ...facts });
}

function begin(draft: Draft, { person, facts }: ReviewEvent): void {
  const id = facts.document;
  if (id === null) return;
  draft.replicas ??= 1;
  const own = facts.check === true || isReplicated(draft) ? person : null;
  const known = draft.documents.get(id);
  // Taking up a rejected recording again begins another round of work on it.
  const others = draft.state === 'annotating' ? (known?.begunBy ?? []) : [];
  const begunBy = [...new Set([...others, person])];
  change(draft, id, { begunBy, check: facts.check === true, submitted: null, submittedAt: null }, own);
  if (facts.check !== true) draft.state = 'annotating';
}

function submit(draft: Draft, act: ReviewActOf<'submit'>, { person, at, facts }: ReviewEvent): void {
  const known = draft.documents.get(act.document);
  const authors = facts.authors ?? [person];
  draft.replicas ??= 1;
  change(draft, act.document, { submitted: act.version, submittedAt: at, authors });
  if (known?.check) return;
  if (isReplicated(draft)) settleReplicas(draft);
  else draft.state = 'annotated';
}

/** Sets the state of replicas: all who are wanted have submitted, or not. */
function settleReplicas(draft: Draft): void {
  if (!isReplicated(draft)) return;
  const handedIn = replicasOf(draft).filter(({ submitted }) => submitted !== null);
  const all = handedIn.length >= (draft.replicas ?? 1);
  draft.state = all ? 'annotated' : 'annotating';
  if (all) for (const { id } of handedIn) change(draft, id, { sealed: true });
}

function endClaim(draft: Draft, version: number | null | undefined): void {
  const last = draft.claims.at(-1);
  if (last && last.to === null) draft.claims[draft.claims.length - 1] = { ...last, to: version ?? null };
  draft.claim = null;
}

function decide(draft: Draft, act: ReviewActOf<'decide'>, event: ReviewEvent): void {
  const { type: _type, verdict: said, ...rest } = act;
  const key = itemKey(act.item);
  closeRejection(draft, draft.decisions.get(key), event.person, said === null);
  if (said === null) {
    draft.decisions.delete(key);
    return;
  }
  const { id, n, person, at } = event;
  draft.decisions.set(key, { ...rest, verdict: said, event: id, n, round: draft.round, person, at });
  if (said === 'reject') openThread(draft, event, { text: act.comment, rejection: true });
}

/** A rejection that was decided anew ends its thread; one that was taken back before anybody answered never was. */
function closeRejection(draft: Draft, old: StandingDecision | undefined, person: string, takenBack: boolean): void {
  const thread = old && draft.threads.get(old.event);
  if (!thread?.open) return;
  if (takenBack && thread.entries.length === 1) draft.threads.delete(thread.id);
  else draft.threads.set(thread.id, { ...thread, open: false, resolvedBy: person });
}

const NOWHERE = { action: null, role: null, place: null, t: null };

function openThread(draft: Draft, event: ReviewEvent, { text, rejection }: { text: string; rejection: boolean }): void {
  const { id, act, person, at } = event;
  const item = act.type === 'decide' ? act.item : null;
  const action = item && item.kind !== 'goal' ? ('action' in item ? item.action : item.subtask) : null;
  const pin = act.type === 'comment' ? act.pin : { ...NOWHERE, action };
  const reason = act.type === 'decide' ? act.reason : null;
  const version = act.type === 'decide' ? act.version : null;
  const entries = [{ event: id, person, at, text }];
  draft.threads.set(id, { id, pin, item, reason, open: true, resolvedBy: null, entries, rejection, version });
}

function comment(draft: Draft, act: ReviewActOf<'comment'>, event: ReviewEvent): void {
  const thread = act.thread === null ? undefined : draft.threads.get(act.thread);
  if (!thread) {
    openThread(draft, event, { text: act.text, rejection: false });
    return;
  }
  const entry = { event: event.id, person: event.person, at: event.at, text: act.text };
  draft.threads.set(thread.id, { ...thread, entries: [...thread.entries, entry] });
}

function verdict(draft: Draft, act: ReviewActOf<'verdict'>, event: ReviewEvent): void {
  const { person, at, facts } = event;
  const role = draft.claim?.role ?? 'review';
  draft.verdicts.push({ person, role, verdict: act.verdict, at });
  endClaim(draft, facts.version ?? act.version);
  if (act.verdict === 'reject') {
    draft.state = 'rejected';
    draft.round++;
    if (act.comment !== '') openThread(draft, event, { text: act.comment, rejection: true });
    return;
  }
  if (role === 'review') {
    draft.state = 'approved';
    return;
  }
  // Whether an adjudicated document is reviewed too was the data set's rule of that day (RV10).
  draft.adjudicated = true;
  draft.state = facts.to === 'annotated' ? 'annotated' : 'approved';
  change(draft, facts.document, { submitted: act.version, submittedAt: at, authors: facts.authors ?? [person] });
}

function judge(draft: Draft, act: ReviewActOf<'judge'>, { person, at }: ReviewEvent): void {
  foldJudgement(draft.judgements, act, { person, at });
}

/** The last judgement of a step by a person stands; one that says nothing takes it back. */
export function foldJudgement(
  judgements: Map<string, Judgement>,
  act: ReviewActOf<'judge'>,
  { person, at }: Pick<ReviewEvent, 'person' | 'at'>,
): void {
  const { type: _type, ...said } = act;
  const key = `${act.action} ${person}`;
  if (isEmptyJudgement(act)) judgements.delete(key);
  else judgements.set(key, { ...said, person, at });
}
