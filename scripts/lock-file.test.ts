import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/**
 * `npm ci` refuses a lock file that lacks the optional packages of any system, on every system. npm leaves out of it what
 * its registry does not have, without a word: a version must be chosen whose packages are all published.
 */

type Locked = {
  optionalDependencies?: Record<string, string>;
  dependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
  hasInstallScript?: boolean;
};

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
// package-lock.json as npm writes it, lockfileVersion 3.
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const SYSTEMS = ['win32-x64', 'win32-arm64', 'darwin-x64', 'darwin-arm64', 'linux-x64', 'linux-arm64'];

/** The locked package that `from` gets when it asks for `name`, looked up as Node does. */
function resolved(from: string, name: string): Locked | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const found = packages[at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`];
    if (found || at === '') return found;
    if (!at.includes('/node_modules/')) at = '';
  }
}

/** Whether npm would run something of an installed package: a script of it, or node-gyp for its binding.gyp. */
function hasScripts(path: string): boolean {
  const { scripts = {} } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8')) as {
    scripts?: Record<string, string>;
  };
  const own = ['preinstall', 'install', 'postinstall'].some((name) => scripts[name] !== undefined);
  return own || existsSync(join(ROOT, path, 'binding.gyp'));
}

describe('package-lock.json', () => {
  test('names the packages with scripts as npm does, so that an install leaves it as it is', () => {
    const found = Object.keys(packages).filter(
      (path) => existsSync(join(ROOT, path, 'package.json')) && path !== '' && hasScripts(path),
    );
    expect(found).toContain('node_modules/better-sqlite3');
    expect(found.filter((path) => !packages[path]?.hasInstallScript)).toEqual([]);
  });

  test('has an entry for every optional package of every system', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !resolved(path, name))
        .map((name) => `${path || 'package.json'} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test.each(SYSTEMS)('has the native parts that recording and the studio need on %s', (system) => {
    const [os = '', cpu = ''] = system.split('-');
    const fits = (path: string): boolean => {
      const entry = packages[path];
      return (entry?.os ?? [os]).includes(os) && (entry?.cpu ?? [cpu]).includes(cpu);
    };
    const natives = ['koffi', 'sharp', 'rolldown', 'lightningcss'].filter((name) => {
      const parts = Object.keys(packages[`node_modules/${name}`]?.optionalDependencies ?? {});
      const own = parts.filter((part) => packages[`node_modules/${part}`]?.cpu);
      return !own.some((part) => fits(`node_modules/${part}`));
    });
    expect(natives).toEqual([]);
  });
});
