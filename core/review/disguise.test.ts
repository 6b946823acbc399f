import { describe, expect, test } from 'vitest';
import { disguise, isOpenCheck } from './disguise.ts';
import { act, newModel, RECORDING, situationOf } from './model-for-tests.ts';
import { isBlind, mayOfAll, mayWrite, ownDocument, replicaId, type Situation } from './rules.ts';

/** Annotated by Ada, approved by Ben, and now Cleo's hidden check. */
function approved(more: Partial<Situation> = {}): Situation {
  const model = newModel();
  act(model, 'ada', { type: 'begin' });
  act(model, 'ada', { type: 'submit', document: RECORDING, version: 1 });
  act(model, 'ben', { type: 'claim' });
  act(model, 'ben', { type: 'verdict', verdict: 'approve', version: 1, reasons: [], comment: '' });
  expect(model.review.state).toBe('approved');
  return situationOf(model, 'cleo', { check: true, ...more });
}
const untouched = situationOf(newModel({ replicas: 2 }), 'cleo', { planned: 2 });

describe('a hidden check in disguise (RV12)', () => {
  test('may be done, and is refused, all that a recording may that nobody has worked on, in the same words', () => {
    const seen = disguise(approved());
    expect(mayOfAll(seen)).toEqual(mayOfAll(untouched));
    expect([seen.review.state, isBlind(seen), ownDocument(seen)]).toEqual(['recorded', true, `${RECORDING}~cleo`]);
    for (const document of [RECORDING, replicaId(RECORDING, 'cleo'), replicaId(RECORDING, 'ada')]) {
      expect(mayWrite(seen, document)).toEqual(mayWrite(untouched, document));
    }
  });

  test('is worn as long as it is not submitted, by the one it is meant for alone', () => {
    const known = approved();
    expect(isOpenCheck(known)).toBe(true);
    const other = { ...known, check: false };
    expect([isOpenCheck(other), disguise(other)]).toEqual([false, other]);
    const own = { id: replicaId(RECORDING, 'cleo'), person: 'cleo', begunBy: ['cleo'], check: true, authors: [] };
    const begun = { ...own, submitted: null, submittedAt: null, sealed: false };
    const withOwn = (document: typeof begun | (Omit<typeof begun, 'submitted'> & { submitted: number })) => ({
      ...other,
      review: { ...known.review, documents: new Map([...known.review.documents, [own.id, document]]) },
    });
    expect(disguise(withOwn(begun)).review.state).toBe('annotating');
    expect(disguise(withOwn({ ...begun, submitted: 3 })).review.state).toBe('approved');
  });

  test('wants as many as the rules of the data set, at least two, or as many as its person planned', () => {
    const policy = { ...untouched.policy, replicas: 3 };
    expect(disguise(approved()).planned).toBe(2);
    expect(disguise(approved({ policy })).planned).toBe(3);
    const known = approved();
    const review = { ...known.review, pretended: new Map([['cleo', 4]]) };
    expect(disguise({ ...known, review }).review.replicas).toBe(4);
  });
});
