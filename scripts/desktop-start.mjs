import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `npm start`: the desktop app where Electron's program is installed and there is a desktop, else the studio in the browser.
 *
 *   npm start                     the one that fits
 *   npm start -- --browser …      in the browser; further words as `npm run studio -- start --help` has them
 *   npm run desktop               the desktop app, or what keeps it from starting
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const ELECTRON = join(ROOT, 'node_modules', 'electron');
const CLI = join(ROOT, 'studio', 'cli', 'main.ts');

/** Electron's program as its package has installed it; null when it has not. */
export function electronProgram(folder = ELECTRON) {
  const note = join(folder, 'path.txt');
  if (!existsSync(note)) return null;
  const program = join(
    process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'),
    readFileSync(note, 'utf8').trim(),
  );
  return existsSync(program) ? program : null;
}

/**
 * The program that `npm start` starts: `desktop`, or `browser`. Words that only the server takes (--port, --host, …) ask for
 * the browser, as does a machine without a desktop, where Electron would not start.
 */
export function wayToStart(words, { program, platform, env, root }) {
  if (words.includes('--desktop')) return 'desktop';
  const onlyPaths = words.every((word) => !word.startsWith('-'));
  const hasDesktop = platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  // Chromium's sandbox refuses root, and the app does not run without it.
  return program !== null && onlyPaths && hasDesktop && !root ? 'desktop' : 'browser';
}

async function main(words) {
  const program = electronProgram();
  const { platform, env } = process;
  const way = wayToStart(words, { program, platform, env, root: process.getuid?.() === 0 });
  if (way === 'browser') {
    const rest = words.filter((word) => word !== '--browser');
    return run(process.execPath, [CLI, 'start', ...rest], env);
  }
  // Its package fetches the program when it is first wanted, not when it is installed.
  if (program === null) await run(process.execPath, [join(ELECTRON, 'install.js')], env);
  const electron = program ?? electronProgram();
  if (electron === null) {
    process.stderr.write(
      'Electron’s program could not be fetched. `npm start -- --browser` opens the studio in the browser without it.\n',
    );
    return 3;
  }
  const { buildDesktop } = await import('./desktop-build.mjs');
  const app = await buildDesktop();
  const rest = words.filter((word) => word !== '--desktop');
  const begun = Date.now();
  const status = await run(electron, [app, ...rest], { ...env, TRAJECTORY_STUDIO_NODE: process.execPath });
  if (status === 0 || status === 130 || words.includes('--desktop') || Date.now() - begun > AT_ONCE_MS) return status;
  process.stderr.write('The desktop app cannot run here (see above); the studio opens in the browser.\n');
  return run(process.execPath, [CLI, 'start'], env);
}

/** An end within this time is one of the system's: a sandbox that is not allowed, a missing library. ms. */
const AT_ONCE_MS = 5000;

function run(command, args, env) {
  const child = spawn(command, args, { stdio: 'inherit', env });
  // Ctrl+C reaches both; the child decides when it has closed what is open.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${command} cannot be started: ${error.message}\n`);
      resolve(3);
    });
    child.once('close', (status, signal) => resolve(signal === null ? (status ?? 1) : 130));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
