import fc from 'fast-check';
import { expect, test } from 'vitest';
import { whyTooMuch, whyTooMuchSoFar } from './json-depth.ts';

test('a text in pieces is as much as the whole, wherever it is cut', () => {
  const signs = fc.array(fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'a', ':', ' '), { maxLength: 60 });
  fc.assert(
    fc.property(signs, fc.array(fc.nat(6), { maxLength: 30 }), (all, cuts) => {
      const text = all.join('');
      const look = whyTooMuchSoFar(8, 3);
      let why: string | null = null;
      let rest = text;
      for (const length of [...cuts, text.length]) {
        why ??= look(rest.slice(0, length));
        rest = rest.slice(length);
      }
      expect(why).toBe(whyTooMuchSoFar(8, 3)(text));
    }),
  );
});

test('what is within texts counts nothing, also behind a backslash', () => {
  expect(whyTooMuch(`"${'[,{'.repeat(400)}"`, 10)).toBeNull();
  expect(whyTooMuch(`"${'\\"[,'.repeat(400)}"`, 10)).toBeNull();
  expect(whyTooMuch(`["a\\\\",${'[],'.repeat(400)}1]`, 10)).toBe('it holds more than 10 values');
  expect(whyTooMuch('['.repeat(400))).toBe('values lie more than 100 deep in each other');
});
