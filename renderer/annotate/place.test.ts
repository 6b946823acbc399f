import { expect, test } from 'vitest';
import { stepOfPart } from './place.ts';

test('an address names a step by its number; another word, or a step that is not there, names none', () => {
  expect(stepOfPart('1', 3)).toBe(0);
  expect(stepOfPart('3', 3)).toBe(2);
  for (const part of ['0', '4', '-1', '1.5', '2e0', 'x', '', ' 1', null, undefined]) {
    expect(stepOfPart(part, 3)).toBeNull();
  }
});
