import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { namedIn } from './imports.mjs';

/**
 * Who may import whom (the house's folders). dependency-cruiser would do it, but reads no TypeScript with the compiler's
 * version 7 (it then finds 0 modules and is content).
 */
export const MAY_IMPORT = {
  schemas: [],
  core: ['schemas'],
  native: ['schemas'],
  studio: ['schemas', 'core', 'native'],
  renderer: ['schemas', 'core'],
  electron: [],
};

/** Runs in Node, a worker or a browser alike: no Node API, and no package but these. */
const PURE_FOLDERS = ['schemas', 'core'];
const PURE_PACKAGES = ['zod'];
/** The API's contract is a contract too: this package describes it and does nothing else. */
const CONTRACT_FOLDER = 'schemas/api/';
const CONTRACT_PACKAGE = '@orpc/contract';
/** What makes a result depend on when or where it is made. */
const IMPURE = /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|setTimeout|setInterval|process\.(?!stdout))/;

/**
 * The desktop host runs apart from everything else, so it shares no code. What its preload script gives to pages is a
 * contract, though: as types, which leave nothing behind when the host is built, it may be imported by both sides.
 */
const BRIDGE = 'schemas/desktop.ts';

/** Where the pages begin (renderer/index.html); each further page is loaded from there. */
export const PAGES = 'renderer/main.tsx';
/**
 * Some 95 kB of script, for what a page seldom does: check what a browser kept. Only files of this name may bring it, each
 * loaded by `import()` when there is something to check.
 */
const HEAVY_PACKAGE = 'zod';
const HEAVY_FILE = /^renderer\/(?:.*\/)?check-[^/]+\.ts$/;

/** Tests and what only they use: left out where the program is packaged, and free to be as slow or narrow as a test needs. */
const TEST_FILE = /\.test\.tsx?$|-for-tests\.ts$/;
const TEST_FOLDER = 'test/';

/**
 * Checks the sources under `root`. Gives how many files were read, and each violation as `{file, rule, message}`.
 */
export function checkImports(root) {
  const pattern = `{${[...Object.keys(MAY_IMPORT), 'test', 'scripts'].join(',')}}/**/*.{ts,tsx,mjs}`;
  const files = globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const { devDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const violations = [];
  const graph = new Map();
  const loaded = new Map();
  for (const file of files.sort()) {
    const source = readFileSync(join(root, file), 'utf8');
    const report = (rule, message) => violations.push({ file, rule, message });
    const edges = [];
    const loads = [];
    for (const { to, typeOnly, lazy } of namedIn(file, source).imports) {
      if (!to.startsWith('.')) {
        if (!typeOnly) loads.push({ target: to, lazy });
        checkPackage(file, to, typeOnly, devDependencies, report);
        continue;
      }
      const target = posix.normalize(posix.join(dirname(file), to));
      if (!existsSync(join(root, target))) report('resolvable', `imports ${to}, which is not there`);
      checkFolder(file, target, typeOnly, report);
      if (!typeOnly) {
        edges.push(target);
        loads.push({ target, lazy });
      }
    }
    graph.set(file, edges);
    loaded.set(file, loads);
    const impure = PURE_FOLDERS.includes(file.split('/')[0]) && !TEST_FILE.test(file) && IMPURE.exec(source);
    if (impure) report('pure', `uses ${impure[0]}: core and schemas know no clock, chance or process`);
  }
  for (const cycle of cyclesOf(graph))
    violations.push({ file: cycle[0], rule: 'no-cycles', message: cycle.join(' -> ') });
  for (const chain of chainsToHeavy(loaded))
    violations.push({
      file: chain.at(-2),
      rule: 'light-pages',
      message: `is loaded with a page: ${chain.join(' -> ')}`,
    });
  return { files: files.length, violations };
}

function checkFolder(file, target, typeOnly, report) {
  const from = file.split('/')[0];
  const to = target.split('/')[0];
  const allowed = MAY_IMPORT[from];
  if (allowed !== undefined && !TEST_FILE.test(file) && (TEST_FILE.test(target) || target.startsWith(TEST_FOLDER))) {
    report('no-test-code', `imports ${target}, which only tests may import`);
    return;
  }
  if (allowed === undefined || from === to || allowed.includes(to) || target === 'package.json') return;
  if (from === 'electron' && target === BRIDGE && typeOnly) return;
  // Tests beside the code may use test/support.
  if (TEST_FILE.test(file) && target.startsWith(TEST_FOLDER)) return;
  const may = allowed.length > 0 ? allowed.join(', ') : 'no other folder';
  report('folders', `imports ${target}: ${from} may import ${may}`);
}

function checkPackage(file, name, typeOnly, devDependencies, report) {
  const folder = file.split('/')[0];
  if (MAY_IMPORT[folder] === undefined || TEST_FILE.test(file)) return;
  const base = name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
  const contract = file.startsWith(CONTRACT_FOLDER) && name === CONTRACT_PACKAGE;
  if (PURE_FOLDERS.includes(folder) && !PURE_PACKAGES.includes(base) && !contract) {
    report('pure', `imports ${name}: core and schemas may import ${PURE_PACKAGES.join(', ')} only`);
  } else if (!typeOnly && base in devDependencies && !(folder === 'electron' && base === 'electron')) {
    // The host's own module is not installed where it runs: the packaged program has it built in.
    report('no-dev-packages', `imports ${name}, a development package`);
  }
}

/** From the pages' first file to the heavy package, a chain for each file that brings it, the shortest one. */
function chainsToHeavy(loaded) {
  const chains = [];
  const seen = new Set([PAGES]);
  const open = [[PAGES]];
  for (const path of open) {
    for (const { target, lazy } of loaded.get(path.at(-1)) ?? []) {
      if (target === HEAVY_PACKAGE || target.startsWith(`${HEAVY_PACKAGE}/`)) chains.push([...path, target]);
      if (seen.has(target) || (lazy && HEAVY_FILE.test(target))) continue;
      seen.add(target);
      open.push([...path, target]);
    }
  }
  return chains;
}

/** Each cycle of imports once, from its first file by name. */
function cyclesOf(graph) {
  const cycles = [];
  const done = new Set();
  const path = [];
  const visit = (file) => {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push([...path.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return cycles;
}
