import { describe, expect, it } from 'vitest';
import { applyChanges, type Records } from '../../core/annotate/document.ts';
import { moveEdge, nameElement, removeSteps, setBox, setGoal, setTitle } from '../../core/annotate/edit.ts';
import { begun } from '../../core/annotate/gestures-for-tests.ts';
import { stepsFrom } from '../../core/annotate/steps-for-tests.ts';
import { viewDocument } from '../../core/annotate/view.ts';
import { itemKey } from '../../core/review/items.ts';
import type { Change, StoredTransaction } from '../../schemas/annotation.ts';
import type { Decision } from '../../schemas/api/review-models.ts';
import type { ReviewItem } from '../../schemas/review.ts';
import { documentAsHandedIn, isFixed } from '../workbench/log/fixes.ts';
import { type Judged, nextUndecided, placeNow, placesOf, reviewProgress, statesOf } from './items.ts';

const steps = stepsFrom(4);
const records = begun(steps, [2_500_000]);
const second = [...records.values()].find((one) => one.kind === 'subtask' && one.first === 's2')?.id ?? '';
const doc = viewDocument(steps, records);
const step = (action: string): ReviewItem => ({ kind: 'step', action });

let n = 0;
const decision = (item: ReviewItem, more: Partial<Decision> = {}): Decision => ({
  event: `e${++n}`,
  item,
  person: 'ben',
  at: `2026-01-01T00:00:${String(n % 60).padStart(2, '0')}.000Z`,
  verdict: 'accept',
  reason: null,
  comment: '',
  version: 3,
  stale: false,
  round: 1,
  ...more,
});
const judged = (decisions: Decision[], now: Records = records, round = 1): Judged => ({
  review: { decisions, round },
  handedIn: records,
  now,
});

it('a reviewer goes through the goal, then each subtask’s beginning and title, then its steps', () => {
  expect(placesOf(doc).map(({ item }) => itemKey(item))).toEqual([
    'goal',
    'title:s0',
    ...['step:s0', 'step:s1'],
    ...['edge:s2', 'title:s2'],
    ...['step:s2', 'step:s3'],
  ]);
});

it('a removed step is decided on as its removal', () => {
  const now = applyChanges(records, removeSteps(records, ['s1'], 'mistake', ''));
  const keys = placesOf(viewDocument(steps, now)).map(({ item }) => itemKey(item));
  expect(keys).toContain('removal:s1');
  expect(keys).not.toContain('step:s1');
});

it('the place in hand is the stop, else the step', () => {
  const places = placesOf(doc);
  expect(placeNow(places, 2, null)).toBe(6);
  expect(placeNow(places, 2, { kind: 'edge', subtask: 1 })).toBe(4);
  expect(placeNow(places, 0, { kind: 'goal' })).toBe(0);
});

describe('what was decided', () => {
  it('is undecided without a decision, and as decided with one', () => {
    const state = statesOf(judged([decision(step('s0'))]));
    expect(state(step('s0')).state).toBe('accepted');
    expect(state(step('s1')).state).toBe('undecided');
  });

  it('is asked again when somebody else has changed it since', () => {
    expect(statesOf(judged([decision(step('s0'), { stale: true })]))(step('s0')).state).toBe('again');
  });

  it('is asked again when it was rejected in an earlier round, and stays when it was accepted there', () => {
    const earlier = [decision(step('s0')), decision(step('s1'), { verdict: 'reject', reason: 'unclear' })];
    const state = statesOf(judged(earlier, records, 2));
    expect([state(step('s0')).state, state(step('s1')).state]).toEqual(['accepted', 'again']);
  });

  it('of a step is a rejection when one thing said of it is rejected', () => {
    const box: ReviewItem = { kind: 'box', action: 's0' };
    const state = statesOf(judged([decision(step('s0')), decision(box, { verdict: 'reject', reason: 'loose-box' })]));
    expect(state(step('s0')).state).toBe('rejected');
  });

  it('is no rejection any more when what was rejected was put right and accepted with its step', () => {
    const box: ReviewItem = { kind: 'box', action: 's0' };
    const fixed = applyChanges(
      records,
      setBox(records, 's0', 'target', { x: 1, y: 2, width: 3, height: 4 }, 'hand', 1),
    );
    const decisions = [
      decision(box, { verdict: 'reject', reason: 'loose-box' }),
      decision(step('s0'), { verdict: 'fixed' }),
    ];
    expect(statesOf(judged(decisions, fixed))(step('s0')).state).toBe('fixed');
  });

  it('wants another decision when the reviewer has changed it after accepting it, or has undone a fix', () => {
    const fixed = applyChanges(records, nameElement(records, 's0', 'Save', 'hand'));
    expect(statesOf(judged([decision(step('s0'))], fixed))(step('s0')).state).toBe('undecided');
    expect(statesOf(judged([decision(step('s0'), { verdict: 'fixed' })]))(step('s0')).state).toBe('undecided');
  });
});

it('the next undecided is looked for to the end and then from the start, and -1 when all is decided', () => {
  const places = placesOf(doc);
  const some = statesOf(judged([decision(step('s2')), decision(step('s3'))]));
  expect(nextUndecided(places, some, 5)).toBe(0);
  const all = statesOf(judged(places.map(({ item }) => decision(item))));
  expect(nextUndecided(places, all, 3)).toBe(-1);
  expect(reviewProgress(places, all)).toEqual({ total: 8, decided: 8, rejected: 0 });
});

describe('what a reviewer fixed', () => {
  const fixes: readonly [string, ReviewItem, Change[]][] = [
    ['a name', step('s0'), nameElement(records, 's0', 'Save', 'hand')],
    ['a name, as the element', { kind: 'element', action: 's0' }, nameElement(records, 's0', 'Save', 'hand')],
    ['the goal', { kind: 'goal' }, setGoal(records, 'Another')],
    ['a title', { kind: 'title', subtask: 's2' }, setTitle(records, second, 'Paste')],
    ['a beginning', { kind: 'edge', subtask: 's3' }, moveEdge(records, steps, second, 's3')],
    ['a removal', { kind: 'removal', action: 's1' }, removeSteps(records, ['s1'], 'mistake', '')],
  ];
  it.each(fixes)('is told from the document as it was submitted: %s', (_what, item, changes) => {
    expect(isFixed(item, records, applyChanges(records, changes))).toBe(true);
    expect(isFixed(item, records, records)).toBe(false);
  });

  it('is nothing of other steps or parts', () => {
    const now = applyChanges(records, nameElement(records, 's0', 'Save', 'hand'));
    expect(isFixed(step('s1'), records, now)).toBe(false);
    expect(isFixed({ kind: 'box', action: 's0' }, records, now)).toBe(false);
  });

  it('is found by taking back what was written after the submission; null when the history is too short for that', () => {
    const changes = nameElement(records, 's0', 'Save', 'hand');
    const later: StoredTransaction = {
      id: '00000000-0000-4000-8000-000000000001',
      label: 'Name',
      changes,
      version: 4,
      person: 'ben',
      at: '2026-01-01T00:00:00.000Z',
      undoes: null,
      redoes: null,
    };
    const now = applyChanges(records, changes);
    expect(documentAsHandedIn(now, 4, 3, [later])).toEqual(records);
    expect(documentAsHandedIn(now, 5, 3, [later])).toBeNull();
  });
});
