import { expect, test } from 'vitest';
import { keptQueue, type TabStore } from './kept-queue.ts';

function tab(): TabStore {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}
const numbers = (kept: unknown): number[] => {
  if (!Array.isArray(kept) || !kept.every((one) => typeof one === 'number')) throw new Error('no numbers');
  return kept;
};

test('what waits is there again for the next page of the tab, under its own key', () => {
  const store = tab();
  expect(keptQueue(store, 'one', numbers).save([1, 2])).toBe(true);
  expect(keptQueue(store, 'one', numbers).load()).toEqual([1, 2]);
  expect(keptQueue(store, 'other', numbers).load()).toEqual([]);
});

test('nothing is left in the tab when nothing waits', () => {
  const store = tab();
  const queue = keptQueue(store, 'one', numbers);
  queue.save([1]);
  queue.save([]);
  expect(store.getItem('one')).toBeNull();
});

test('what cannot be read, or is no queue, is passed over', () => {
  const store = tab();
  for (const damage of ['[1,', '["a"]', '{}', 'null']) {
    store.setItem('one', damage);
    expect(keptQueue(store, 'one', numbers).load()).toEqual([]);
  }
});

test('a browser without room is told, not thrown', () => {
  const full = {
    ...tab(),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  expect(keptQueue(full, 'one', numbers).save([1])).toBe(false);
});
