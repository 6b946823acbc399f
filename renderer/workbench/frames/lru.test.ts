import { expect, test } from 'vitest';
import { makeLru } from './lru.ts';

test('what was used longest ago leaves first', () => {
  const dropped: string[] = [];
  const lru = makeLru<string>(3, (value) => dropped.push(value));
  lru.put(1, 'a', 1);
  lru.put(2, 'b', 1);
  lru.put(3, 'c', 1);
  lru.get(1);
  lru.put(4, 'd', 1);
  expect(dropped).toEqual(['b']);
  expect(lru.has(1)).toBe(true);
});

test('weight counts, and the newest stays even when too heavy', () => {
  const dropped: string[] = [];
  const lru = makeLru<string>(10, (value) => dropped.push(value));
  lru.put(1, 'small', 4);
  lru.put(2, 'huge', 50);
  expect(dropped).toEqual(['small']);
  expect(lru.get(2)).toBe('huge');
  expect(lru.weight).toBe(50);
});

test('a key put again drops its old value once', () => {
  const dropped: string[] = [];
  const lru = makeLru<string>(10, (value) => dropped.push(value));
  lru.put(1, 'old', 4);
  lru.put(1, 'new', 5);
  expect(dropped).toEqual(['old']);
  expect(lru.weight).toBe(5);
  lru.clear();
  expect(dropped).toEqual(['old', 'new']);
  expect(lru.size).toBe(0);
});
