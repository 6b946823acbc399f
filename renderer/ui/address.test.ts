import { expect, it } from 'vitest';
import { decodedPart, isBare, listPart, partsOf, searchWith, sortOfPart, sortPart, valuesOfPart } from './address.ts';

it('reads its own parts of an address and leaves those of others where they are', () => {
  const search = '?document=blind-1&q=make+the+title&state=closed';
  expect(partsOf(search, ['q', 'state', 'stage'])).toEqual({ q: 'make the title', state: 'closed', stage: null });
  expect(searchWith(search, { q: 'ä & b', state: null })).toBe('document=blind-1&q=%C3%A4+%26+b');
  expect(searchWith('', { q: null })).toBe('');
  expect(searchWith('?b=1&a=2', { a: '3', b: '4' })).toBe('a=3&b=4');
});

it('an address that says nothing is bare, also when others said something', () => {
  expect(isBare(partsOf('?document=x', ['q']))).toBe(true);
  expect(isBare(partsOf('?q=', ['q']))).toBe(false);
});

it('lists come back with any letters in them, and with none given', () => {
  for (const values of [['a'], ['a,b', 'c%2C', 'ä ö'], [null, 'train'], ['100 %']]) {
    expect(valuesOfPart(listPart(values) ?? '')).toEqual(values);
  }
  expect(listPart([])).toBeNull();
  expect(listPart(undefined)).toBeNull();
  expect(valuesOfPart('100%')).toEqual(['100%']);
});

it('an order is a word, the first order none, and a word that names no column is the first order', () => {
  const first = { key: 'id' as 'id' | 'goal', descending: false };
  expect([sortPart(first, first), sortPart({ key: 'goal', descending: true }, first)]).toEqual([null, '-goal']);
  expect(sortOfPart('-goal', ['id', 'goal'], first)).toEqual({ key: 'goal', descending: true });
  for (const part of [null, undefined, 'nothing', '-', '']) expect(sortOfPart(part, ['id', 'goal'], first)).toBe(first);
});

it('an address that was mistyped, cut off or made to hurt is read as it stands', () => {
  for (const part of ['%E0%A4%A', '%', '%zz', '<img src=x onerror=alert(1)>', '__proto__'])
    expect(decodedPart(part)).toBe(part);
  expect(decodedPart('a%2Fb%20c')).toBe('a/b c');
  expect(valuesOfPart('%E0%A4%A,ok')).toEqual(['%E0%A4%A', 'ok']);
  // Half of an emoji.
  expect(valuesOfPart(listPart(['a\ud83d']) ?? '')).toEqual(['a\ufffd']);
});
