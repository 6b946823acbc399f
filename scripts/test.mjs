import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countTests } from './count-tests.mjs';

/**
 * `npm test`: every test, or those that the arguments name (passed to vitest). The last line is `N passed, N failed`,
 * counted from vitest's own JSON; a file that could not be read, or a run that ended early, counts as a failure.
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'studio-tests-'));
const file = join(folder, 'results.json');
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];

let counts = { passed: 0, failed: 1 };
let status = null;
try {
  const words = [vitest, 'run', ...reporters, ...process.argv.slice(2)];
  ({ status } = spawnSync(process.execPath, words, { cwd: ROOT, stdio: 'inherit' }));
  if (existsSync(file)) counts = countTests(JSON.parse(readFileSync(file, 'utf8')), status);
} finally {
  rmSync(folder, { recursive: true });
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;
