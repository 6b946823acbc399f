import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePages } from '../studio/api/build-pages.ts';
import { buildPackages } from './build-packages.mjs';
import { buildDesktop } from './desktop-build.mjs';
import { BUILD, config, ROOT } from './package-config.mjs';
import { missingFor, stageStudio, studioFiles } from './package-files.mjs';

/**
 * `npm run package`: the desktop app as people install it, in build/desktop/out.
 *
 *   npm run package                                   for this system
 *   npm run package -- --platform win32 --arch arm64  for another (its native packages must be installed: see below)
 *   npm run package -- --dir                          the unpacked folder only
 *   npm run package -- --check                        check the configuration and list the files; make nothing
 *
 * Where Electron's files cannot be had (no network), it does what --check does and says so, with status 0: everything but
 * Electron itself is then in build/desktop.
 */
const { values } = parseArgs({
  options: {
    platform: { type: 'string', default: process.platform },
    arch: { type: 'string', default: process.arch },
    dir: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const { platform, arch } = values;
const say = (text) => process.stdout.write(`${text}\n`);
const NAMES = { linux: 'linux', win32: 'win', darwin: 'mac' };
if (!NAMES[platform] || !['x64', 'arm64'].includes(arch)) {
  process.stderr.write(`There is no package for ${platform} ${arch}: linux, win32 or darwin, x64 or arm64.\n`);
  process.exit(2);
}

process.exitCode = await main();

async function main() {
  await ensurePages((text) => process.stderr.write(`${text}\n`));
  await buildPackages();
  await buildDesktop();
  const resources = join(BUILD, 'resources');
  rmSync(resources, { recursive: true, force: true });
  const files = stageStudio(ROOT, join(resources, 'studio'));
  cpSync(join(ROOT, 'assets', 'icons'), join(resources, 'icons'), {
    recursive: true,
    filter: (source) => !/\.(?:svg|icns)$/.test(source),
  });
  const problems = await checkConfig();
  if (problems !== null) {
    process.stderr.write(`The configuration of the packager is wrong: ${problems}\n`);
    return 1;
  }
  listed(files);

  const { packages } = studioFiles(ROOT);
  const missing = missingFor(ROOT, packages, platform, arch);
  if (missing.length > 0) {
    say(`Native packages of ${platform} ${arch} that are not installed here: ${missing.join(', ')}.`);
    say(`  npm install --no-save --os=${platform} --cpu=${arch}   brings them.`);
  }
  if (!hasFfmpeg()) {
    say(
      'ffmpeg is not in the package (ffmpeg-static is not installed): the app will use FFMPEG_PATH or the system’s own.',
    );
  }
  if (values.check) return 0;
  const dist = await electronFiles();
  if (dist === null) return 0;
  if (missing.length > 0) {
    process.stderr.write('No package was made: it would not run.\n');
    return 3;
  }
  return pack(dist);
}

/** electron-builder's own schema; null when the configuration fits it. */
async function checkConfig() {
  const require = createRequire(createRequire(join(ROOT, 'package.json')).resolve('electron-builder'));
  const { validateConfiguration } = require('app-builder-lib/out/util/config/config');
  const { DebugLogger } = require('builder-util');
  try {
    await validateConfiguration(config, new DebugLogger(false));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function listed(files) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const list = join(BUILD, 'files.txt');
  mkdirSync(BUILD, { recursive: true });
  writeFileSync(list, files.map((file) => `${String(file.bytes).padStart(10)}  ${file.path}\n`).join(''));
  const folders = new Map();
  for (const { path, bytes: size } of files) {
    const [first = '', second = ''] = path.split('/');
    const name = first === 'node_modules' && second !== '' ? `node_modules/${second}` : first;
    folders.set(name, (folders.get(name) ?? 0) + size);
  }
  say(
    `The studio in the package: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB (all of them: build/desktop/files.txt)`,
  );
  for (const [name, size] of [...folders].sort((a, b) => b[1] - a[1]).slice(0, 12)) {
    say(`  ${(size / 1e6).toFixed(1).padStart(6)} MB  ${name}`);
  }
}

function hasFfmpeg() {
  const folder = join(BUILD, 'resources', 'studio', 'node_modules', 'ffmpeg-static');
  return existsSync(join(folder, platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'));
}

/** Electron's files for the wished system: installed, or fetched (which a machine without network cannot). */
async function electronFiles() {
  const own = join(ROOT, 'node_modules', 'electron', 'dist');
  if (platform === process.platform && arch === process.arch && existsSync(join(own, 'version'))) return own;
  const require = createRequire(createRequire(join(ROOT, 'package.json')).resolve('electron-builder'));
  try {
    const { downloadArtifact } = await import(require.resolve('@electron/get', { paths: [ROOT] }));
    const wanted = { version: config.electronVersion, artifactName: 'electron', platform, arch };
    const timeout = new Promise((_, reject) => {
      setTimeout(() => reject(new Error('no answer within two minutes')), 120_000).unref();
    });
    return await Promise.race([downloadArtifact(wanted), timeout]);
  } catch (error) {
    say(
      `Electron ${config.electronVersion} for ${platform} ${arch} cannot be fetched here (${String(error.message ?? error).split('\n')[0]}).`,
    );
    say(
      'No package was made. The configuration is sound, and what would go in is in build/desktop/app and build/desktop/resources.',
    );
    return null;
  }
}

async function pack(dist) {
  const { build, Arch, Platform } = await import('electron-builder');
  const { name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const target = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC }[platform];
  const made = await build({
    projectDir: ROOT,
    targets: values.dir ? target.createTarget('dir', Arch[arch]) : target.createTarget(null, Arch[arch]),
    config: { ...config, electronDist: dist },
    publish: 'never',
  });
  say(`${name}: ${made.join(', ')}`);
  return 0;
}
