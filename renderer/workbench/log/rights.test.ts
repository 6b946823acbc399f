import { expect, it } from 'vitest';
import { REVIEW_VERBS, type ReviewState } from '../../../schemas/api/review-models.ts';
import { type Access, readOnlyReason } from './rights.ts';

const AT = '2026-01-01T00:00:00.000Z';
const may = Object.fromEntries(REVIEW_VERBS.map((verb) => [verb, 'Not now.'])) as ReviewState['may']; // One entry for each verb.
const review = (more: Partial<ReviewState>): ReviewState => ({
  recording: 'r',
  n: 1,
  state: 'annotating',
  replicas: 1,
  round: 1,
  claim: null,
  own: 'r',
  blind: false,
  may,
  documents: [],
  decisions: [],
  threads: [],
  settled: [],
  judgements: [],
  ...more,
});
const main = { id: 'r', person: null, version: 3, steps: 2, done: 2, submitted: null, authors: ['ana'] };
const why = (state: ReviewState | null, more: Partial<Access> = {}): string | null =>
  readOnlyReason({ review: state, person: 'ana', document: 'r', recording: 'r', state: 'annotating', ...more });

it('nobody chosen annotates as before, but not what is past annotating', () => {
  expect(why(null, { person: null })).toBeNull();
  expect(why(null, { person: null, state: 'approved' })).toMatch(/^It is approved\./);
});

it('one’s own open document is written in, and one that the first gesture begins', () => {
  expect(why(review({ documents: [main] }))).toBeNull();
  expect(why(review({ state: 'recorded', may: { ...may, begin: null } }))).toBeNull();
  expect(
    why(review({ state: 'rejected', documents: [{ ...main, submitted: 3 }], may: { ...may, begin: null } })),
  ).toBeNull();
});

it('what was submitted is read only, and says whether it may be taken back', () => {
  const handedIn = { state: 'annotated' as const, documents: [{ ...main, submitted: 3 }] };
  expect(why(review({ ...handedIn, may: { ...may, withdraw: null } }))).toMatch(/Withdraw it/);
  const refused = { ...may, withdraw: 'Ben is reviewing it already.' };
  expect(why(review({ ...handedIn, may: refused }))).toBe('It is submitted for review. Ben is reviewing it already.');
});

it('what is approved says so, and not that it is and is not submitted', () => {
  const refused = { ...may, withdraw: 'It is not submitted.' };
  const approved = review({ state: 'approved', documents: [{ ...main, submitted: 3 }], may: refused });
  expect(why(approved, { state: 'approved' })).toBe('It is approved.');
});

it('the reviewer who has it writes in the main document, nobody else does', () => {
  const claim = { person: 'ben', role: 'review' as const, at: AT };
  const inReview = review({ state: 'in-review', claim, documents: [{ ...main, submitted: 3 }] });
  expect(why(inReview, { person: 'ben' })).toBeNull();
  expect(why(inReview, { person: 'ben', document: 'r~ana' })).not.toBeNull();
  expect(why(inReview)).not.toBeNull();
});

it('somebody else’s replica is never written in', () => {
  expect(why(review({ own: 'r~ana' }), { document: 'r~ben' })).toMatch(/somebody else/);
});
