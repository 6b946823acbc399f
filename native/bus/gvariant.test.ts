import { expect, test } from 'vitest';
import { member, parseVariant, quote } from './gvariant.ts';

test('a portal’s answer: typed numbers, variants, tuples, dictionaries', () => {
  const text =
    "(uint32 0, {'streams': <[(uint32 42, {'position': <(-1280, 0)>, 'size': <(1280, 720)>, 'id': <'0'>})]>, 'restore_token': <'a\\'b'>})";
  expect(parseVariant(text)).toEqual([
    0,
    { streams: [[42, { position: [-1280, 0], size: [1280, 720], id: '0' }]], restore_token: "a'b" },
  ]);
});

test.each([
  ["('/org/x',)", ['/org/x']],
  ['(handle 0, true, @a{sv} {})', [0, true, {}]],
  [
    "[('xkb', 'de+nodeadkeys'), ('xkb', 'us')]",
    [
      ['xkb', 'de+nodeadkeys'],
      ['xkb', 'us'],
    ],
  ],
  ['@a(ss) []', []],
  ['(0x1f, -7, 1.5, int64 9223372036854775807)', [31, -7, 1.5, 9223372036854775807n]],
  ['"it\'s \\u00e4\\n"', "it's ä\n"],
  ["b'bytes'", 'bytes'],
  ["(objectpath '/a', signature 'a{sv}', byte 0x05)", ['/a', 'a{sv}', 5]],
  ['(@mu nothing, <<1>>)', [null, 1]],
] as const)('%s', (text, value) => {
  expect(parseVariant(text)).toEqual(value);
});

test('what is no variant is refused, however deep', () => {
  for (const text of ['', '(', "('a'", '{1 2}', "('a',) more", '<'.repeat(500)])
    expect(() => parseVariant(text)).toThrow(SyntaxError);
});

test('a quoted string comes back', () => {
  for (const text of ["it's", 'a\\b', 'two\nlines', '']) expect(parseVariant(quote(text))).toBe(text);
});

test('members of what is no dictionary are undefined', () => {
  expect(member(parseVariant("{'a': <1>}"), 'a')).toBe(1);
  expect(member([1], 'length')).toBeUndefined();
  expect(member(undefined, 'a')).toBeUndefined();
});

test('a number of more digits than any type has, and an escape of no character, are no text', () => {
  expect(() => parseVariant('9'.repeat(1_000_000))).toThrow(SyntaxError);
  for (const text of ["'\\UFFFFFFFF'", "'\\uzzzz'", "'\\u'"]) expect(() => parseVariant(text)).toThrow(SyntaxError);
  expect(parseVariant("'a\\u00e4\\n\\'b'")).toBe("aä\n'b");
  const escapes = 200_000;
  expect(parseVariant(`'${'\\n'.repeat(escapes)}'`)).toBe('\n'.repeat(escapes));
});
