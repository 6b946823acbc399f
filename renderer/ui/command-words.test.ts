import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandWords } from './command-words.ts';

const shown = (text: string): string[] =>
  commandWords(text).map((part) => (part.isCommand ? `<${part.text}>` : part.text));

test('what stands between backticks is a command, and the backticks are not shown', () => {
  expect(shown('Attach one: `tasks attach T_1 FILE`, or its page.')).toEqual([
    'Attach one: ',
    '<tasks attach T_1 FILE>',
    ', or its page.',
  ]);
  expect(shown('`npm start`')).toEqual(['<npm start>']);
  expect(shown('No command here.')).toEqual(['No command here.']);
});

test('a backtick without its pair stays where it is', () => {
  expect(shown('The file a`b.png is missing.')).toEqual(['The file a`b.png is missing.']);
  expect(shown('`init` of a`b.')).toEqual(['<init>', ' of a`b.']);
});

test('no letter of the words is lost (law)', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '`') }), (text) => {
      const joined = commandWords(text)
        .map(({ text: part }) => part)
        .join('');
      expect(joined.replaceAll('`', '')).toBe(text.replaceAll('`', ''));
    }),
  );
});
