import { expect, test } from 'vitest';
import { parseRunFilter } from './run-filter.ts';

test('runs in words: what excludes each other is refused, and what is none of them', () => {
  expect(parseRunFilter('--only', 'all')).toEqual({});
  expect(parseRunFilter('--only', 'alone, succeeded,agent=minimal,agent=direct,task=GIMP_1')).toEqual({
    help: 'alone',
    outcome: 'succeeded',
    agents: ['minimal', 'direct'],
    tasks: ['GIMP_1'],
  });
  expect(() => parseRunFilter('--only', 'alone,helped')).toThrow(/Leave "helped" or the other out/);
  expect(() => parseRunFilter('--runs', 'mine')).toThrow(/--runs "mine" should be all, or some of these/);
});
