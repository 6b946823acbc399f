import { expect, it } from 'vitest';
import { keepName, keptName, keptPerson } from './kept-person.ts';

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

it('the name that was last worked under is proposed in other workspaces', () => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: () => {},
  };
  expect(keptName(store)).toBe('');
  keepName('Ana', store);
  expect(keptName(store)).toBe('Ana');
});
