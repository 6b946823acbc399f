import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePages } from '../studio/api/build-pages.ts';
import { buildPackages } from './build-packages.mjs';
import { packageManifest } from './pack-manifest.mjs';
import { ROOT } from './package-config.mjs';
import { stageSources } from './package-files.mjs';

/**
 * `npm run pack`: the package for npm (`npx trajectory-studio`), as a .tgz in build/npm. It holds plain JavaScript, since
 * Node reads no TypeScript under node_modules, and the built pages. Its last line is the file's place; how to run it is said
 * before.
 */

const BUILD = join(ROOT, 'build', 'npm');
const FOLDER = join(BUILD, 'package');
const BIN = 'studio/cli/bin.mjs';

process.exitCode = await main();

async function main() {
  await ensurePages((text) => process.stderr.write(`${text}\n`));
  await buildPackages();
  rmSync(BUILD, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const { packages } = stageSources(ROOT, FOLDER);
  copyFileSync(join(ROOT, BIN), join(FOLDER, BIN));
  copyFileSync(join(ROOT, 'README.md'), join(FOLDER, 'README.md'));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const own = packageManifest(manifest, packages, BIN);
  writeFileSync(join(FOLDER, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const made = spawnSync(npm, ['pack', '--ignore-scripts', '--pack-destination', BUILD], {
    cwd: FOLDER,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
    shell: process.platform === 'win32',
  });
  if (made.status !== 0) return 1;
  const file = join(BUILD, made.stdout.trim().split('\n').at(-1));
  process.stderr.write(
    `${(statSync(file).size / 1e6).toFixed(1)} MB. To run it, in any folder:\n  npx --loglevel=error --package "${file}" trajectory-studio\n`,
  );
  process.stdout.write(`${file}\n`);
  return 0;
}
