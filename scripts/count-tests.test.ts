import { describe, expect, test } from 'vitest';
import { countTests } from './count-tests.mjs';

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((one) => ({ status: one })),
});

describe('the last line of a test run', () => {
  test('counts passed and failed tests over all files; skipped ones are neither', () => {
    const report = { testResults: [file('passed', 'passed', 'skipped'), file('failed', 'passed', 'failed')] };
    expect(countTests(report, 1)).toEqual({ passed: 2, failed: 1 });
  });

  test('a file that could not be loaded counts as a failure', () => {
    expect(countTests({ testResults: [file('passed', 'passed'), file('failed')] }, 1)).toEqual({
      passed: 1,
      failed: 1,
    });
  });

  test('a run that ended badly with all tests passed counts as a failure', () => {
    expect(countTests({ testResults: [file('passed', 'passed')] }, 1)).toEqual({ passed: 1, failed: 1 });
    expect(countTests({ testResults: [file('passed', 'passed')] }, null)).toEqual({ passed: 1, failed: 1 });
  });
});
