import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { lacking, missingOf, PACKAGES, type Seen } from './setup-packages.mjs';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Notes what it was asked for, and makes each package's program when it is told to. */
const aptGet = (log: string, folder: string, installs: boolean): string => `#!/bin/sh
echo "$*" >> '${log}'
[ "$1" = install ] || exit 0
${installs ? `for name in "$@"; do /bin/cp '${folder}/apt-get' '${folder}/'"$name"; done` : 'exit 100'}
`;
const SUDO = `#!/bin/sh
while [ "$1" != "\${1#-}" ]; do shift; done
[ "$1" = true ] || exec "$@"
`;

/** Runs the set-up on a machine whose PATH holds only these programs. */
function setUp(args: readonly string[], apt: 'works' | 'fails' | 'missing') {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'));
  folders.push(folder);
  const log = join(folder, 'log');
  if (apt !== 'missing') {
    writeFileSync(join(folder, 'apt-get'), aptGet(log, folder, apt === 'works'));
    writeFileSync(join(folder, 'sudo'), SUDO);
    for (const name of ['apt-get', 'sudo']) chmodSync(join(folder, name), 0o755);
  }
  const script = join(import.meta.dirname, 'setup.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env: { PATH: folder },
    encoding: 'utf8',
  });
  const asked = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  return { status, stdout, stderr, asked };
}

describe.skipIf(process.platform !== 'linux')('the set-up', () => {
  test('for tests installs what is missing with apt-get, all at once', () => {
    const { status, asked } = setUp(['--for', 'test'], 'works');
    expect(status).toBe(0);
    expect(asked[0]).toMatch(/^install -y --no-install-recommends .*\bxdotool openbox xterm\b/);
  });

  test('for the start leaves out what only tests use', () => {
    const { status, stderr } = setUp(['--for', 'start'], 'missing');
    expect(status).toBe(0);
    expect(stderr).not.toContain('xdotool');
  });

  test('reads the lists and tries one by one when all at once fails, then says what to do, and does not fail', () => {
    const { status, stderr, asked } = setUp(['--for', 'test'], 'fails');
    expect(status).toBe(0);
    expect(asked).toContain('update');
    expect(asked).toContain('install -y --no-install-recommends xdotool');
    expect(stderr).toMatch(/Could not install: .*xdotool/);
  });

  test('elsewhere says plainly what to install, and does not fail', () => {
    const { status, stderr } = setUp(['--for', 'test'], 'missing');
    expect(status).toBe(0);
    expect(stderr).toMatch(/Please install: .*xdotool/);
  });

  test('a purpose that it does not know is refused', () => {
    expect(setUp(['--for', 'fun'], 'missing')).toMatchObject({ status: 2, stderr: expect.stringContaining('fun') });
  });
});

describe('what is missing', () => {
  const everything = new Set(PACKAGES.flatMap(({ library }) => library ?? []));
  /** A machine that has everything, but for the changes. */
  const seen = (changes: Partial<Seen> = {}): Seen => ({
    purpose: 'start',
    hasElectron: false,
    hasOwnFfmpeg: false,
    libraries: everything,
    hasProgram: () => true,
    hasFile: () => true,
    ...changes,
  });
  const names = (changes: Partial<Seen>): string[] => missingOf(PACKAGES, seen(changes)).map(({ name }) => name);
  const without = (...gone: string[]): ReadonlySet<string> =>
    new Set([...everything].filter((name) => !gone.includes(name)));

  test('the libraries of the desktop app are wanted where Electron’s program is, and nowhere else', () => {
    const libraries = without('libnss3.so', 'libgtk-3.so.0', 'libasound.so.2', 'libgbm.so.1', 'libatk-bridge-2.0.so.0');
    expect(names({ libraries })).toEqual([]);
    expect(names({ libraries, purpose: 'test' })).toEqual([]);
    expect(names({ libraries, hasElectron: true }).toSorted()).toEqual([
      'libasound2',
      'libatk-bridge2.0-0',
      'libgbm1',
      'libgtk-3-0',
      'libnss3',
    ]);
    // The recorder's packages are wanted in any case.
    expect(names({ libraries: without('libXtst.so.6') })).toEqual(['libxtst6']);
  });

  test('a machine that lacks nothing wants nothing; one whose loader cannot be asked is not accused of anything', () => {
    expect(names({ hasElectron: true, purpose: 'test' })).toEqual([]);
    expect(names({ hasElectron: true, libraries: null })).toEqual([]);
  });

  test('what only the benches use is installed for them alone, with what tests need', () => {
    const hasProgram = (name: string): boolean => name !== 'xdotool';
    const hasFile = (path: string): boolean => !path.includes('libreoffice');
    expect(names({ hasProgram, hasFile, purpose: 'test' })).toEqual(['xdotool']);
    expect(names({ hasProgram, hasFile })).toEqual([]);
    const office = PACKAGES.flatMap(({ name }) => (name.startsWith('libreoffice-') ? name : []));
    expect(names({ hasProgram, hasFile, purpose: 'bench' })).toEqual(['xdotool', ...office]);
    const calc = PACKAGES.filter(({ name }) => name === 'libreoffice-calc');
    expect(lacking(calc)).toEqual([expect.stringContaining('benches and tests leave their programs out')]);
  });

  test('Chromium’s shell is wanted with Debian’s Chromium, and not where it came another way', () => {
    const lacks = (gone: readonly string[]) => names({ purpose: 'test', hasProgram: (name) => !gone.includes(name) });
    const shell = 'chromium-headless-shell';
    expect(lacks([shell])).toEqual([shell]);
    expect(lacks(['chromium', shell])).toEqual(['chromium', shell]);
    const elsewhere = missingOf(
      PACKAGES.filter(({ name }) => name === shell),
      seen({ purpose: 'test', hasProgram: (name) => name !== shell, hasFile: () => false }),
    );
    expect(elsewhere).toEqual([]);
  });

  test('an ffmpeg of one’s own is as good as the package', () => {
    const hasProgram = (name: string): boolean => name !== 'ffmpeg';
    expect(names({ hasProgram })).toEqual(['ffmpeg']);
    expect(names({ hasProgram, hasOwnFfmpeg: true })).toEqual([]);
  });

  test('what cannot be done without them is said for each purpose', () => {
    const of = (...wanted: string[]) => PACKAGES.filter(({ name }) => wanted.includes(name));
    expect(lacking(of('libnss3', 'libgtk-3-0'))).toEqual([
      'Without libnss3, libgtk-3-0 the desktop app does not start; the browser serves instead.',
    ]);
    expect(lacking(of('ffmpeg', 'libnss3'))).toEqual([
      'Without ffmpeg nothing can be recorded.',
      expect.stringContaining('desktop app'),
    ]);
    expect(lacking(of('xdotool'))).toEqual([expect.stringContaining('Only tests')]);
  });
});
