import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { beforeAll, expect, test } from 'vitest';
import { WITH_BUILT_PACKAGES } from '../native/process/with-built-packages.ts';
import { MODULES } from './build-packages.mjs';
import { namedIn } from './imports.mjs';

const ROOT = join(import.meta.dirname, '..');
const run = promisify(execFile);

beforeAll(() => run(process.execPath, [join(import.meta.dirname, 'build-packages.mjs')]));

const packageOf = (name: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;

test('every module that the studio imports of a built package is built: beside a built one it would be there twice', () => {
  const packages = new Set(MODULES.map(packageOf));
  const sources = globSync('{schemas,core,native,studio}/**/*.ts', { cwd: ROOT }).filter(
    (file) => !/\.test\.|-for-tests/.test(file),
  );
  const imported = new Set(
    sources.flatMap((file) =>
      namedIn(file, readFileSync(join(ROOT, file), 'utf8')).imports.flatMap(({ to, typeOnly }) =>
        !typeOnly && packages.has(packageOf(to)) ? [to] : [],
      ),
    ),
  );
  expect([...imported].sort()).toEqual([...MODULES].sort());
});

test('a built module exports what its package exports', async () => {
  const script = `
    const all = {};
    for (const name of ${JSON.stringify(MODULES)}) all[name] = Object.keys(await import(name)).sort();
    console.log(JSON.stringify(all));`;
  const exported = async (options: readonly string[]) => {
    const words = [...options, '--input-type=module', '--eval', script];
    return JSON.parse((await run(process.execPath, words, { cwd: ROOT })).stdout);
  };
  expect(await exported(WITH_BUILT_PACKAGES)).toEqual(await exported([]));
});

/** Says which files of kysely are read: hooks that are registered later are asked first, and see what those before have found. */
const SAY = `
  import { registerHooks } from 'node:module';
  import { parentPort } from 'node:worker_threads';
  const seen = [];
  registerHooks({ resolve(name, context, next) { const found = next(name, context); seen.push(found.url); return found; } });
  await import('kysely');
  const text = seen.filter((url) => /kysely/.test(url)).map((url) => url.split('/').at(-1)).join();
  if (parentPort) parentPort.postMessage(text); else console.log(text);`;

test('processes and threads of ours load the built file, and no module of the package', async () => {
  // Below node_modules packages are found, and nothing is left in the project.
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.say-'));
  try {
    const file = join(folder, 'say.mjs');
    writeFileSync(file, SAY);
    expect((await run(process.execPath, [...WITH_BUILT_PACKAGES, file])).stdout.trim()).toBe('kysely.mjs');
    const thread = new Worker(file, { execArgv: [...WITH_BUILT_PACKAGES] });
    const [text] = await once(thread, 'message');
    expect(text).toBe('kysely.mjs');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('files of an earlier set-up stay for a day, since a program that runs may still load them', async () => {
  const root = mkdtempSync(join(tmpdir(), 'build-packages-'));
  try {
    const [old, young] = ['0123456789abcdef', 'fedcba9876543210'].map((name) => join(root, 'build', 'packages', name));
    for (const folder of [old!, young!]) mkdirSync(folder, { recursive: true });
    utimesSync(old!, new Date(), new Date(Date.now() - 2 * 86_400_000));
    mkdirSync(join(root, 'scripts'));
    copyFileSync(join(ROOT, 'scripts', 'build-packages.mjs'), join(root, 'scripts', 'build-packages.mjs'));
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    await run(process.execPath, [join(root, 'scripts', 'build-packages.mjs')]);
    expect([old!, young!].map((folder) => existsSync(folder))).toEqual([false, true]);
    expect(existsSync(join(root, 'build', 'packages', 'packages.json'))).toBe(true);
  } finally {
    rmSync(root, { recursive: true });
  }
});
