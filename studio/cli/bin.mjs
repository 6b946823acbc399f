#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The `trajectory-studio` command of the npm package and of a linked clone. An older Node starts the one that the package
 * `node` brings; this file therefore uses nothing that Node 20.9 lacks. Without words it opens the studio.
 */

const HERE = dirname(fileURLToPath(import.meta.url));
/** better-sqlite3 needs 22.14, reading TypeScript (a clone) 22.18. */
const LEAST = [22, 18];

const [first] = process.argv.slice(2);
// Options without a command are those of `start`, but for the few that are everybody's.
if (first === undefined || (/^--(?!help$|version$|json$)/.test(first) && first !== '--'))
  process.argv.splice(2, 0, 'start');
const main = ['main.js', 'main.ts'].map((name) => join(HERE, name)).find((file) => existsSync(file));
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) await import(pathToFileURL(main).href);
else startWith(broughtNode());

/** The program of the package `node`; ends with what to do where there is none. */
function broughtNode() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(program)) return program;
  } catch {
    // Not installed: said below.
  }
  process.stderr.write(
    `This is Node.js ${process.versions.node}; the studio needs ${LEAST.join('.')} or later. Install it, or run ` +
      '`npm rebuild node` where trajectory-studio is installed: that fetches Node.js 24 for it alone.\n',
  );
  process.exit(3);
}

function startWith(program) {
  const child = spawn(program, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl+C reaches both; the child decides when it has closed what is open.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`${program} cannot be started: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.once('close', (status, signal) => {
    process.exitCode = signal === null ? (status ?? 1) : 130;
  });
}
