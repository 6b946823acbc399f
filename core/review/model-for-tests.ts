import type { ReviewAct, ReviewEvent, ReviewPolicy } from '../../schemas/review.ts';
import { project, type Review, startReview } from './project.ts';
import {
  inReplicas,
  mayDo,
  mayWrite,
  ownDocument,
  replicaId,
  replicasWanted,
  type Situation,
  verbOf,
} from './rules.ts';

/** A recording's review played in memory by the rules alone, for the laws' tests. */

/** One person annotates a recording, another reviews it. */
export const PLAIN_POLICY: ReviewPolicy = {
  replicas: 1,
  replicaShare: 1,
  checkShare: 0,
  seed: 1,
  reviewAdjudicated: false,
  demonstratorMayReview: false,
};

export const RECORDING = 'rec';

export type Model = {
  events: ReviewEvent[];
  review: Review;
  /** Who wrote in which document outside of claims, and its version. */
  documents: Map<string, { version: number; authors: Set<string> }>;
  policy: ReviewPolicy;
};

export const newModel = (policy: Partial<ReviewPolicy> = {}): Model => ({
  events: [],
  review: startReview(),
  documents: new Map([[RECORDING, { version: 1, authors: new Set() }]]),
  policy: { ...PLAIN_POLICY, ...policy },
});

export function situationOf(model: Model, person: string, more: Partial<Situation> = {}): Situation {
  const now = (id: string) => {
    const document = model.documents.get(id);
    return document && { version: document.version, steps: 2, done: 2, authors: [...document.authors] };
  };
  return {
    recording: RECORDING,
    review: model.review,
    policy: model.policy,
    planned: model.policy.replicas,
    demonstrator: null,
    person: { id: person, known: true },
    check: false,
    main: now(RECORDING) ?? null,
    own: now(replicaId(RECORDING, person)) ?? null,
    undecided: 0,
    rejected: 0,
    unanswered: 0,
    unsettled: 0,
    now: timeOf(model),
    name: (id) => id,
    ...more,
  };
}

const timeOf = ({ events }: Model): string => new Date(Date.UTC(2026, 0, 1) + events.length * 1000).toISOString();

/** Stores an act as the studio does; false when the rules refuse it. */
export function act(model: Model, person: string, what: ReviewAct): boolean {
  const situation = situationOf(model, person);
  if (mayDo(situation, verbOf(what)) !== null) return false;
  store(model, situation, what);
  return true;
}

function store(model: Model, situation: Situation, what: ReviewAct): void {
  const { review, person } = situation;
  const own = ownDocument(situation) ?? RECORDING;
  const document = what.type === 'begin' || what.type === 'submit' ? own : RECORDING;
  if (what.type === 'begin' && review.replicas === null && inReplicas(situation)) {
    push(model, 'studio', { type: 'plan', replicas: replicasWanted(situation) }, {});
  }
  if (what.type === 'begin' && !model.documents.has(document)) {
    model.documents.set(document, { version: 1, authors: new Set() });
  }
  const { version = 1, authors = new Set<string>() } = model.documents.get(document) ?? {};
  const adjudicates = review.claim?.role === 'adjudicate';
  push(model, person.id, what, {
    document,
    version,
    ...(what.type === 'submit' && { authors: [...new Set([...authors, person.id])] }),
    ...(what.type === 'verdict' && adjudicates && { authors: [person.id] }),
    ...(what.type === 'verdict' && adjudicates && model.policy.reviewAdjudicated && { to: 'annotated' }),
  });
}

function push(model: Model, person: string, what: ReviewAct, facts: Partial<ReviewEvent['facts']>): void {
  const n = model.events.length + 1;
  const event: ReviewEvent = {
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    n,
    recording: RECORDING,
    person,
    at: timeOf(model),
    act: what,
    facts: { document: null, authors: null, check: null, to: null, ...facts, from: model.review.state },
  };
  const after = project([event], model.review);
  model.events.push({ ...event, facts: { ...event.facts, to: after.state } });
  model.review = after;
}

/** A gesture in the person's own document, or in the main one; false when it is refused. */
export function write(model: Model, person: string, where: 'own' | 'main'): boolean {
  const situation = situationOf(model, person);
  const id = where === 'main' ? RECORDING : (ownDocument(situation) ?? RECORDING);
  const answer = mayWrite(situation, id);
  if (typeof answer === 'string') return false;
  if (answer.begin) store(model, situation, { type: 'begin' });
  const document = model.documents.get(id) ?? { version: 1, authors: new Set() };
  document.version++;
  if (model.review.claim?.person !== person) document.authors.add(person);
  model.documents.set(id, document);
  return true;
}
