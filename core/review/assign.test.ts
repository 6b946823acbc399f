import { describe, expect, test } from 'vitest';
import type { ReviewAct } from '../../schemas/review.ts';
import { act, type Model, newModel, RECORDING, situationOf, write } from './model-for-tests.ts';
import { type QueueEntry, queueOf } from './queue.ts';
import { mayDo, mayWrite, unfitFor } from './rules.ts';

const assign = (model: Model, to: string[], more: Partial<Extract<ReviewAct, { type: 'assign' }>> = {}): boolean =>
  act(model, 'mia', { type: 'assign', work: 'annotate', to, due: null, ...more });

const entry = (name: string, model: Model, person: string): QueueEntry => ({
  situation: { ...situationOf(model, person), recording: name },
  task: 'GIMP_1',
  software: 'gimp',
  goal: 'Crop',
  startedAt: '2026-01-01T00:00:00.000Z',
  agreement: null,
});
const queue = (person: string, all: Readonly<Record<string, Model>>) =>
  queueOf(Object.entries(all).map(([name, model]) => entry(name, model, person)));

function assigned(to: string[], more: Parameters<typeof assign>[2] = {}): Model {
  const model = newModel();
  assign(model, to, more);
  return model;
}
function handedIn(to: string[]): Model {
  const model = newModel();
  write(model, 'ben', 'own');
  act(model, 'ben', { type: 'submit', document: RECORDING, version: 2 });
  assign(model, to, { work: 'review' });
  return model;
}

describe('an assignment (RV15)', () => {
  test('stands until another of the same work takes its place; nobody named takes it back', () => {
    const model = assigned(['ada'], { due: '2026-12-05' });
    assign(model, ['cleo'], { work: 'review' });
    expect(model.review.assigned).toMatchObject({
      annotate: { people: ['ada'], due: '2026-12-05', by: 'mia' },
      review: { people: ['cleo'], due: null, by: 'mia' },
    });
    expect(model.review.state).toBe('recorded');
    assign(model, []);
    expect(model.review.assigned.annotate).toBeNull();
    expect(model.review.assigned.review?.people).toEqual(['cleo']);
  });

  test('comes first in the queue of who has it, by its day, and last in the queues of others', () => {
    const all = {
      new: newModel(),
      'of ben': assigned(['ben']),
      later: assigned(['ada'], { due: '2026-12-09' }),
      undated: assigned(['ada']),
      sooner: assigned(['ada'], { due: '2026-12-02' }),
      'to review': handedIn(['ada']),
    };
    expect(queue('ada', all).map(({ recording, assigned: mine, others }) => [recording, mine?.due, others])).toEqual([
      ['sooner', '2026-12-02', undefined],
      ['later', '2026-12-09', undefined],
      ['to review', null, undefined],
      ['undated', null, undefined],
      ['new', undefined, undefined],
      ['of ben', undefined, ['ben']],
    ]);
    expect(queue('cleo', { 'to review': all['to review'] }).map(({ kind, others }) => [kind, others])).toEqual([
      ['review', ['ada']],
    ]);
  });

  test('is no claim: somebody else may begin it, unless the data set leaves it to whom it is assigned to', () => {
    const open = assigned(['ada']);
    expect(mayDo(situationOf(open, 'ben'), 'begin')).toBeNull();
    expect(write(open, 'ben', 'own')).toBe(true);

    const left = newModel({ assignedOnly: true });
    expect(mayDo(situationOf(left, 'ben'), 'begin')).toBeNull();
    assign(left, ['ada']);
    const refused = 'It is assigned to ada, and only who it is assigned to does it.';
    expect(mayDo(situationOf(left, 'ben'), 'begin')).toBe(refused);
    expect(mayWrite(situationOf(left, 'ben'), RECORDING)).toBe(refused);
    expect(mayWrite(situationOf(left, 'import'), RECORDING)).toEqual({ begin: true });
    expect(queue('ben', { left })).toEqual([]);
    expect(write(left, 'ada', 'own')).toBe(true);
    // Whoever has begun goes on, whatever is assigned since.
    assign(left, ['cleo']);
    expect(write(left, 'ada', 'own')).toBe(true);
    expect(write(left, 'ben', 'own')).toBe(false);
    expect(queue('cleo', { left }).map(({ kind }) => kind)).toEqual(['annotate']);
  });

  test('of a review and of blind work is left to them as well', () => {
    const review = newModel({ assignedOnly: true });
    write(review, 'ben', 'own');
    act(review, 'ben', { type: 'submit', document: RECORDING, version: 2 });
    assign(review, ['ada'], { work: 'review' });
    expect(mayDo(situationOf(review, 'cleo'), 'claim')).toContain('assigned to ada');
    expect(mayDo(situationOf(review, 'ada'), 'claim')).toBeNull();

    const blind = newModel({ replicas: 2, assignedOnly: true });
    assign(blind, ['ada', 'ben']);
    expect(write(blind, 'cleo', 'own')).toBe(false);
    expect([write(blind, 'ada', 'own'), write(blind, 'ben', 'own')]).toEqual([true, true]);
    expect(blind.review.replicas).toBe(2);
  });

  test('gives nobody their own work to review', () => {
    const model = assigned(['ada']);
    expect(unfitFor(situationOf(model, 'mia'), 'review', 'ada')).toContain('nobody reviews their own work');
    expect(unfitFor(situationOf(model, 'mia'), 'review', 'cleo')).toBeNull();
    expect(unfitFor(situationOf(model, 'mia', { demonstrator: 'cleo' }), 'review', 'cleo')).toContain('recorded it');
    expect(unfitFor(situationOf(handedIn([]), 'mia'), 'review', 'ben')).toContain('took part in it');
    // Of blind work nothing is said of who took part in it.
    const blind = newModel({ replicas: 2 });
    write(blind, 'ben', 'own');
    expect(unfitFor(situationOf(blind, 'mia'), 'review', 'ben')).toBeNull();
  });

  test('waits for no approved recording', () => {
    const model = handedIn([]);
    act(model, 'ada', { type: 'claim' });
    act(model, 'ada', { type: 'verdict', verdict: 'approve', version: 2, reasons: [], comment: '' });
    expect(assign(model, ['cleo'])).toBe(false);
  });
});

test('managers alone plan and assign where the rules name some (RV16)', () => {
  const model = newModel({ managers: ['mia'] });
  expect(mayDo(situationOf(model, 'ada'), 'assign')).toBe('mia plans and assigns work here.');
  expect(mayDo(situationOf(model, 'ada'), 'plan')).toBe('mia plans and assigns work here.');
  expect(mayDo(situationOf(model, 'mia'), 'plan')).toBeNull();
  expect(assign(model, ['ada'])).toBe(true);
});
