import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * Passed and failed tests of a vitest JSON report. A file that failed without a failed test (it could not be loaded, a
 * hook failed) counts one; so does a run that ended with a status other than 0 while nothing else failed (an error
 * outside of tests), and a run that left no report.
 */
export function countTests(report, status) {
  let passed = 0;
  let failed = 0;
  for (const file of report?.testResults ?? []) {
    const count = (wanted) => file.assertionResults.filter((one) => one.status === wanted).length;
    passed += count('passed');
    failed += count('failed');
    if (file.status === 'failed' && count('failed') === 0) failed += 1;
  }
  if ((status !== 0 || report === null) && failed === 0) failed = 1;
  return { passed, failed };
}

/**
 * The failed tests of a vitest JSON report, each with the first lines of its error and the command that runs it again:
 * `file > test` and what was said. The errors outside of tests follow; a file whose worker crashed has its word there alone.
 */
export function failureLines(report, root = '', errors = []) {
  const lines = [];
  const say = (where, message, again) => {
    const said = stripVTControlCharacters(message ?? '')
      .split('\n')
      .filter((line) => line.trim() !== '');
    lines.push(where, ...said.slice(0, 8).map((line) => `    ${line.trim().slice(0, 1000)}`));
    if (again !== undefined) lines.push(`    again: npm run test:one -- ${again}`);
  };
  for (const file of report?.testResults ?? []) {
    const name = relative(root, file.name ?? '');
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    for (const one of failed)
      say(`${name} > ${one.fullName}`, one.failureMessages?.join('\n'), `${name} -t ${asWord(one.fullName)}`);
    if (file.status === 'failed' && failed.length === 0) say(name, file.message || 'It did not come to its end.', name);
  }
  for (const error of errors) say('Outside of tests:', error);
  return lines;
}

/** A test's name for a shell, as vitest's pattern. */
const asWord = (name) => `'${name.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll("'", '.')}'`;

/** The sum of several runs. */
export function sumCounts(counts) {
  return {
    passed: counts.reduce((sum, one) => sum + one.passed, 0),
    failed: counts.reduce((sum, one) => sum + one.failed, 0),
  };
}

const seconds = (ms) =>
  ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;

/** The slowest files and the time of each project, as lines for a person. */
export function durationLines({ files, projects }, most = 10) {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, most);
  return [
    `The ${slowest.length} slowest files:`,
    ...slowest.map(({ file, ms }) => `${seconds(ms).padStart(14)}  ${file}`),
    `Time by project: ${projects.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}`,
  ];
}
