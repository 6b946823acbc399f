import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closureFaults, longFunctions, MOST_CLOSURE_LINES } from './closures.mjs';
import { checkImports } from './import-rules.mjs';
import { unusedExports } from './unused.mjs';
import { tooManyArrows, unusedArrows } from './unused-arrows.mjs';

/**
 * `npm run check`: types, lint and format, import rules, exports, the length of files and of functions that stand in for a
 * class. Runs all, then fails if one did.
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
/** A file does one thing and fits in the head: near 300, never over this. */
const MOST_LINES = 450;

const checks = [
  ['types', () => run('tsc', ['-p', '.'])],
  ['lint and format', () => run('biome', ['check', '--error-on-warnings', '.'])],
  ['import rules', importRules],
  ['no export that nobody needs', () => listed(unusedExports(ROOT))],
  [`files of at most ${MOST_LINES} lines`, fileLengths],
  [`closures of at most ${MOST_CLOSURE_LINES} lines`, closureLengths],
];

let failed = 0;
for (const [name, check] of checks) {
  const { passed, said } = check();
  if (!passed) failed++;
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'}  ${name}${said === '' ? '' : `\n${said}`}\n`);
}
process.exitCode = failed > 0 ? 1 : 0;

function run(program, args) {
  const windows = process.platform === 'win32';
  const path = join(ROOT, 'node_modules', '.bin', windows ? `${program}.cmd` : program);
  const { status, stdout, stderr, error } = spawnSync(path, args, { cwd: ROOT, encoding: 'utf8', shell: windows });
  if (error) return { passed: false, said: `${error.message}. Run \`npm install\`.` };
  return { passed: status === 0, said: status === 0 ? '' : `${stdout}${stderr}`.trimEnd() };
}

function importRules() {
  const { files, violations, used } = checkImports(ROOT);
  const faults = violations.map(({ file, rule, message }) => `${file} (${rule}): ${message}`);
  faults.push(...unusedArrows(used), ...tooManyArrows());
  // A check that reads nothing would pass for ever.
  if (files < 20) faults.push(`only ${files} files were found: the check does not see the sources`);
  return listed(faults);
}

function listed(faults) {
  return { passed: faults.length === 0, said: faults.map((fault) => `  ${fault}`).join('\n') };
}

function fileLengths() {
  const pattern = '{schemas,core,native,studio,renderer,electron,scripts,test}/**/*.{ts,tsx,mjs,css}';
  const long = globSync(pattern, { cwd: ROOT })
    .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > MOST_LINES);
  return listed(long.map(({ file, lines }) => `${file}: ${lines} lines`));
}

function closureLengths() {
  const long = longFunctions(ROOT);
  const faults = closureFaults(long);
  const components = long
    .filter(({ kind }) => kind === 'component')
    .map(({ file, line, name, lines }) => `  long component: ${file}:${line} ${name}, ${lines} lines`);
  return { passed: faults.length === 0, said: [...faults.map((fault) => `  ${fault}`), ...components].join('\n') };
}
