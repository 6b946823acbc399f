import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';

test('fields stand in one order, without spaces, and undefined ones are left out', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 'ü' }], a: undefined, A: true })).toBe(
    '{"A":true,"b":[1,{"c":"ü","d":null}]}',
  );
});

test('what it writes is read back as the same value, and is the same whatever the order of fields', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test('numbers that JSON does not have are refused', () => {
  expect(() => canonicalJson({ a: Number.NaN })).toThrow('NaN');
});
