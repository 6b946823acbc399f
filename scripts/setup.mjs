import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { electronProgram } from './desktop-start.mjs';
import { isNewEnough, LEAST_NODE_TEXT } from './own-node.mjs';
import { BENCH, isExecutable, isThere, lacking, missingOf, NEED, onPath, PACKAGES, TEST } from './setup-packages.mjs';

/**
 * Sees to it that the machine has what the studio needs, and says what it cannot bring.
 *
 *   node scripts/setup.mjs [--for start|test|bench] [--quiet]
 *
 * Plain JavaScript for the system's own Node (20 or later), which may run it before ours is there. Quick when nothing is
 * missing: it looks for files only. On Debian and Ubuntu it installs with apt-get (as root, or with sudo that asks for no
 * password); elsewhere it says what to install. Packages that only tests use never stop it. The libraries of the desktop app
 * are looked at where Electron's program is installed.
 */

const args = process.argv.slice(2);
const quiet = args.includes('--quiet');
const purpose = args.includes('--for') ? args[args.indexOf('--for') + 1] : NEED;
if (![NEED, TEST, BENCH].includes(purpose)) stop(`--for takes ${NEED}, ${TEST} or ${BENCH}, not "${purpose}".`, 2);

checkNode();
await buildLargePackages();
if (process.platform === 'linux') setUpLinux();
else setUpElsewhere();

/** A studio that runs TypeScript directly needs a newer Node than many systems have; `npm install` brings one. */
function checkNode() {
  if (isNewEnough()) return;
  stop(
    `This is Node.js ${process.version}; the studio needs ${LEAST_NODE_TEXT} or later. \`npm install\` brings Node.js 24 into this folder (if it just did not: \`npm rebuild node\`), and \`npm start\` then uses it.`,
    3,
  );
}

/** Without them everything works, but each program of the studio takes a tenth of a second longer to start. */
async function buildLargePackages() {
  try {
    const { buildPackages } = await import('./build-packages.mjs');
    if (await buildPackages()) say('Packages of many modules were built into a few files.');
  } catch (error) {
    say(`Packages of many modules are loaded as they are installed, since they could not be built: ${error.message}`);
  }
}

function setUpLinux() {
  const missing = missingPackages();
  if (missing.length === 0) return say('Everything that is needed is installed.');
  const names = missing.map((one) => one.name);
  const root = rootCommand();
  if (!onPath('apt-get') || root === null) return giveUp(missing, `Please install: ${names.join(' ')}`);
  process.stderr.write(`Installing with apt-get: ${names.join(' ')}\n`);
  if (!install(root, names)) {
    // The lists may be old, or missing as in a fresh container.
    apt(root, ['update']);
    // One by one when together fails: one name that this release lacks must not keep out the others.
    if (!install(root, names)) for (const one of missing) installOne(root, one);
  }
  const still = missingPackages();
  if (still.length === 0) say('Everything that is needed is installed now.');
  else giveUp(still, `Could not install: ${still.map((one) => one.name).join(' ')}. Please install them yourself.`);
}

function setUpElsewhere() {
  if (onPath('ffmpeg') || hasOwnFfmpeg()) return say('Everything that is needed is installed.');
  const how = process.platform === 'darwin' ? '`brew install ffmpeg`' : '`winget install ffmpeg`';
  process.stderr.write(
    `ffmpeg is missing. Install it (${how}), or set FFMPEG_PATH to one. Until then nothing can be recorded.\n`,
  );
}

function missingPackages() {
  return missingOf(PACKAGES, {
    purpose,
    hasElectron: electronProgram() !== null,
    hasOwnFfmpeg: hasOwnFfmpeg(),
    libraries: libraryNames(),
    hasProgram: onPath,
    hasFile: isThere,
  });
}

/** The studio starts also without some of it: doctor then says which part fails and why. */
function giveUp(missing, message) {
  process.stderr.write(`${[message, ...lacking(missing)].join('\n')}\n`);
}

/** Under its name of this release. */
function installOne(root, { name, instead }) {
  return install(root, [name]) || (instead !== undefined && install(root, [instead]));
}

function install(root, names) {
  return apt(root, ['install', '-y', '--no-install-recommends', ...names]);
}

function apt(root, words) {
  const [program, ...rest] = [...root, 'apt-get', ...words];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Its output to stderr: stdout belongs to what comes after.
  const { status } = spawnSync(program, rest, { env, stdio: ['ignore', quiet ? 'ignore' : 2, 2] });
  return status === 0;
}

/** The words before a command that run it as root; null when that is not possible without asking. */
function rootCommand() {
  if (process.getuid() === 0) return [];
  if (!onPath('sudo')) return null;
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n', '-E'] : null;
}

/** FFMPEG_PATH, or the one that the package ffmpeg-static downloads (optional: its download may be blocked). */
function hasOwnFfmpeg() {
  if (process.env.FFMPEG_PATH && isExecutable(process.env.FFMPEG_PATH)) return true;
  const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules', 'ffmpeg-static');
  return isExecutable(join(folder, process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'));
}

/** The shared libraries that the loader knows; null without ldconfig (Alpine, Nix). */
function libraryNames() {
  const { stdout } = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' });
  const listed = (stdout ?? '').match(/^\s+(\S+)/gm)?.map((name) => name.trim()) ?? [];
  return listed.length > 0 ? new Set(listed) : null;
}

function say(text) {
  if (!quiet) process.stdout.write(`${text}\n`);
}

function stop(message, status) {
  process.stderr.write(`${message}\n`);
  process.exit(status);
}
