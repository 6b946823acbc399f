import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { NATIVE_MODULES } from '../studio/session/doctor/doctor.ts';
import { namedIn } from './imports.mjs';
import { config, ROOT } from './package-config.mjs';
import { missingFor, studioFiles } from './package-files.mjs';

// The scripts that make a package do this too.
beforeAll(() => void execFileSync(process.execPath, [join(import.meta.dirname, 'build-packages.mjs')]));

test('the package opens no door that Electron would leave open', () => {
  expect(config.electronFuses).toMatchObject({
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    enableCookieEncryption: true,
  });
  expect(config.asar).toBe(true);
  expect(config.publish).toBeNull();
});

test('every system and processor has its package, its icon and its words for permissions', () => {
  const targets = [config.win, config.mac, config.linux].flatMap(({ target }) => target);
  expect(targets.map(({ target, arch }) => `${target} ${arch.join(' ')}`)).toEqual([
    'nsis x64 arm64',
    'dmg x64 arm64',
    'AppImage x64 arm64',
    'deb x64 arm64',
  ]);
  expect(readFileSync(join(ROOT, config.win.icon)).subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
  const icns = readFileSync(join(ROOT, config.mac.icon));
  expect([icns.subarray(0, 4).toString(), icns.readUInt32BE(4)]).toEqual(['icns', icns.length]);
  for (const text of Object.values(config.mac.extendInfo)) expect(text).toMatch(/^Trajectory Studio .*\.$/);
});

test('what goes in is followed from the command line: workers and processes too, no development package', () => {
  const { scripts, data, packages } = studioFiles(ROOT);
  const names = [...packages.values()].map(({ name }) => name);
  expect([...scripts.keys()]).toEqual(
    expect.arrayContaining([
      'studio/capture/capture-main.ts',
      'native/linux/grab-worker.ts',
      'studio/session/recorder/preflight-main.ts',
    ]),
  );
  expect([...scripts.keys()].filter((file) => /^(?:test|renderer|electron)\/|\.test\.ts$/.test(file))).toEqual([]);
  expect(data).toEqual(
    expect.arrayContaining([
      'assets/sample',
      'build/packages/',
      'renderer/dist',
      'native/macos/patch.jxa.js',
      'native/macos/stage.jxa.js',
    ]),
  );
  expect(names).toEqual(expect.arrayContaining([...NATIVE_MODULES, 'zod']));
  for (const name of ['vite', 'electron', 'typescript', 'vitest', 'aws4fetch', 'openid-client', 'oidc-provider'])
    expect(names).not.toContain(name);
  // Every import and every file named beside another is in the package, under the name that is asked for.
  const packaged = new Set([...scripts.keys()].map((file) => file.replace(/\.ts$/, '.js')));
  for (const [file, script] of scripts) {
    const { imports, beside } = namedIn(file, script);
    for (const { to } of [...imports, ...beside].filter(({ to }) => to.startsWith('.'))) {
      const target = posix.join(posix.dirname(file), to);
      // The pages are built before; what builds them stays at home. The package's own folder needs no entry.
      if (/(?:\/build-main\.js|^\.\/?|^package\.json)$/.test(target)) continue;
      const there = [...packaged, ...data].some((has) => target === has || target.startsWith(`${has}/`));
      expect([file, to, there]).toEqual([file, to, true]);
    }
  }
});

test('native packages of another system are named before a package is made that would not run', () => {
  const { packages } = studioFiles(ROOT);
  const own = missingFor(ROOT, packages, process.platform, process.arch);
  expect(own).toEqual([]);
  const other = missingFor(ROOT, packages, process.platform === 'win32' ? 'linux' : 'win32', 'x64');
  expect(other).toEqual(expect.arrayContaining([expect.stringMatching(/^@img\/sharp-/)]));
});
