import { expect, it } from 'vitest';
import { keptPerson } from './kept-person.ts';

it('nobody is chosen until somebody is, and each workspace has its own choice', () => {
  const kept = new Map([['person:w1', 'ana']]);
  const store = { getItem: (key: string) => kept.get(key) ?? null, setItem: () => {}, removeItem: () => {} };
  expect(keptPerson('w1', store)).toBe('ana');
  expect(keptPerson('w2', store)).toBeNull();
});

it('a browser that keeps nothing has nobody chosen', () => {
  const store = {
    getItem: () => {
      throw new DOMException('not allowed', 'SecurityError');
    },
    setItem: () => {},
    removeItem: () => {},
  };
  expect(keptPerson('w1', store)).toBeNull();
});
