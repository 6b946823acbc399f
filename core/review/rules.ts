import { REVIEW_VERBS, type ReviewVerb, type Thread } from '../../schemas/api/review-models.ts';
import { REPLICA_MARK, type ReviewAct, type ReviewPolicy } from '../../schemas/review.ts';
import type { AssignedWork } from '../../schemas/task-terms.ts';
import { plural } from '../words.ts';
import { isReplicated, type Review, replicasOf, type WorkDocument } from './project.ts';

/** The rights to act at each moment (RULES.md). All facts are given; no clock and no database is asked. */

/** A document as it is now. `authors`: who wrote in it, but for reviewers in their claims. */
export type DocumentNow = { version: number; steps: number; done: number; authors: readonly string[] };

export type Situation = {
  recording: string;
  review: Review;
  policy: ReviewPolicy;
  /** How many the policy would have annotate it, while nobody has begun. */
  planned: number;
  /** The person who recorded it; null when it is not known. */
  demonstrator: string | null;
  /** `known`: one of the workspace's people. */
  person: { id: string; known: boolean };
  /** It is this person's hidden check now (RV12). */
  check: boolean;
  main: DocumentNow | null;
  /** The person's own replica or check, when it was begun. */
  own: DocumentNow | null;
  /** Kept steps that are not decided, rejections that stand, rejections nobody answered, differences not settled. */
  undecided: number;
  rejected: number;
  unanswered: number;
  unsettled: number;
  /** ISO 8601. */
  now: string;
  name(person: string): string;
};

/** A claim that its holder has left alone for so long may be released by others, so that nothing waits for ever. */
const CLAIM_RESTS_HOURS = 24;

export const replicaId = (recording: string, person: string): string => `${recording}${REPLICA_MARK}${person}`;

/** The number that is planned, or would be. */
export function replicasWanted({ review, planned }: Pick<Situation, 'review' | 'planned'>): number {
  return review.replicas ?? (review.state === 'recorded' ? planned : 1);
}

/** Replicas are being made, or will be: people work in documents of their own. */
export const inReplicas = (situation: Pick<Situation, 'review' | 'planned'>): boolean =>
  isReplicated({ replicas: replicasWanted(situation), adjudicated: situation.review.adjudicated });

const slotsLeft = (situation: Pick<Situation, 'review' | 'planned'>): number =>
  replicasWanted(situation) - replicasOf(situation.review).length;

const ownReplica = ({ recording, review, person }: Pick<Situation, 'recording' | 'review' | 'person'>) =>
  review.documents.get(replicaId(recording, person.id));

/**
 * Something is kept from this person (RV6): their own check is open, or replicas are being made. Those are kept from
 * everybody until all are submitted: who has not begun might still be given one, who has submitted may still take it back.
 */
export function isBlind(situation: Situation): boolean {
  const { review, check } = situation;
  const own = ownReplica(situation);
  if (check || (own?.check && own.submitted === null)) return true;
  if (!inReplicas(situation) || review.adjudicationBegun) return false;
  return review.state === 'recorded' || review.state === 'annotating';
}

/** The document that the person works in; null when there is none for them. */
export function ownDocument(situation: Situation): string | null {
  const { recording, review, person, check } = situation;
  const own = ownReplica(situation);
  if (own?.check && own.submitted === null) return own.id;
  if (check) return replicaId(recording, person.id);
  if (!inReplicas(situation)) return recording;
  if (review.claim?.person === person.id) return recording;
  if (own) return own.id;
  return person.known && slotsLeft(situation) > 0 ? replicaId(recording, person.id) : null;
}

/** People who took part in the work that a review is to judge. */
function partOf({ review, main, demonstrator, policy }: Situation): Set<string> {
  const part = new Set<string>(main?.authors);
  for (const { check, authors, begunBy, person } of review.documents.values()) {
    if (check) continue;
    for (const author of [...authors, ...(person === null ? [] : begunBy)]) part.add(author);
  }
  if (demonstrator !== null && !policy.demonstratorMayReview) part.add(demonstrator);
  return part;
}

type Rule = (situation: Situation) => string | null;

const STRANGER = 'Choose your name first: reviews are done by people of this workspace.';
const BLIND = 'It is annotated blind: what others did in it is kept from you until everybody has submitted.';
const holder = ({ review, name }: Situation): string => name(review.claim?.person ?? '');

/** Why somebody else does this part of the work, where the data set leaves it to whom it is assigned to (RV15). */
function reserved({ review, policy, person, name }: Situation, work: AssignedWork): string | null {
  const people = review.assigned[work]?.people ?? [];
  if (policy.assignedOnly !== true || people.length === 0 || people.includes(person.id)) return null;
  return `It is assigned to ${people.map(name).join(', ')}, and only who it is assigned to does it.`;
}

/** Why this person does not plan and assign work here (RV16). */
export function unmanaged({ policy, person, name }: Pick<Situation, 'policy' | 'person' | 'name'>): string | null {
  const managers = policy.managers ?? [];
  if (managers.length === 0 || managers.includes(person.id)) return null;
  return `${managers.map(name).join(', ')} ${managers.length === 1 ? 'plans and assigns' : 'plan and assign'} work here.`;
}

const beginRule: Rule = (situation) => {
  const { review, person, check } = situation;
  const own = ownReplica(situation);
  if (check) return null;
  if (own?.check) return own.submitted === null ? 'You have already started it.' : 'You have already submitted it.';
  if (inReplicas(situation)) return beginReplica(situation, own);
  const left = reservedFromBeginning(situation);
  if (left !== null && ['recorded', 'rejected', 'annotating'].includes(review.state)) return left;
  switch (review.state) {
    case 'recorded':
    case 'rejected':
      return null;
    case 'annotating':
      return review.documents.get(situation.recording)?.begunBy.includes(person.id)
        ? 'You have already started it.'
        : 'It is being annotated already. What you change goes into the same document.';
    default:
      return handedIn(situation);
  }
};

/** Who took the main document up in this round goes on with it, whoever it is assigned to since. */
function reservedFromBeginning(situation: Situation): string | null {
  const { recording, review, person } = situation;
  const begun = review.state === 'annotating' && review.documents.get(recording)?.begunBy.includes(person.id);
  return begun ? null : reserved(situation, 'annotate');
}

function beginReplica(situation: Situation, own: WorkDocument | undefined): string | null {
  const { review } = situation;
  if (own) return own.submitted === null ? 'You have already started it.' : 'You have already submitted yours.';
  if (slotsLeft(situation) <= 0) {
    return `${replicasWanted(situation)} people annotate it already, as many as are planned.`;
  }
  if (review.state !== 'recorded' && review.state !== 'annotating') return handedIn(situation);
  return reserved(situation, 'annotate');
}

/** Why a document that is past annotating is not changed, in words. */
function handedIn(situation: Situation): string {
  const { review } = situation;
  switch (review.state) {
    case 'annotated':
      return 'It was submitted and waits for its review. Withdraw it first.';
    case 'in-review':
      return review.claim
        ? `${holder(situation)} is reviewing it. It can be changed when that is done.`
        : 'It was submitted for review. Withdraw it first.';
    case 'approved':
      return 'It is approved. Reopen it first.';
    default:
      return 'It is not open for annotation now.';
  }
}

/** The document that this person would submit, and how it is. */
function working(situation: Situation): { known: WorkDocument | undefined; now: DocumentNow | null } {
  const id = ownDocument(situation);
  const known = id === null ? undefined : situation.review.documents.get(id);
  return { known, now: id === situation.recording ? situation.main : situation.own };
}

/** Wrote in it or took it up, or nobody of the workspace did (work that was done before anybody was chosen). */
function isTheirs({ person }: Situation, known: WorkDocument | undefined, now: DocumentNow | null): boolean {
  const people = [...(now?.authors ?? []), ...(known?.authors ?? []), ...(known?.begunBy ?? [])].filter(isSomebody);
  return people.length === 0 || people.includes(person.id);
}

/** Everybody who opened a thread, wrote in it, annotated or reviewed may close it and open it again. */
export function mayResolve(situation: Situation, thread: Pick<Thread, 'entries'>): string | null {
  const { review, person } = situation;
  const among = new Set([
    ...thread.entries.map((entry) => entry.person),
    ...review.claims.map((claim) => claim.person),
  ]);
  for (const author of partOf(situation)) among.add(author);
  return among.has(person.id) ? null : 'Its annotators and reviewers resolve a comment, and who wrote in it.';
}

/** Gestures that nobody of the workspace stands for. */
export const NOBODY: ReadonlySet<string> = new Set(['me', 'import', 'studio']);
const isSomebody = (person: string): boolean => !NOBODY.has(person);

const submitRule: Rule = (situation) => {
  const { review, unanswered } = situation;
  const { known, now } = working(situation);
  const replica = known?.person !== null && known !== undefined;
  if (known?.submitted != null) return 'It is already submitted.';
  if (!known?.check) {
    if (inReplicas(situation) && !replica) return 'Start your own annotation of it first.';
    if (review.state === 'rejected') return 'Changes were requested. Start repairing it first.';
    if (review.state !== 'annotating')
      return review.state === 'recorded' ? 'Nobody has annotated it yet.' : handedIn(situation);
  }
  if (!isTheirs(situation, known, now)) return 'Only its annotators can submit it.';
  const open = (now?.steps ?? 0) - (now?.done ?? 0);
  if (!now || open > 0) return `${plural(open, 'step is', 'steps are')} still open. Confirm or remove each.`;
  if (unanswered > 0 && !replica) {
    return `${plural(unanswered, 'rejection is', 'rejections are')} neither answered, resolved nor fixed.`;
  }
  return null;
};

const withdrawRule: Rule = (situation) => {
  const { review } = situation;
  const { known, now } = working(situation);
  if (known?.check && known.submitted !== null) return 'It was submitted for good.';
  if (inReplicas(situation)) {
    if (!known || known.person === null || known.submitted === null) return 'You have submitted nothing here.';
    return known.sealed || review.state !== 'annotating'
      ? 'Everybody has submitted, and others may have seen yours, so it stays as it is.'
      : null;
  }
  if (review.state === 'in-review' && review.claim) return `${holder(situation)} is reviewing it already.`;
  if (review.state !== 'annotated' && review.state !== 'in-review') return 'It is not submitted.';
  return isTheirs(situation, known, now) ? null : 'Only the submitter can withdraw it.';
};

const claimRule: Rule = (situation) => {
  const { review, person, demonstrator, name } = situation;
  const role = inReplicas(situation) ? 'adjudicate' : 'review';
  if (review.claim) {
    return review.claim.person === person.id
      ? 'You are already reviewing it.'
      : `${name(review.claim.person)} is reviewing it.`;
  }
  if (review.state !== 'annotated' && review.state !== 'in-review') {
    if (role === 'adjudicate' && review.state === 'annotating') return 'Not all who annotate it blind have submitted.';
    return review.state === 'approved' ? 'It is approved. Reopen it first.' : 'It was not submitted.';
  }
  if (!partOf(situation).has(person.id)) return reserved(situation, 'review');
  if (person.id === demonstrator) return 'You recorded it, so somebody else reviews it.';
  return role === 'adjudicate'
    ? 'You annotated it yourself, so somebody else decides between the replicas.'
    : 'You took part in it, and nobody reviews their own work.';
};

function rests({ review, now }: Situation): boolean {
  return Date.parse(now) - Date.parse(review.claim?.last ?? now) >= CLAIM_RESTS_HOURS * 3_600_000;
}

const releaseRule: Rule = (situation) => {
  const { review, person } = situation;
  if (!review.claim) return 'Nobody is reviewing it.';
  if (review.claim.person === person.id || rests(situation)) return null;
  return `${holder(situation)} is reviewing it and can release it. Others can after ${CLAIM_RESTS_HOURS} hours of rest.`;
};

/** Holds the claim for this. */
const holds =
  (role: 'review' | 'adjudicate'): Rule =>
  (situation) => {
    const { claim, state } = situation.review;
    if (!claim) return state === 'annotated' ? 'Start the review first.' : 'It is not in review.';
    if (claim.person !== situation.person.id) return `${holder(situation)} is reviewing it.`;
    if (claim.role === role) return null;
    return role === 'review'
      ? 'It is being adjudicated: settle the differences between the replicas.'
      : 'It has no replicas to decide between.';
  };

const approveRule: Rule = (situation) => {
  const { review, undecided, rejected, unsettled } = situation;
  const role = review.claim?.role ?? 'review';
  const refused = holds(role)(situation);
  if (refused !== null) return refused;
  if (role === 'adjudicate') {
    return unsettled > 0 ? `${plural(unsettled, 'difference is', 'differences are')} not settled.` : null;
  }
  if (rejected > 0) return `${plural(rejected, 'item is', 'items are')} rejected. Send it back, or fix and accept.`;
  return undecided > 0 ? `${plural(undecided, 'step is', 'steps are')} not decided.` : null;
};

const assignRule: Rule = (situation) =>
  unmanaged(situation) ?? (situation.review.state === 'approved' ? 'It is approved. Reopen it first.' : null);

/** Why this person cannot be given this part of the work; null when they can. Of what is blind nothing is asked. */
export function unfitFor(situation: Situation, work: AssignedWork, to: string): string | null {
  const { review, name, demonstrator, policy } = situation;
  const other = review.assigned[work === 'annotate' ? 'review' : 'annotate'];
  if (other?.people.includes(to)) {
    return `${name(to)} is to ${work === 'annotate' ? 'review' : 'annotate'} it, and nobody reviews their own work.`;
  }
  if (work === 'annotate') return null;
  if (to === demonstrator && !policy.demonstratorMayReview)
    return `${name(to)} recorded it, so somebody else reviews it.`;
  if (isBlind(situation) || !partOf(situation).has(to)) return null;
  return `${name(to)} took part in it, and nobody reviews their own work.`;
}

const planRule: Rule = (situation) => {
  const { review } = situation;
  const managed = unmanaged(situation);
  if (managed !== null) return managed;
  if (review.claim || review.adjudicationBegun) return 'Its adjudication has begun.';
  if (review.state === 'recorded') return null;
  if (!inReplicas(situation)) return 'One person annotates it already, in a document that is not blind.';
  return review.state === 'annotating' || review.state === 'annotated' ? null : handedIn(situation);
};

const seeing: Rule = (situation) => (isBlind(situation) ? BLIND : null);

const RULES: Readonly<Record<ReviewVerb, Rule>> = {
  plan: planRule,
  assign: assignRule,
  begin: beginRule,
  submit: submitRule,
  withdraw: withdrawRule,
  claim: claimRule,
  release: releaseRule,
  decide: holds('review'),
  // Notes of one's own are kept from others who are blind.
  comment: () => null,
  settle: holds('adjudicate'),
  approve: approveRule,
  reject: holds('review'),
  reopen: ({ review }) => (review.state === 'approved' ? null : 'Only what is approved can be reopened.'),
  judge: seeing,
};

/** Verbs of somebody who annotates blind: the others would tell them what others did. */
const BLIND_VERBS: ReadonlySet<ReviewVerb> = new Set(['begin', 'submit', 'withdraw', 'comment', 'plan', 'assign']);

/** Null when the person may do it now; else why not, in words. */
export function mayDo(situation: Situation, verb: ReviewVerb): string | null {
  if (!situation.person.known) return STRANGER;
  if (!BLIND_VERBS.has(verb) && isBlind(situation)) return BLIND;
  return RULES[verb](situation);
}

export function mayOfAll(situation: Situation): Record<ReviewVerb, string | null> {
  const entries = REVIEW_VERBS.map((verb) => [verb, mayDo(situation, verb)] as const);
  return Object.fromEntries(entries) as Record<ReviewVerb, string | null>; // One entry for each verb.
}

export function verbOf(act: ReviewAct): ReviewVerb {
  if (act.type === 'verdict') return act.verdict;
  return act.type === 'resolve' || act.type === 'unresolve' ? 'comment' : act.type;
}

/**
 * Whether a person may write in a document of this recording: `begin` when their gesture begins the work by itself, a
 * text when they may not, saying why (RV5). Anybody may be somebody the workspace does not know, but not in a replica.
 */
export function mayWrite(situation: Situation, document: string): { begin: boolean } | string {
  const { recording, review, person } = situation;
  if (document !== recording) return mayWriteReplica(situation, document);
  const claim = review.claim;
  if (claim) {
    return claim.person === person.id ? { begin: false } : handedIn(situation);
  }
  // An annotation that comes with a recording from elsewhere is one document, whatever the policy wants of new ones.
  if (inReplicas(situation) && !(person.id === 'import' && review.state === 'recorded')) {
    return person.known
      ? 'It is annotated blind by several people: write in a document of your own.'
      : `${STRANGER} This one is annotated blind by several.`;
  }
  if (situation.check || ownReplica(situation)?.submitted === null) {
    return 'You annotate it blind: write in your own document.';
  }
  const left = person.id === 'import' ? null : reservedFromBeginning(situation);
  if (left !== null && ['recorded', 'rejected', 'annotating'].includes(review.state)) return left;
  if (review.state === 'annotating') return { begin: false };
  return review.state === 'recorded' || review.state === 'rejected' ? { begin: true } : handedIn(situation);
}

function mayWriteReplica(situation: Situation, document: string): { begin: boolean } | string {
  const { recording, person } = situation;
  if (document !== replicaId(recording, person.id))
    return "It is another person's own annotation: only they write in it.";
  if (!person.known) return STRANGER;
  const own = ownReplica(situation);
  if (own?.submitted === null) return own.sealed ? 'It is closed.' : { begin: false };
  if (own) return own.sealed ? 'It was submitted for good.' : 'It was submitted. Withdraw it first.';
  if (!inReplicas(situation) && !situation.check) return 'One person annotates this recording; it has no replicas.';
  const refused = beginRule(situation);
  return refused ?? { begin: true };
}
