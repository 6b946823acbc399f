import { expect, test } from 'vitest';
import type { AnnotationRecord, StoredTransaction } from '../../../schemas/annotation.ts';
import { documentRefusal } from '../../client/refusal.ts';
import { memoryStorage } from './memory-for-tests.ts';
import { enqueue, pendingOf, receive, replaceServer } from './pending.ts';
import { queueCheck, queueStorage } from './storage.ts';

const goal = (text: string): AnnotationRecord => ({ kind: 'goal', id: 'goal', text });
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const change = (n: number, from: string, to: string) => ({
  id: uuid(n),
  label: 'Set goal',
  changes: [{ op: 'change' as const, before: goal(from), after: goal(to) }],
});
const stored = (version: number, from: string, to: string): StoredTransaction => ({
  ...change(version, from, to),
  version,
  person: 'me',
  at: '2026-01-01T00:00:00.000Z',
  undoes: null,
  redoes: null,
});
const document = (version: number, text: string) => ({
  recording: 'r',
  version,
  records: [goal(text)],
  undo: null,
  redo: null,
});

test('transactions that overtake each other count in the order of their versions', () => {
  let state = pendingOf(document(0, 'a'), []);
  state = receive(state, stored(2, 'b', 'c'));
  expect(state.version).toBe(0);
  state = receive(state, stored(2, 'b', 'c'));
  state = receive(state, stored(1, 'a', 'b'));
  expect(state.version).toBe(2);
  expect(state.view.get('goal')).toEqual(goal('c'));
  expect(state.early).toEqual([]);
});

test('a transaction told again changes nothing', () => {
  const state = receive(pendingOf(document(0, 'a'), []), stored(1, 'a', 'b'));
  expect(receive(state, stored(1, 'a', 'b'))).toBe(state);
});

test('a waiting gesture that no longer fits is not shown over what others did', () => {
  const waiting = enqueue(pendingOf(document(0, 'a'), []), { kind: 'tx', tx: change(9, 'a', 'mine'), acked: null });
  const state = receive(waiting, stored(1, 'a', 'theirs'));
  expect(state.view.get('goal')).toEqual(goal('theirs'));
  expect(state.queue).toHaveLength(1);
});

test('the state read again takes out what it already holds', () => {
  const waiting = enqueue(pendingOf(document(0, 'a'), []), { kind: 'tx', tx: change(9, 'a', 'b'), acked: 1 });
  const state = replaceServer(waiting, document(1, 'b'));
  expect(state.queue).toEqual([]);
  expect(state.view.get('goal')).toEqual(goal('b'));
});

test('an older state read late is not taken', () => {
  const state = receive(pendingOf(document(0, 'a'), []), stored(1, 'a', 'b'));
  expect(replaceServer(state, document(0, 'a'))).toBe(state);
});

test('what waits comes back out of storage as it went in, and damage in it is passed over', async () => {
  const store = memoryStorage();
  expect(await queueCheck(store, 'w', 'r')).toBeNull();
  const kept = queueStorage(store, 'w', 'r', null);
  const queue = [{ kind: 'tx' as const, tx: change(1, 'a', 'b'), acked: null }];
  kept.save(queue);
  const check = await queueCheck(store, 'w', 'r');
  expect(queueStorage(store, 'w', 'r', check).load()).toEqual(queue);
  expect(queueStorage(store, 'w', 'other', check).load()).toEqual([]);
  for (const damage of ['[{"kind":"tx"', '[{"kind":"tx"}]', '{}']) {
    store.setItem('annotate:queue:w:r', damage);
    expect(queueStorage(store, 'w', 'r', check).load()).toEqual([]);
  }
});

test.each<[unknown, string]>([
  [new TypeError('Failed to fetch'), 'retry'],
  [Object.assign(new Error('changed'), { code: 'CONFLICT' }), 'conflict'],
  [Object.assign(new Error('Conflict'), { code: 'X', data: { code: 'CONFLICT', message: 'm' } }), 'conflict'],
  [Object.assign(new Error('full'), { code: 'DISK_FULL' }), 'retry'],
  [Object.assign(new Error('who'), { code: 'FORBIDDEN' }), 'retry'],
  [Object.assign(new Error('bad'), { code: 'USAGE' }), 'refused'],
  [Object.assign(new Error('bad'), { code: 'BAD_REQUEST' }), 'refused'],
  [Object.assign(new Error('oh'), { code: 'INTERNAL' }), 'defect'],
])('%o: %s', (error, what) => {
  expect(documentRefusal(error).what).toBe(what);
});
