import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReviewAct } from '../../schemas/review.ts';
import type { RecordingState } from '../../schemas/task-terms.ts';
import { act, type Model, newModel, RECORDING, situationOf, write } from './model-for-tests.ts';
import { isReplicated, project, replicasOf } from './project.ts';
import { isBlind, mayDo, ownDocument } from './rules.ts';

const PEOPLE = ['ada', 'ben', 'cleo', 'dan'];
const STEP = { kind: 'step', action: 's0' } as const;

/** Something that somebody tries. The item that it speaks of is as it should be, so only the rules stand in the way. */
type Try = { person: string; what: (model: Model, person: string) => boolean };

const documentOf = (model: Model, person: string): string => ownDocument(situationOf(model, person)) ?? RECORDING;
const versionOf = (model: Model): number => model.documents.get(RECORDING)!.version;

const ACTS: readonly ((model: Model, person: string) => ReviewAct)[] = [
  () => ({ type: 'begin' }),
  (model, person) => ({ type: 'submit', document: documentOf(model, person), version: 2 }),
  (model, person) => ({ type: 'withdraw', document: documentOf(model, person) }),
  () => ({ type: 'claim' }),
  () => ({ type: 'release' }),
  (model) => ({ type: 'decide', item: STEP, version: versionOf(model), verdict: 'accept', reason: null, comment: '' }),
  (model) => ({
    type: 'decide',
    item: STEP,
    version: versionOf(model),
    verdict: 'reject',
    reason: 'unclear',
    comment: '',
  }),
  () => ({ type: 'settle', difference: 'goal', side: null, transaction: null }),
  (model) => ({ type: 'verdict', verdict: 'approve', version: versionOf(model), reasons: [], comment: '' }),
  (model) => ({ type: 'verdict', verdict: 'reject', version: versionOf(model), reasons: ['unclear'], comment: 'No' }),
  () => ({ type: 'reopen', comment: 'Once more' }),
  () => ({ type: 'plan', replicas: 2 }),
  () => ({ type: 'plan', replicas: 3 }),
  () => ({ type: 'judge', action: 's0', grounded: true, error: null, comment: '' }),
];

const tries: fc.Arbitrary<Try> = fc
  .tuple(fc.constantFrom(...PEOPLE), fc.nat(ACTS.length + 3))
  .map(([person, which]): Try => {
    const make = ACTS[which];
    if (make) return { person, what: (model, who) => act(model, who, make(model, who)) };
    return { person, what: (model, who) => write(model, who, which % 2 === 0 ? 'own' : 'main') };
  });

const plays = fc.record({
  replicas: fc.integer({ min: 1, max: 3 }),
  reviewAdjudicated: fc.boolean(),
  tried: fc.array(tries, { minLength: 80, maxLength: 160 }),
});

/** Where each state may lead (pattern 18). */
const LEADS: Readonly<Record<RecordingState, readonly RecordingState[]>> = {
  recorded: ['recorded', 'annotating'],
  annotating: ['annotating', 'annotated'],
  annotated: ['annotated', 'annotating', 'in-review'],
  'in-review': ['in-review', 'annotated', 'rejected', 'approved'],
  rejected: ['rejected', 'annotating'],
  approved: ['approved', 'annotating'],
};

describe('whatever anybody tries', () => {
  test('a recording goes from state to state as the rules have it, and only a verdict ends a review (RV1, RV3)', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(plays, ({ tried, ...policy }) => {
        const model = newModel(policy);
        for (const { person, what } of tried) what(model, person);
        for (const { act: done, facts } of model.events) {
          const [from, to] = [facts.from as RecordingState, facts.to as RecordingState];
          expect(LEADS[from]).toContain(to);
          if (to === 'approved' && from !== 'approved') expect(done).toMatchObject({ verdict: 'approve' });
          if (to === 'rejected' && from !== 'rejected') expect(done).toMatchObject({ verdict: 'reject' });
          reached.add(`${from} ${to}`);
        }
        expect(model.review.state === 'in-review').toBe(model.review.claim !== null);
      }),
      { numRuns: 400, seed: 7 },
    );
    // Every way is gone by some of these plays: a rule that forbids everything would pass the rest.
    const ways = Object.entries(LEADS).flatMap(([from, all]) => all.map((to) => `${from} ${to}`));
    expect(ways.filter((way) => !reached.has(way))).toEqual([]);
  });

  test('nobody decides on, settles or ends a review of what they had a part in (RV3)', () => {
    let looked = 0;
    fc.assert(
      fc.property(plays, ({ tried, ...policy }) => {
        const model = newModel(policy);
        for (const { person, what } of tried) {
          const before = model.review;
          const authors = new Set(model.documents.get(RECORDING)!.authors);
          for (const one of before.documents.values()) for (const author of one.authors) authors.add(author);
          for (const one of replicasOf(before)) if (one.person !== null) authors.add(one.person);
          const count = model.events.length;
          what(model, person);
          for (const { act: done } of model.events.slice(count)) {
            if (!['claim', 'decide', 'settle', 'verdict'].includes(done.type)) continue;
            looked++;
            if (done.type === 'claim') expect(authors).not.toContain(person);
            else expect(before.claim?.person).toBe(person);
          }
        }
      }),
      { numRuns: 400, seed: 8 },
    );
    expect(looked).toBeGreaterThan(100);
  });

  test('the log told twice, or one event at a time, or from the middle on, makes the same review (RV1)', () => {
    fc.assert(
      fc.property(plays, fc.nat(), ({ tried, ...policy }, cut) => {
        const model = newModel(policy);
        for (const { person, what } of tried) what(model, person);
        const { events } = model;
        const at = events.length === 0 ? 0 : cut % events.length;
        expect(project(events)).toEqual(model.review);
        expect(project(events.slice(at), project(events.slice(0, at)))).toEqual(model.review);
      }),
      { numRuns: 200, seed: 9 },
    );
  });

  test('while replicas are made nobody sees or reviews, and each writes in their own alone (RV6)', () => {
    let blind = 0;
    fc.assert(
      fc.property(plays, ({ tried, ...policy }) => {
        const model = newModel({ ...policy, replicas: Math.max(2, policy.replicas) });
        for (const { person, what } of tried) {
          what(model, person);
          const { review } = model;
          const making = isReplicated(review) && ['recorded', 'annotating'].includes(review.state);
          if (!making) continue;
          for (const one of PEOPLE) {
            const situation = situationOf(model, one);
            blind++;
            expect(isBlind(situation)).toBe(true);
            for (const verb of ['claim', 'decide', 'settle', 'approve', 'judge'] as const) {
              expect(mayDo(situation, verb)).not.toBeNull();
            }
          }
          expect(model.documents.get(RECORDING)!.authors.size).toBe(0);
          for (const { person: owner, id } of replicasOf(review)) {
            for (const author of model.documents.get(id)?.authors ?? []) expect(author).toBe(owner);
          }
        }
      }),
      { numRuns: 200, seed: 10 },
    );
    expect(blind).toBeGreaterThan(100);
  });
});
