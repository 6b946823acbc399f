import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { piecesReplaced, replaced } from './replaced.ts';

const secret = (value: string, by = '…') => ({ value, by, secret: true });

describe('several values of one text', () => {
  test('one that begins or ends like another leaves nothing of it, in whatever order they come', () => {
    for (const secrets of [
      [secret('F#$$'), secret('F#$$%#$')],
      [secret('F#$$%#$'), secret('F#$$')],
      [secret('%#$'), secret('F#$$%#$')],
    ])
      expect(replaced('as F#$$%#$, please', secrets)).toBe('as …, please');
  });

  test('secrets that overlap in the text go as one, by the longest', () => {
    expect(replaced('<abcdef>', [secret('abc', '1'), secret('cdef', '2')])).toBe('<2>');
    expect(replaced('<ababab>', [secret('abab')])).toBe('<…>');
    expect(replaced('<abcabc>', [secret('abc')])).toBe('<……>');
  });

  test('what was put in is not looked into again', () => {
    expect(
      replaced('a to b', [
        { value: 'a', by: 'b' },
        { value: 'b', by: 'a' },
      ]),
    ).toBe('b to a');
    expect(replaced('(/w/x.jsonl)', [{ value: '/w/x.jsonl', by: "$& costs $'5" }])).toBe("($& costs $'5)");
  });

  test('what is no secret is replaced where it stands, the longest first, the rest of an overlap stays', () => {
    const of = (value: string) => ({ value, by: `{${value.length}}`, alone: true });
    expect(replaced('12 of 12-50, 120', [of('12'), of('12-50')])).toBe('{2} of {5}, 120');
    expect(replaced('1-22-3', [of('1-22'), of('22-3')])).toBe('{4}-3');
  });

  const overlapping = fc.string({ unit: fc.constantFrom('a', 'b', '$', '&'), minLength: 1, maxLength: 5 });
  test('no character of a secret is left wherever it stood, and all others are', () => {
    fc.assert(
      fc.property(
        fc.array(overlapping, { maxLength: 4 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '$', '&'), maxLength: 20 }),
        (values, text) => {
          const pieces = piecesReplaced(
            text,
            values.map((value) => secret(value, '*')),
          );
          const left = [...text].filter((_, at) =>
            values.every((value) => {
              for (let from = text.indexOf(value); from >= 0; from = text.indexOf(value, from + 1))
                if (at >= from && at < from + value.length) return false;
              return true;
            }),
          );
          expect(pieces.map((one) => ('by' in one ? '' : one.text)).join('')).toBe(left.join(''));
        },
      ),
    );
  });
});
