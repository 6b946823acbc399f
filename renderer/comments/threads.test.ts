import { expect, it } from 'vitest';
import { begun } from '../../core/annotate/gestures-for-tests.ts';
import { stepsFrom } from '../../core/annotate/steps-for-tests.ts';
import { viewDocument } from '../../core/annotate/view.ts';
import type { Thread } from '../../schemas/api/review-models.ts';
import type { ReviewItem } from '../../schemas/review.ts';
import { aspectsOf } from '../review/items.ts';
import { type Boxes, boxesOf, itemOfReason, reasonsFor } from '../review/reasons.ts';
import { REASONS } from '../ui/reasons.ts';
import { nextOpenThread, numbered } from './threads.ts';
import { pinWords } from './words.ts';

const steps = stepsFrom(3);
const where = { opened: { steps, span: { start: 0, end: 9e6 } }, doc: viewDocument(steps, begun(steps)) };
const thread = (id: string, pin: Partial<Thread['pin']>, more: Partial<Thread> = {}): Thread => ({
  id,
  pin: { action: null, role: null, place: null, t: null, ...pin },
  item: null,
  reason: null,
  open: true,
  resolvedBy: null,
  entries: [{ event: id, person: 'ben', at: '2026-01-01T00:00:00.000Z', text: 'A word' }],
  ...more,
});

it('comments are numbered in the order of the recording, by step or by time', () => {
  const list = numbered(
    [thread('last', { action: 's2' }), thread('timed', { t: 2_100_000 }), thread('whole', {})],
    where,
  );
  expect(list.map(({ thread: { id }, number, at }) => [id, number, at])).toEqual([
    ['whole', 1, -1],
    ['timed', 2, 1],
    ['last', 3, 2],
  ]);
});

it('the next unresolved is the one at the step in hand, then each further one, then again from the start', () => {
  const list = numbered(
    [thread('a', { action: 's0' }), thread('b', { action: 's1' }, { open: false }), thread('c', { action: 's2' })],
    where,
  );
  const from = (at: number, current: string | null) => nextOpenThread(list, at, current)?.thread.id;
  expect([from(0, null), from(1, null), from(0, 'a'), from(2, 'c')]).toEqual(['a', 'c', 'c', 'a']);
  expect(nextOpenThread([], 0, null)).toBeNull();
});

it('says where a comment is pinned', () => {
  const box: ReviewItem = { kind: 'box', action: 's1' };
  expect(pinWords({ pin: thread('x', {}).pin, item: box }, where)).toBe('Step 2, box');
  expect(pinWords(thread('x', { action: 's0', role: 'after', place: [3, 4] }), where)).toBe(
    'Step 1 · at 3, 4 after it',
  );
  expect(pinWords(thread('x', {}), where)).toBe('The whole recording');
});

it('a reason speaks of the part that it names, and only fitting ones are offered', () => {
  const step: ReviewItem = { kind: 'step', action: 's0' };
  const loose = REASONS.find(({ reason }) => reason === 'loose-box')!;
  expect(itemOfReason(step, loose)).toEqual({ kind: 'box', action: 's0' });
  const offered = (item: ReviewItem, removed = false, boxes: Boxes = 'all') =>
    reasonsFor(item, { aspects: aspectsOf({ step: steps[0]!, removal: null }), removed, boxes }).map(
      ({ reason }) => reason,
    );
  expect(offered(step)).not.toContain('wrong-text');
  expect(offered(step)).not.toContain('should-be-kept');
  expect(offered({ kind: 'removal', action: 's0' }, true)).toContain('should-be-kept');
  expect(offered({ kind: 'title', subtask: 's0' })).toEqual(['wrong-title', 'private', 'unclear', 'other']);
  expect(offered({ kind: 'box', action: 's0' })).toEqual(['wrong-box', 'loose-box', 'private', 'unclear', 'other']);
});

it('a box that is missing is the first reason, and nothing else is said of it', () => {
  const aspects = aspectsOf({ step: steps[0]!, removal: null });
  const offered = (item: ReviewItem, boxes: Boxes) =>
    reasonsFor(item, { aspects, removed: false, boxes }).map(({ reason }) => reason);
  const box: ReviewItem = { kind: 'box', action: 's0' };
  expect(offered(box, 'none')).toEqual(['missing-box', 'private', 'unclear', 'other']);
  expect(offered(box, 'one').slice(0, 3)).toEqual(['missing-box', 'wrong-box', 'loose-box']);
  expect(offered({ kind: 'step', action: 's0' }, 'none').slice(0, 2)).toEqual(['missing-box', 'wrong-element']);
  expect(offered({ kind: 'step', action: 's0' }, 'none')).not.toContain('loose-box');
  const drag = { step: { ...steps[0]!, kind: 'drag' as const }, target: null, end: null };
  expect(boxesOf(drag)).toBe('none');
});

it('each reason has a letter of its own', () => {
  expect(new Set(REASONS.map(({ key }) => key)).size).toBe(REASONS.length);
});
