import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE } from './compile-cache.mjs';
import { countTests, durationLines, failureLines, sumCounts } from './count-tests.mjs';
import { needNewNode } from './own-node.mjs';

/**
 * The tests (docs/decisions.md, "Tests"):
 *
 *     npm test                 the first tier: shows within minutes that the product works
 *     npm test -- a/file       the files, or with vitest's own options the tests, that are named
 *     npm run test:all         everything: the first tier, then the rest
 *     … -- --rest              what `npm test` leaves out
 *
 * Prints the slowest files and the time of each tier. The last line is `N passed, N failed`; a file that could not be read,
 * or a run that ended early, counts as a failure. With `--counts FILE` the two numbers are added to that file instead,
 * and what failed to FILE.failures.
 */

needNewNode();

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
/** `budget`: how long a tier may take on two cores of the slower kind, s (docs/decisions.md, Tests). */
const FIRST = { name: 'first', budget: 180, words: ['--project', 'unit', '--project', 'pure', '--project', 'first'] };
const REST = {
  name: 'rest',
  budget: 1920,
  words: ['alone', 'growth', 'e2e', 'windows', 'later'].flatMap((name) => ['--project', name]),
};

const words = process.argv.slice(2);
/** Takes a word of ours out, with as many that belong to it. */
function take(word, more = 0) {
  const at = words.indexOf(word);
  return at < 0 ? null : words.splice(at, 1 + more);
}
const all = take('--all') !== null;
const rest = take('--rest') !== null;
const countsFile = take('--counts', 1)?.[1];
const NAMED = { name: 'named', budget: null, words: [] };
const tiers = all ? [FIRST, REST] : rest ? [REST] : words.length > 0 ? [NAMED] : [FIRST];

/** The failures of each tier, for the end of everything, where they are not lost among thousands of lines. */
const failures = [];

function run(tier) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-tests-'));
  const [results, durations] = [join(folder, 'results.json'), join(folder, 'durations.json')];
  const reporters = ['default', 'json', join(ROOT, 'scripts', 'durations.mjs')].map((one) => `--reporter=${one}`);
  const began = performance.now();
  try {
    const args = [VITEST, 'run', ...reporters, `--outputFile.json=${results}`, ...tier.words, ...words];
    const env = { ...COMPILE_CACHE, ...process.env, STUDIO_TEST_DURATIONS: durations };
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env });
    const times = existsSync(durations) ? readJson(durations) : null;
    if (times) process.stdout.write(`${durationLines(times).join('\n')}\n`);
    const report = existsSync(results) ? readJson(results) : null;
    const counts = countTests(report, status);
    failures.push(failureLines(report, ROOT, times?.errors));
    const took = (performance.now() - began) / 1000;
    const budget = tier.budget === null ? '' : ` of ${tier.budget} s`;
    process.stdout.write(`Tier "${tier.name}": ${took.toFixed(0)} s${budget}\n\n`);
    return counts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Half a file, of a run that was killed, is none. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

const { passed, failed } = sumCounts(tiers.map(run));
const failedTests = failures.flat();
if (countsFile) {
  appendFileSync(countsFile, `${passed} ${failed}\n`);
  if (failedTests.length > 0) appendFileSync(`${countsFile}.failures`, `${failedTests.join('\n')}\n`);
} else {
  if (tiers.length > 1 && failedTests.length > 0) process.stdout.write(`Failed:\n${failedTests.join('\n')}\n\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
}
process.exitCode = failed > 0 ? 1 : 0;
