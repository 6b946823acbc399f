import { describe, expect, test } from 'vitest';
import { countTests, durationLines, failureLines, sumCounts } from './count-tests.mjs';

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

  test('a run without a report counts as a failure, whatever it said', () => {
    expect(countTests(null, 0)).toEqual({ passed: 0, failed: 1 });
  });

  test('several runs are summed', () => {
    const counts = [
      { passed: 2, failed: 0 },
      { passed: 3, failed: 1 },
    ];
    expect(sumCounts(counts)).toEqual({ passed: 5, failed: 1 });
  });
});

test('failed tests are named with the beginning of their error, files that could not be loaded with theirs', () => {
  const report = {
    testResults: [
      {
        name: '/here/a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'sums' },
          {
            status: 'failed',
            fullName: 'the list is short',
            failureMessages: ['\u001b[31mAssertionError\u001b[39m: 2\n\n  at a'],
          },
        ],
      },
      { name: '/here/b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    ],
  };
  expect(failureLines(report, '/here')).toEqual([
    'a.test.ts > the list is short',
    '    AssertionError: 2',
    '    at a',
    "    again: npm run test:one -- a.test.ts -t 'the list is short'",
    'b.test.ts',
    '    Cannot find module',
    '    again: npm run test:one -- b.test.ts',
  ]);
  expect(failureLines(null)).toEqual([]);
  const crashed = { testResults: [{ name: '/here/c.test.ts', status: 'failed', message: '', assertionResults: [] }] };
  expect(failureLines(crashed, '/here', ['Error: a worker ended\nCaused by: SIGSEGV'])).toEqual([
    'c.test.ts',
    '    It did not come to its end.',
    '    again: npm run test:one -- c.test.ts',
    'Outside of tests:',
    '    Error: a worker ended',
    '    Caused by: SIGSEGV',
  ]);
});

test('the slowest files come first, with the time of each project', () => {
  const files = [
    { file: 'a.test.ts', project: 'unit', ms: 900 },
    { file: 'b.e2e.ts', project: 'e2e', ms: 83_400 },
    { file: 'c.test.ts', project: 'unit', ms: 2000 },
  ];
  const projects = [
    { name: 'unit', ms: 2500 },
    { name: 'e2e', ms: 90_000 },
  ];
  expect(durationLines({ files, projects }, 2)).toEqual([
    'The 2 slowest files:',
    '    1 min 23 s  b.e2e.ts',
    '         2.0 s  c.test.ts',
    'Time by project: unit 2.5 s, e2e 1 min 30 s',
  ]);
});
