import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { memoryFolder } from '../support/memory-folder.ts';
import { run } from '../support/process.ts';

/** `npm ci` as each system does it: the lock file is taken, and every native dependency has its file. */

const ROOT = path.join(import.meta.dirname, '..', '..');
const SYSTEMS = ['win32-x64', 'win32-arm64', 'darwin-x64', 'darwin-arm64', 'linux-x64', 'linux-arm64'];
/** Each installation writes 30,000 files, which a disk takes longer to remove than npm to write. */
const parent = memoryFolder() ?? os.tmpdir();
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(parent, 'studio-ci-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** The native files of one system, below node_modules. */
function nativeFiles(system: string): RegExp[] {
  const build = { win32: '-msvc', linux: '-gnu', darwin: '' }[system.split('-')[0] ?? ''];
  const files = [
    `better-sqlite3/prebuilds/${system}\\.node`,
    `uiohook-napi/prebuilds/${system}/.*\\.node`,
    `@koromix/koffi-${system}/.*/koffi\\.node`,
    `@img/sharp-${system}/.*\\.node`,
    `@rolldown/binding-${system}${build}/.*\\.node`,
    `lightningcss-${system}${build}/.*\\.node`,
  ];
  // Windows that are open: macOS alone asks by this package (docs/decisions.md).
  if (system.startsWith('darwin')) files.push(`@miniben90/x-win-${system}/.*\\.node`);
  return files.map((file) => new RegExp(`^${file}$`));
}

it.each(SYSTEMS)('on %s', async (system) => {
  for (const file of ['package.json', 'package-lock.json'])
    fs.copyFileSync(path.join(ROOT, file), path.join(folder, file));
  const [platform, cpu] = system.split('-');
  const words = [
    'ci',
    `--os=${platform}`,
    `--cpu=${cpu}`,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  ];
  const how = { env: process.env, cwd: folder, timeoutMs: 230_000 };
  // Development packages are read from the lock file and not fetched: they are a gigabyte.
  const planned = await run('npm', [...words, '--dry-run'], how);
  expect(planned.status, planned.stderr).toBe(0);
  const installed = await run('npm', [...words, '--omit=dev'], how);
  expect(installed.status, installed.stderr).toBe(0);
  const modules = path.join(folder, 'node_modules');
  const found = fs
    .readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.node') && fs.statSync(path.join(modules, file)).size > 0);
  const missing = nativeFiles(system).filter((wanted) => !found.some((file) => wanted.test(file)));
  expect(missing, found.join('\n')).toEqual([]);
});
