import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { COMPILE_CACHE } from './compile-cache.mjs';
import { failureLines } from './count-tests.mjs';
import { needNewNode } from './own-node.mjs';

/**
 * Which tests fail now and then: runs test files many times while as many busy processes as there are cores run beside them.
 *
 *     npm run test:flaky                       the test files that changed since main, or are not committed
 *     npm run test:flaky -- test/e2e/play      these, as vitest finds them
 *         --runs 10   how often; --base REV    since when; --no-load   on the machine as it is
 *         --busy 8    beside so many busy processes
 *
 * Prints what failed in each run and why, then how often each test failed, and fails if one did.
 */

needNewNode();
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const TEST_FILE = /\.(test\.tsx?|e2e\.ts)$/;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    runs: { type: 'string', default: '10' },
    base: { type: 'string', default: 'main' },
    load: { type: 'boolean', default: true },
    busy: { type: 'string', default: String(availableParallelism()) },
  },
});
const runs = countOf('runs');
const beside = values.load ? countOf('busy') : 0;
const files = positionals.length > 0 ? positionals : changedFiles();
if (files.length === 0) stop(`No test file has changed since ${values.base}. Name some.`);

const load = Array.from({ length: beside }, busy);
process.on('exit', () => {
  for (const one of load) one.kill('SIGKILL');
});

/** How often each test failed, by `file > name`. */
const failures = new Map();
let tests = 0;
for (let n = 1; n <= runs; n++) {
  const { failed, said } = runOnce();
  for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
  process.stdout.write(`run ${n} of ${runs}: ${failed.length === 0 ? 'all passed' : `${failed.length} failed`}\n`);
  for (const line of said) process.stdout.write(`    ${line}\n`);
}
for (const [name, times] of failures) process.stdout.write(`failed in ${times} of ${runs}: ${name}\n`);
process.stdout.write(`${tests - failures.size} passed, ${failures.size} failed\n`);
process.exit(failures.size > 0 ? 1 : 0);

function changedFiles() {
  const git = (...words) => {
    const { status, stdout, stderr } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' });
    if (status !== 0) stop(`git ${words.join(' ')} failed: ${stderr.trim()}`);
    return stdout.split('\n').filter(Boolean);
  };
  const names = [
    ...git('diff', '--name-only', '--diff-filter=d', values.base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(names)].filter((name) => TEST_FILE.test(name) && existsSync(join(ROOT, name)));
}

/** A process that keeps a core busy until it is ended. */
function busy() {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
}

/** Runs the files once; gives what failed, and its words. A run without a result counts as one failure. */
function runOnce() {
  const folder = mkdtempSync(join(tmpdir(), 'studio-flaky-'));
  const results = join(folder, 'results.json');
  try {
    const words = ['run', '--reporter=json', `--outputFile.json=${results}`, ...files];
    const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ...words], {
      cwd: ROOT,
      stdio: 'ignore',
      env: { ...COMPILE_CACHE, ...process.env },
    });
    if (!existsSync(results)) return { failed: [`a run that ended with ${status} and no result`], said: [] };
    const report = JSON.parse(readFileSync(results, 'utf8'));
    tests = Math.max(tests, report.numTotalTests);
    const failed = report.testResults.flatMap((file) => {
      const name = relative(ROOT, file.name);
      const tests = file.assertionResults.filter((one) => one.status === 'failed');
      if (file.status === 'failed' && tests.length === 0) return [name];
      return tests.map((one) => `${name} > ${one.fullName}`);
    });
    return { failed, said: failureLines(report, ROOT) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A number from 1 on, given by the option of this name. */
function countOf(name) {
  const count = Number(values[name]);
  if (!Number.isInteger(count) || count < 1) stop(`--${name} takes a number from 1 on, not "${values[name]}".`);
  return count;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
