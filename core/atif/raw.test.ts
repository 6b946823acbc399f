import fc from 'fast-check';
import { expect, test } from 'vitest';
import { edited, memberOf, rawValue, setMember } from './raw.ts';

test('a value in a text is found with its own bytes', () => {
  const text = '{ "b" : 1.50 , "2":[1e400,{"x":12345678901234567890}],"1": "\\u00e9" }';
  const raw = rawValue(text);
  const cut = (key: string) => {
    const { from, to } = memberOf(raw, key)!;
    return text.slice(from, to);
  };
  expect(raw.members!.map(({ key }) => key)).toEqual(['b', '2', '1']);
  expect(['b', '2', '1'].map(cut)).toEqual(['1.50', '[1e400,{"x":12345678901234567890}]', '"\\u00e9"']);
  expect(memberOf(raw, 'c')).toBeUndefined();
});

test('a member is set where it is or put last; nothing else changes', () => {
  const set = (text: string) => edited(text, [setMember(rawValue(text), 'a', '[0]')]);
  expect(['{}', '{ }', '{"b": 1.0 }', '{"a" : 1.0 }'].map(set)).toEqual([
    '{"a": [0]}',
    '{ "a": [0]}',
    '{"b": 1.0, "a": [0] }',
    '{"a" : [0] }',
  ]);
  expect(() => setMember(rawValue('[1]'), 'a', '0')).toThrow(RangeError);
});

test('places are those of the parser: each part read by itself is the part of the whole (law)', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(3), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      const same = (raw: ReturnType<typeof rawValue>, value: unknown): void => {
        expect(JSON.parse(text.slice(raw.from, raw.to))).toEqual(value);
        for (const { key, value: inner } of raw.members ?? []) same(inner, Reflect.get(Object(value), key));
        for (const [at, inner] of (raw.items ?? []).entries()) same(inner, Reflect.get(Object(value), at));
      };
      same(rawValue(text), JSON.parse(text));
    }),
  );
});

test('what is no JSON is refused, never read for ever (law)', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', 'a', '1', ' ') }), (text) => {
      try {
        JSON.parse(text);
      } catch {
        try {
          rawValue(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxError);
        }
      }
    }),
  );
});
