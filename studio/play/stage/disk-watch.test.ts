import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { watchDisk, watchKept } from './disk-watch.ts';
import { bareStage } from './folder-for-tests.ts';
import { homeOf, stageFolder } from './home.ts';

/** Stages that write more than they may; the most is small here, so that no disk is filled. */

const folders = temporaryFolders();
const MIB = 2 ** 20;
let id = '';
beforeEach(() => {
  vi.stubEnv('TMPDIR', folders.make());
  ({ id } = bareStage());
});
afterEach(() => {
  rmSync(stageFolder(id), { recursive: true, force: true });
  vi.unstubAllEnvs();
  folders.clean();
});

const write = (name: string, bytes: number): void => {
  const path = join(homeOf(id), name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, Buffer.alloc(bytes, 7));
};

test('a stage that has written more than it may is ended once, and says why; what it only links to does not count', async () => {
  const end = vi.fn();
  const large = join(folders.make(), 'large');
  writeFileSync(large, Buffer.alloc(8 * MIB, 7));
  symlinkSync(large, join(homeOf(id), 'link'));
  const watch = watchDisk(id, end, 4 * MIB);
  write('small', MIB);
  await new Promise((done) => setTimeout(done, 2500));
  expect([end.mock.calls.length, watch.ended()]).toEqual([0, null]);
  write('deep/down/below', 6 * MIB);
  await vi.waitFor(() => expect(end).toHaveBeenCalled(), 60_000);
  expect(watch.ended()).toBe('The stage was ended: its programs had written more than 4 MB to the disk.');
  write('more', 6 * MIB);
  await new Promise((done) => setTimeout(done, 1500));
  expect(end).toHaveBeenCalledTimes(1);
  watch.stop();
}, 240_000);

test('a watch that was stopped ends nothing, nor does one of a stage that is gone', async () => {
  const end = vi.fn();
  const stopped = watchDisk(id, end, MIB);
  stopped.stop();
  write('large', 4 * MIB);
  const gone = watchDisk(id, end, MIB);
  rmSync(stageFolder(id), { recursive: true });
  await new Promise((done) => setTimeout(done, 2500));
  expect([end.mock.calls.length, stopped.ended(), gone.ended()]).toEqual([0, null, null]);
  gone.stop();
}, 240_000);

test('a stage that is kept is watched by a process of its own, which ends what runs in it, and then itself', async () => {
  // As bubblewrap does: a process, and below it what runs inside.
  const outer = spawn('sh', ['-c', 'sleep 600 & wait'], { stdio: 'ignore' });
  const { pid } = outer;
  if (pid === undefined) throw new Error('no shell could be started');
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const watcher = watchKept(id, pid, env, { most: 2 * MIB, everyS: 1 });
  const over = once(watcher, 'exit');
  const inner = (): string => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  await vi.waitFor(() => expect(inner()).not.toBe(''), 60_000);
  await new Promise((done) => setTimeout(done, 2000));
  expect(inner()).not.toBe('');
  const ended = once(outer, 'exit');
  write('large', 8 * MIB);
  await ended;
  await over;
}, 240_000);
