import { describe, expect, test } from 'vitest';
import { DEFAULT_OPTIONS } from '../../schemas/evaluate.ts';
import { caseOf } from './case-for-tests.ts';
import { TRUTHS } from './hostile-answers-for-tests.ts';
import { scoreCase } from './score-case.ts';

describe('one odd answer is its own loss (M9)', () => {
  const ODD: [name: string, answer: unknown][] = [
    ['names of an object', ['constructor']],
    ['its prototype', ['__proto__']],
    ['a number', 7],
    ['a truth value', true],
    ['mixed lists', [1, 'a', null, [2]]],
    ['an object', { constructor: { prototype: 1 } }],
    ['a sum of 40,000 terms', `x = ${'1+'.repeat(40_000)}1`],
    ['loops in one line', `${'for a in "a": '.repeat(6000)}pass`],
    ['lists in a loop', `for i in range(19000): x = [${'1,'.repeat(40_000)}]`],
    ['lists within lists', JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))],
  ];
  test.each(ODD)('%s', (_, answer) => {
    for (const truth of Object.values(TRUTHS)) {
      const scored = scoreCase(caseOf(truth), answer, DEFAULT_OPTIONS);
      expect(Object.values(scored.scores).every((score) => score === null || score <= 0.5)).toBe(true);
      expect(scored.why).not.toBe('');
      // It can be written to the file of cases.
      expect(() => JSON.stringify(scored)).not.toThrow();
    }
  });

  test('names of objects are keys that nobody knows, not parts of the program', () => {
    const { why, notes } = scoreCase(caseOf(TRUTHS.keys), ['constructor', '__proto__'], DEFAULT_OPTIONS);
    expect([why, notes]).toEqual(['It presses 2 keys, the truth has 2.', []]);
  });
});
