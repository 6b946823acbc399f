import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

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
