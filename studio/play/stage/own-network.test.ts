import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { openCage } from './cage.ts';
import { bareStage } from './folder-for-tests.ts';
import { canHaveOwnNetwork, insideOf } from './own-network.ts';

const folders = temporaryFolders();
afterEach(() => {
  vi.unstubAllEnvs();
  folders.clean();
});

test.runIf(process.platform !== 'win32')(
  'bubblewrap is heard to its last word: nobody ends it in the middle',
  async () => {
    const pieces = [
      String.raw`{\n    "child-pid": 4711`,
      String.raw`,\n    "net-namespace": 4026532281`,
      String.raw`\n}\n`,
    ];
    const script = pieces.map((piece) => `printf '${piece}'`).join(' && sleep 0.2 && ');
    const said = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(said, 'exit');
    expect(await insideOf(said.stdout)).toBe(4711);
    expect(await ended).toEqual([0, null]);
  },
);

test('one that ends without a word is an error', async () => {
  const said = spawn(process.execPath, ['-e', ''], { stdio: ['ignore', 'pipe', 'ignore'] });
  await expect(insideOf(said.stdout)).rejects.toMatchObject({ code: 'CAPTURE_FAILED' });
});

test.runIf(process.platform === 'linux' && canHaveOwnNetwork())(
  'nobody touches the network of a cage before bubblewrap has set it up',
  async () => {
    const bin = folders.make();
    const program = (name: string, lines: string[]): void =>
      writeFileSync(join(bin, name), ['#!/bin/sh', ...lines].join('\n'), { mode: 0o755 });
    const [made, seen] = [join(bin, 'made'), join(bin, 'seen')];
    // It says what it has started before that is whole, and a busy machine leaves much time between both.
    program('bwrap', [
      `printf '{"child-pid": %s}' $$ >&5; exec 5>&-`,
      `sleep 0.5; touch ${made}`,
      'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
    ]);
    program('slirp4netns', [`if [ -e ${made} ]; then echo whole; else echo early; fi >${seen}`, 'echo 1 >&3; sleep 1']);
    vi.stubEnv('TMPDIR', folders.make());
    const { id } = bareStage();
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const wishes = { id, network: true, keep: false, programs: [], env };
    const place = await openCage(wishes, { way: [], sizes: false });
    expect(readFileSync(seen, 'utf8').trim()).toBe('whole');
    process.kill(-(place.pid ?? 0), 'SIGKILL');
  },
);
