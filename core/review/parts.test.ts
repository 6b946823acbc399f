import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Decision, ReviewState, Thread } from '../../schemas/api/review-models.ts';
import { partOf, wholeReview } from './parts.ts';
import { emptyReview as empty } from './review-for-tests.ts';

const AT = '2026-05-04T10:20:30.000Z';
const decision = (action: string, verdict: Decision['verdict'] = 'accept'): Decision => ({
  event: `e-${action}-${verdict}`,
  item: { kind: 'step', action },
  person: 'ben',
  at: AT,
  verdict,
  reason: null,
  comment: '',
  version: 1,
  stale: false,
  round: 1,
});
const thread = (id: string, texts: readonly string[]): Thread => ({
  id,
  pin: { action: null, role: null, place: null, t: null },
  item: null,
  reason: null,
  open: true,
  resolvedBy: null,
  entries: texts.map((text, at) => ({ event: `${id}-${at}`, person: 'ben', at: AT, text })),
});

test('of one decision among many only that one goes out, and what it makes is the whole', () => {
  const before = { ...empty, n: 4, decisions: ['s0', 's1', 's2'].map((id) => decision(id)) };
  const now = { ...before, n: 5, decisions: [decision('s0'), decision('s1', 'fixed'), decision('s2')] };
  const part = partOf(before, now, 'tag');
  expect(part.decisions).toEqual([decision('s1', 'fixed')]);
  expect(part.part?.since).toBe('tag');
  expect(wholeReview(before, part)).toEqual(now);
});

test('what was taken back is named, and what was decided again after that stands at the end', () => {
  const before = { ...empty, decisions: ['s0', 's1'].map((id) => decision(id)) };
  const without = { ...before, decisions: [decision('s1')] };
  expect(partOf(before, without, 't').part?.gone.decisions).toEqual(['step:s0']);
  const again = { ...before, decisions: [decision('s1'), decision('s0')] };
  // Between the two looks it was taken back and made anew: the order tells, so the whole goes out.
  expect(partOf(before, again, 't')).toBe(again);
});

const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
const state = fc
  .record({ steps: keys, fixed: keys, talk: keys, said: keys, judged: keys, documents: keys, n: fc.nat(9) })
  .map(
    ({ steps, fixed, talk, said, judged, documents, n }): ReviewState => ({
      ...empty,
      n,
      decisions: steps.map((id) => decision(id, fixed.includes(id) ? 'fixed' : 'accept')),
      threads: talk.map((id) => thread(id, said)),
      settled: said.map((difference) => ({ difference, side: talk[0] ?? null, person: 'ben' })),
      judgements: judged.map((action) => ({
        action,
        person: 'ben',
        at: AT,
        grounded: fixed.includes(action),
        error: null,
        comment: '',
      })),
      documents: documents.map((id) => ({
        id,
        person: null,
        version: n,
        steps: 4,
        done: 1,
        submitted: null,
        authors: [],
      })),
    }),
  );

test('whatever changed between two states, the earlier one and the part make the later one', () => {
  fc.assert(
    fc.property(state, state, (before, now) => {
      const sent = JSON.parse(JSON.stringify(partOf(before, now, 't')));
      expect(wholeReview(before, sent)).toEqual(now);
    }),
  );
});
