import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';

const run = promisify(execFile);
const LOADER = 'native/process/built-packages.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const LIST = {
  versions: { large: '1.0.0', '@of/other': '2.0.0' },
  modules: [
    { package: 'large', from: 'dist/index.js', built: 'abc/large.mjs' },
    { package: '@of/other', from: 'sub.js', built: 'abc/of-other-sub.mjs' },
  ],
};

/** A program with two packages, installed in `at` or above, and what was built of them. */
function program(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'built-packages-'));
  folders.push(folder);
  const all = {
    'package.json': '{ "type": "module" }',
    'node_modules/large/package.json': '{ "version": "1.0.0", "type": "module", "exports": "./dist/index.js" }',
    'node_modules/large/dist/index.js': `import { other } from '@of/other/sub'; export const from = 'installed with ' + other;`,
    'node_modules/@of/other/package.json':
      '{ "version": "2.0.0", "type": "module", "exports": { "./sub": "./sub.js" } }',
    'node_modules/@of/other/sub.js': `export const other = 'installed';`,
    'build/packages/packages.json': JSON.stringify(LIST),
    'build/packages/abc/large.mjs': `export { other } from './of-other-sub.mjs'; export const from = 'built';`,
    'build/packages/abc/of-other-sub.mjs': `export const other = 'built';`,
    'main.js': `import { from } from 'large'; import { other } from '@of/other/sub'; console.log(from + ', ' + other);`,
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, dirname(LOADER)), { recursive: true });
  copyFileSync(join(import.meta.dirname, 'built-packages.ts'), join(folder, LOADER));
  return folder;
}

async function said(folder: string, main = 'main.js'): Promise<string> {
  const { stdout } = await run(process.execPath, ['--import', join(folder, LOADER), join(folder, main)]);
  return stdout.trim();
}

test('packages are loaded as they were built', async () => {
  expect(await said(program())).toBe('built, built');
});

test('packages are loaded as they are installed where nothing was built', async () => {
  const folder = program();
  rmSync(join(folder, 'build'), { recursive: true });
  expect(await said(folder)).toBe('installed with installed, installed');
});

test.each([
  ['half a list', { 'build/packages/packages.json': JSON.stringify(LIST).slice(0, 60) }],
  [
    'another version of one of them',
    {
      'node_modules/@of/other/package.json':
        '{ "version": "2.0.1", "type": "module", "exports": { "./sub": "./sub.js" } }',
    },
  ],
])('%s: all are loaded as they are installed', async (_what, files) => {
  expect(await said(program(files))).toBe('installed with installed, installed');
});

test('a package with a copy of its own of another version keeps it', async () => {
  const folder = program({
    'node_modules/third/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/third/index.js': `import { from } from 'large'; console.log(from);`,
    'node_modules/third/node_modules/large/package.json':
      '{ "version": "0.1.0", "type": "module", "exports": "./dist/index.js" }',
    'node_modules/third/node_modules/large/dist/index.js': `export const from = 'its own';`,
    'main.js': `import 'third'; import { from } from 'large'; console.log(from);`,
  });
  expect(await said(folder)).toBe('its own\nbuilt');
});

test('the program may be a package among others, with its packages above it', async () => {
  const folder = program({
    'node_modules/studio/package.json': '{ "type": "module" }',
    'node_modules/studio/main.mjs': `import { from } from 'large'; console.log(from);`,
    'node_modules/studio/build/packages/packages.json': JSON.stringify(LIST),
    'node_modules/studio/build/packages/abc/large.mjs': `export const from = 'built in the package';`,
    [`node_modules/studio/${LOADER}`.replace(/\.ts$/, '.mjs')]: '',
  });
  // Node reads no TypeScript there: packages hold plain JavaScript.
  const { stripTypeScriptTypes } = await import('node:module');
  const { readFileSync } = await import('node:fs');
  const loader = join(folder, 'node_modules/studio', LOADER.replace(/\.ts$/, '.mjs'));
  writeFileSync(loader, stripTypeScriptTypes(readFileSync(join(folder, LOADER), 'utf8')));
  const { stdout } = await run(process.execPath, ['--import', loader, join(folder, 'node_modules/studio/main.mjs')]);
  expect(stdout.trim()).toBe('built in the package');
});
