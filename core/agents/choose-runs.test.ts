import { expect, test } from 'vitest';
import { type RunFacts, runMatcher } from './choose-runs.ts';

const run = (more: Partial<RunFacts>): RunFacts => ({
  task: 'T_1',
  agent: 'minimal+high',
  model: 'm',
  how: 'done',
  passed: true,
  helped: 0,
  ...more,
});

test('without a condition every run fits; each condition is asked for by itself and all of them together', () => {
  expect(runMatcher({})(run({}))).toBe(true);
  expect(runMatcher({ help: 'alone' })(run({ helped: 1 }))).toBe(false);
  expect(runMatcher({ help: 'helped' })(run({ helped: 2 }))).toBe(true);
  expect(runMatcher({ help: 'alone' })(run({ agent: 'human' }))).toBe(false);
  expect(runMatcher({ outcome: 'silent-wrong' })(run({ passed: false, how: 'lost' }))).toBe(false);
  expect(runMatcher({ outcome: 'silent-wrong' })(run({ passed: false }))).toBe(true);
  expect(runMatcher({ outcome: 'failed', help: 'alone' })(run({ passed: false, helped: 1 }))).toBe(false);
  expect(runMatcher({ agents: ['minimal'], tasks: ['T_1'] })(run({}))).toBe(true);
  expect(runMatcher({ agents: ['minimal+high,mid'] })(run({}))).toBe(false);
  expect(runMatcher({ models: ['n'] })(run({}))).toBe(false);
});
