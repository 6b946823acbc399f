import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { namedIn } from './imports.mjs';
import { ROOMS } from './rooms.mjs';

/**
 * Who may import whom (the house's folders). dependency-cruiser would do it, but reads no TypeScript with the compiler's
 * version 7 (it then finds 0 modules and is content).
 */
const MAY_IMPORT = {
  schemas: [],
  core: ['schemas'],
  native: ['schemas'],
  studio: ['schemas', 'core', 'native'],
  renderer: ['schemas', 'core'],
  electron: [],
};

/** The systems' adapters, which only native's door (native/index.ts) opens. Tests are free. */
const ADAPTERS = /^native\/(?:linux|wayland|macos|windows)\//;

/** Runs in Node, a worker or a browser alike: no Node API, and no package but these. */
const PURE_FOLDERS = ['schemas', 'core'];
const PURE_PACKAGES = ['zod'];
/** The API's contract is a contract too: this package describes it and does nothing else. */
const CONTRACT_FOLDER = 'schemas/api/';
const CONTRACT_PACKAGE = '@orpc/contract';
/** Calls that make a result depend on when or where it is made. */
const IMPURE = /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|setTimeout|setInterval|process\.(?!stdout))/;

/**
 * The desktop host runs apart from everything else, so it shares no code. The bridge that its preload script gives to pages is a
 * contract, though: as types, which leave nothing behind when the host is built, it may be imported by both sides.
 */
const BRIDGE = 'schemas/desktop.ts';

/** Where the pages begin (renderer/index.html); each further page is loaded from there. */
export const PAGES = 'renderer/shell/main.tsx';
/**
 * Some 95 kB of script, for what a page seldom does: check what a browser kept. Only files of this name may bring it, each
 * loaded by `import()` when there is something to check.
 */
const HEAVY_PACKAGE = 'zod';
const HEAVY_FILE = /^renderer\/(?:.*\/)?check-[^/]+\.ts$/;

/** The only folder that starts a process or a thread of this program. */
const STARTS_OURS = 'native/process/';
/** Who starts other programs, and these by name: each is the one place for its program. */
const STARTS_OTHERS = new Set([
  // ffmpeg.
  'native/ffmpeg/run.ts',
  'native/ffmpeg/find.ts',
  'native/ffmpeg/decode.ts',
  'native/ffmpeg/video-file.ts',
  'native/ffmpeg/feed.ts',
  'native/ffmpeg/microphone.ts',
  'native/screen/encoders.ts',
  'native/screen/by-ffmpeg/segment.ts',
  'studio/play/checks/sound.ts',
  // Programs of macOS.
  'native/macos/settings.ts',
  'native/macos/stage.ts',
  'native/macos/patch-process.ts',
  // tesseract, gsettings, the browser, ps, xz.
  'studio/datasets/evaluate/ocr.ts',
  'studio/play/checks/setting.ts',
  'studio/cli/open-browser.ts',
  ...['studio/files/process-id.ts', 'studio/files/packed.ts'],
  // A stage: its display, its cage, its programs.
  'studio/play/stage/cage.ts',
  'studio/play/stage/set-stage.ts',
  'studio/play/stage/isolation.ts',
  'studio/play/stage/uncaged.ts',
  'studio/play/stage/own-network.ts',
  'studio/play/stage/disk-watch.ts',
  'studio/play/stage/halt.ts',
  // The program that a person names.
  'studio/session/recorder/launch.ts',
  // Node again, without a channel: what must be known before anything is loaded, or goes on when this process ends.
  'studio/session/doctor/machine.ts',
  'studio/session/recorder/preflight.ts',
  'studio/recordings/playback.ts',
  'studio/api/build-pages.ts',
  'studio/cli/bin.mjs',
  'electron/host/studio-process.ts',
]);
const STARTERS = /\bimport\s+(?!type\b)([^;'"]*?)\s*from\s*['"]node:(child_process|worker_threads|cluster)['"]/g;

/** Tests and what only they use: left out where the program is packaged, and free to be as slow or narrow as a test needs. */
const TEST_FILE = /\.test\.tsx?$|-for-tests\.ts$/;
const TEST_FOLDER = 'test/';

/**
 * Checks the sources under `root`, against another table of rooms where one is given. Gives how many files were read, and
 * each violation as `{file, rule, message}`; `used`: which rooms import which (`studio: cli api`).
 */
export function checkImports(root, rooms = ROOMS) {
  const pattern = `{${[...Object.keys(MAY_IMPORT), 'test', 'scripts'].join(',')}}/**/*.{ts,tsx,mjs}`;
  const files = globSync(pattern, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const { devDependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const violations = faultsOfTable(rooms);
  const used = new Set();
  const graph = new Map();
  const loaded = new Map();
  for (const file of files.sort()) {
    const source = readFileSync(join(root, file), 'utf8');
    const report = (rule, message) => violations.push({ file, rule, message });
    const edges = [];
    const loads = [];
    checkListed(file, rooms, report);
    for (const { to, typeOnly, lazy } of namedIn(file, source).imports) {
      if (!to.startsWith('.')) {
        if (!typeOnly) loads.push({ target: to, lazy });
        // Who needs it installs it beside the program; whoever does not is never asked for it.
        if (lazy && to in peerDependencies) continue;
        checkPackage(file, to, typeOnly, devDependencies, report);
        continue;
      }
      const target = posix.normalize(posix.join(dirname(file), to));
      if (!existsSync(join(root, target))) report('resolvable', `imports ${to}, which is not there`);
      checkFolder(file, target, typeOnly, report);
      checkRoom(file, target, rooms, used, report);
      edges.push(target);
      if (!typeOnly) loads.push({ target, lazy });
    }
    for (const target of gatheredBy(root, file, source)) checkRoom(file, target, rooms, used, report);
    graph.set(file, edges);
    loaded.set(file, loads);
    checkStarts(file, source, report);
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
  return { files: files.length, violations, used };
}

function checkFolder(file, target, typeOnly, report) {
  const from = file.split('/')[0];
  const to = target.split('/')[0];
  const allowed = MAY_IMPORT[from];
  if (allowed !== undefined && !TEST_FILE.test(file) && (TEST_FILE.test(target) || target.startsWith(TEST_FOLDER))) {
    report('no-test-code', `imports ${target}, which only tests may import`);
    return;
  }
  if (from !== 'native' && allowed !== undefined && ADAPTERS.test(target) && !TEST_FILE.test(file)) {
    report('door', `imports ${target}: an adapter is opened by native/index.ts alone`);
    return;
  }
  if (allowed === undefined || from === to || allowed.includes(to) || target === 'package.json') return;
  if (from === 'electron' && target === BRIDGE && typeOnly) return;
  // Tests beside the code may use test/support.
  if (TEST_FILE.test(file) && target.startsWith(TEST_FOLDER)) return;
  const may = allowed.length > 0 ? allowed.join(', ') : 'no other folder';
  report('folders', `imports ${target}: ${from} may import ${may}`);
}

/** Where a room names one that is not listed before it: an arrow back, a circle, or a room that is not there. */
function faultsOfTable(rooms) {
  const faults = [];
  for (const [folder, rows] of Object.entries(rooms)) {
    const before = new Set();
    for (const [room, mayImport] of Object.entries(rows)) {
      for (const named of (mayImport ?? []).filter((name) => !before.has(name))) {
        const message = `ROOMS.${folder}: ${room} may import ${named}, which is not listed before it`;
        faults.push({ file: 'scripts/rooms.mjs', rule: 'rooms', message });
      }
      before.add(room);
    }
  }
  return faults;
}

/** The room of a file in a folder: `renderer/ui/keys/store.ts` is in renderer's room `ui`, `renderer/a.ts` in `.`. */
function roomIn(folder, file) {
  const rest = file.slice(folder.length + 1);
  return rest.includes('/') ? rest.slice(0, rest.indexOf('/')) : '.';
}

/** The folders of the table that a file is in. */
const tablesOf = (file, rooms) => Object.keys(rooms).filter((folder) => file.startsWith(`${folder}/`));

function checkListed(file, rooms, report) {
  for (const folder of tablesOf(file, rooms)) {
    const room = roomIn(folder, file);
    if (rooms[folder][room] === undefined)
      report('rooms', `is in a folder that ROOMS.${folder} in scripts/rooms.mjs does not list: ${room}`);
  }
}

/** The files that `import.meta.glob` imports by a pattern. */
function gatheredBy(root, file, source) {
  const patterns = [...source.matchAll(/\bimport\.meta\.glob(?:<[^(]*>)?\(\s*'(\.[^']*)'/g)].map(
    ([, pattern]) => pattern,
  );
  const folder = dirname(file);
  return globSync(patterns, { cwd: join(root, folder) }).map((found) =>
    posix.normalize(posix.join(folder, found.replaceAll('\\', '/'))),
  );
}

function checkRoom(file, target, rooms, used, report) {
  if (TEST_FILE.test(file)) return;
  for (const folder of tablesOf(file, rooms)) {
    if (!target.startsWith(`${folder}/`)) continue;
    const [from, to] = [roomIn(folder, file), roomIn(folder, target)];
    const mayImport = rooms[folder][from];
    if (!mayImport || rooms[folder][to] === null || from === to) continue;
    used.add(`${folder}: ${from} ${to}`);
    if (mayImport.includes(to)) continue;
    const may = mayImport.length > 0 ? mayImport.join(', ') : 'no other room';
    report('rooms', `imports ${target}: ${folder}/${from} may import ${may} of ${folder}`);
  }
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

/** Processes and threads start in one place, so that each has its limits, its last words and its line in the log. */
function checkStarts(file, source, report) {
  if (MAY_IMPORT[file.split('/')[0]] === undefined || TEST_FILE.test(file) || file.startsWith(STARTS_OURS)) return;
  for (const [, names, from] of source.matchAll(STARTERS)) {
    const values = names.replace(/\btype\s+\w+/g, '');
    const isOurs = /\b(?:Worker|fork|cluster)\b|^\*|^\w+$/.test(values.trim());
    const isOthers = from === 'child_process' && /\b(?:spawn|exec)\w*/.test(values) && !STARTS_OTHERS.has(file);
    if (isOurs) report('starts', `starts a process or a thread: ${STARTS_OURS} alone does (startProcess, startThread)`);
    else if (isOthers)
      report('starts', 'starts a program: add it to STARTS_OTHERS in scripts/import-rules.mjs, or use its place');
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
