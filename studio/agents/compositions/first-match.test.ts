import { expect, test } from 'vitest';
import { firstMatch } from './first-match.ts';

test('a pattern gives its first group, or all that it finds', () => {
  expect(firstMatch('^Meeting (\\S+)$', 'm', 'A\nMeeting 11:30\nB')).toBe('11:30');
  expect(firstMatch('b+', 'i', 'aBBc')).toBe('BB');
  expect(firstMatch('x', '', 'abc')).toBeNull();
  expect(firstMatch('(', '', 'abc')).toBeNull();
});

test('a pattern that never ends is given up', () => {
  expect(firstMatch('^(a+)+$', '', `${'a'.repeat(60)}b`)).toBeNull();
});
