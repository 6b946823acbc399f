/**
 * Passed and failed tests of a vitest JSON report. A file that failed without a failed test (it could not be loaded, a
 * hook failed) counts one; so does a run that ended with a status other than 0 while nothing else failed (an error
 * outside of tests).
 */
export function countTests(report, status) {
  let passed = 0;
  let failed = 0;
  for (const file of report.testResults) {
    const count = (wanted) => file.assertionResults.filter((one) => one.status === wanted).length;
    passed += count('passed');
    failed += count('failed');
    if (file.status === 'failed' && count('failed') === 0) failed += 1;
  }
  if (status !== 0 && failed === 0) failed = 1;
  return { passed, failed };
}
