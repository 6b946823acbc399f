import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { needNewNode } from './own-node.mjs';

/**
 * The laws (fast-check's properties), each tried many times as often as in an ordinary run, one file after another:
 *
 *     npm run test:laws                        all files with laws
 *     npm run test:laws -- core/skill studio   those whose path holds one of these
 *         --times 20                           how many times as often
 *
 * Fails if a law does, with its counterexample and its seed: `{ seed, path }` beside the law tries that one again.
 */

needNewNode();
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' } },
});
const times = Number(values.times);
if (!Number.isInteger(times) || times < 2) stop(`--times is a whole number from 2 on, not "${values.times}".`);

const files = globSync('{core,electron,native,renderer,schemas,scripts,studio}/**/*.test.{ts,tsx}', { cwd: ROOT })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("from 'fast-check'"));
if (files.length === 0) stop(`No file with a law has ${positionals.join(' or ')} in its path.`);

const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const env = { ...process.env, STUDIO_LAW_TIMES: String(times) };
const { status } = spawnSync(process.execPath, [vitest, 'run', '--no-file-parallelism', ...files.sort()], {
  cwd: ROOT,
  stdio: 'inherit',
  env,
});
process.exitCode = status ?? 1;

function stop(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
