import { describe, expect, test } from 'vitest';
import type { ReviewAct } from '../../schemas/review.ts';
import { act, newModel, RECORDING, situationOf, write } from './model-for-tests.ts';
import { mayDo, mayWrite, type Situation } from './rules.ts';

const PIN = { action: null, role: null, place: null, t: null };
const approve = (version: number): ReviewAct => ({
  type: 'verdict',
  verdict: 'approve',
  version,
  reasons: [],
  comment: '',
});

/** Ada has submitted. */
function handedIn() {
  const model = newModel();
  write(model, 'ada', 'own');
  act(model, 'ada', { type: 'submit', document: RECORDING, version: 2 });
  return model;
}

describe('submitting', () => {
  const refusal = (more: Partial<Situation>) => {
    const model = newModel();
    write(model, 'ada', 'own');
    return mayDo(situationOf(model, 'ada', more), 'submit');
  };
  test('waits for every kept step, and says how many are open', () => {
    const main = { version: 2, steps: 9, done: 7, authors: ['ada'] };
    expect(refusal({ main })).toBe('2 steps are still open. Confirm or remove each.');
    expect(refusal({ main: { ...main, done: 8 } })).toBe('1 step is still open. Confirm or remove each.');
    expect(refusal({ main: { ...main, done: 9 } })).toBeNull();
  });
  test('waits for an answer to every rejection', () => {
    expect(refusal({ unanswered: 2 })).toBe('2 rejections are neither answered, resolved nor fixed.');
  });
  test('is for who annotated it; of what nobody of the workspace wrote, for anybody', () => {
    const model = newModel();
    write(model, 'ada', 'own');
    expect(mayDo(situationOf(model, 'ben'), 'submit')).toBe('Only its annotators can submit it.');
    const unnamed = newModel();
    write(unnamed, 'me', 'main');
    expect(mayDo(situationOf(unnamed, 'ben'), 'submit')).toBeNull();
  });
});

describe('a review', () => {
  test('ends well only when everything is decided and nothing is rejected (RV9)', () => {
    const model = handedIn();
    act(model, 'ben', { type: 'claim' });
    const may = (more: Partial<Situation>) => mayDo(situationOf(model, 'ben', more), 'approve');
    expect(may({ undecided: 3 })).toBe('3 steps are not decided.');
    expect(may({ rejected: 1 })).toBe('1 item is rejected. Send it back, or fix and accept.');
    expect(may({})).toBeNull();
  });

  test('is not for who demonstrated it, unless the data set allows that', () => {
    const model = handedIn();
    const may = (demonstratorMayReview: boolean) =>
      mayDo(
        situationOf(model, 'ben', {
          demonstrator: 'ben',
          policy: { ...model.policy, demonstratorMayReview },
        }),
        'claim',
      );
    expect(may(false)).toBe('You recorded it, so somebody else reviews it.');
    expect(may(true)).toBeNull();
  });

  test('that was left alone for a day may be put back by others (RV13)', () => {
    const model = handedIn();
    act(model, 'ben', { type: 'claim' });
    const at = Date.parse(model.review.claim!.last);
    const after = (hours: number) => new Date(at + hours * 3_600_000).toISOString();
    const may = (hours: number) => mayDo(situationOf(model, 'cleo', { now: after(hours) }), 'release');
    expect(may(23.9)).toContain('ben is reviewing it');
    expect(may(24)).toBeNull();
  });
});

describe('an adjudication', () => {
  function replicated(reviewAdjudicated: boolean) {
    const model = newModel({ replicas: 2, reviewAdjudicated });
    for (const person of ['ada', 'ben']) {
      write(model, person, 'own');
      act(model, person, { type: 'submit', document: `${RECORDING}~${person}`, version: 2 });
    }
    return model;
  }

  test('begins when all have submitted, and is for somebody else (RV10)', () => {
    const model = replicated(false);
    expect(model.review.state).toBe('annotated');
    expect(mayDo(situationOf(model, 'ada'), 'claim')).toContain('You annotated it yourself');
    expect(act(model, 'cleo', { type: 'claim' })).toBe(true);
    expect(model.review.claim?.role).toBe('adjudicate');
    expect(mayDo(situationOf(model, 'cleo', { unsettled: 2 }), 'approve')).toBe('2 differences are not settled.');
    expect(mayDo(situationOf(model, 'cleo'), 'reject')).toContain('being adjudicated');
    act(model, 'cleo', approve(1));
    expect(model.review.state).toBe('approved');
  });

  test('is reviewed by somebody who took no part when the data set wants that', () => {
    const model = replicated(true);
    act(model, 'cleo', { type: 'claim' });
    act(model, 'cleo', approve(1));
    expect(model.review.state).toBe('annotated');
    for (const person of ['ada', 'ben', 'cleo']) expect(mayDo(situationOf(model, person), 'claim')).not.toBeNull();
    expect(act(model, 'dan', { type: 'claim' })).toBe(true);
    expect(model.review.claim?.role).toBe('review');
    act(model, 'dan', approve(1));
    expect(model.review.state).toBe('approved');
  });

  test('goes on without somebody who never submits, once another has (RV4)', () => {
    const model = newModel({ replicas: 2 });
    for (const person of ['ada', 'ben']) write(model, person, 'own');
    act(model, 'ada', { type: 'submit', document: `${RECORDING}~ada`, version: 2 });
    act(model, 'cleo', { type: 'plan', replicas: 3 });
    write(model, 'cleo', 'own');
    act(model, 'cleo', { type: 'submit', document: `${RECORDING}~cleo`, version: 2 });
    expect(model.review.state).toBe('annotating');
    act(model, 'cleo', { type: 'plan', replicas: 2 });
    expect(model.review.state).toBe('annotated');
    expect(mayDo(situationOf(model, 'dan'), 'claim')).toBeNull();
  });
});

describe('somebody whom nobody knows', () => {
  test('annotates in the one document, but does nothing else', () => {
    const model = newModel();
    const me = { id: 'me', known: false };
    expect(mayWrite(situationOf(model, 'me', { person: me }), RECORDING)).toEqual({ begin: true });
    expect(mayDo(situationOf(model, 'me', { person: me }), 'begin')).toContain('Choose your name');
    const blind = newModel({ replicas: 2 });
    expect(mayWrite(situationOf(blind, 'me', { person: me }), RECORDING)).toContain('Choose your name');
  });
});

describe('an annotation that comes with an imported recording', () => {
  test('is one document, whatever the policy wants of new ones; not once people annotate it blind', () => {
    const model = newModel({ replicas: 2 });
    const imports = () => mayWrite(situationOf(model, 'import', { person: { id: 'import', known: false } }), RECORDING);
    expect(imports()).toEqual({ begin: true });
    write(model, 'ada', 'own');
    expect(imports()).toContain('annotated blind');
  });
});

describe('rejections and comments', () => {
  test('a rejection opens a thread; deciding anew closes it, taking it back undoes it', () => {
    const model = handedIn();
    act(model, 'ben', { type: 'claim' });
    const item = { kind: 'step', action: 's0' } as const;
    const decide = (verdict: 'accept' | 'reject' | null) =>
      act(model, 'ben', { type: 'decide', item, version: 2, verdict, reason: 'unclear', comment: 'Which?' });
    decide('reject');
    const [thread] = [...model.review.threads.values()];
    expect(thread).toMatchObject({ open: true, reason: 'unclear', item, entries: [{ person: 'ben', text: 'Which?' }] });
    decide(null);
    expect([model.review.threads.size, model.review.decisions.size]).toEqual([0, 0]);
    decide('reject');
    decide('accept');
    expect([...model.review.threads.values()]).toMatchObject([{ open: false, resolvedBy: 'ben' }]);
  });

  test('an answer goes into its thread, and a thread is closed and opened again', () => {
    const model = handedIn();
    act(model, 'ben', { type: 'comment', thread: null, pin: PIN, text: 'Why?' });
    const [thread] = [...model.review.threads.keys()];
    act(model, 'ada', { type: 'comment', thread: thread!, pin: PIN, text: 'Because' });
    expect(model.review.threads.get(thread!)?.entries.map(({ text }) => text)).toEqual(['Why?', 'Because']);
    act(model, 'ada', { type: 'resolve', thread: thread! });
    expect(model.review.threads.get(thread!)).toMatchObject({ open: false, resolvedBy: 'ada' });
    act(model, 'ben', { type: 'unresolve', thread: thread! });
    expect(model.review.threads.get(thread!)).toMatchObject({ open: true, resolvedBy: null });
  });
});
