import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { smallDisk } from '../store/small-disk-for-tests.ts';
import { isFolderLocked, withFolderLock } from './folder-lock.ts';
import { describeHolder } from './process-id.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
const MODULE = join(import.meta.dirname, 'folder-lock.ts');

/** Adds its number to `log` when it begins and when it ends, under the lock. */
const WORKER = (folder: string, id: number) => `
  import { appendFileSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  const { withFolderLock } = await import(${JSON.stringify(MODULE)});
  for (let n = 0; n < 5; n++) await withFolderLock(${JSON.stringify(folder)}, 'x', async () => {
    appendFileSync(${JSON.stringify(join(folder, 'log'))}, '${id}');
    await sleep(5);
    appendFileSync(${JSON.stringify(join(folder, 'log'))}, '${id}');
  });`;

const run = (code: string) => spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });

test('of several processes one works at a time, and nothing is left behind', async () => {
  const folder = folders.make();
  const ends = [1, 2, 3].map((id) => once(run(WORKER(folder, id)), 'exit'));
  expect((await Promise.all(ends)).map(([status]) => status)).toEqual([0, 0, 0]);
  expect(readFileSync(join(folder, 'log'), 'utf8')).toMatch(/^(11|22|33){15}$/);
  expect(readdirSync(folder)).toEqual(['log']);
});

test('two of one process take turns, and one that throws gives the lock back', async () => {
  const folder = folders.make();
  const order: string[] = [];
  const first = withFolderLock(folder, 'x', async () => {
    order.push('a');
    await new Promise((done) => setTimeout(done, 20));
    order.push('b');
    throw new Error('broken');
  });
  const second = withFolderLock(folder, 'x', async () => order.push('c'));
  await expect(first).rejects.toThrow('broken');
  await second;
  expect(order).toEqual(['a', 'b', 'c']);
});

test('a holder that was killed is not waited for, even by many at once', async () => {
  const folder = folders.make();
  const child = run('setInterval(() => {}, 1000)');
  const file = join(folder, '.x.lock');
  writeFileSync(file, JSON.stringify(describeHolder('gone', child.pid ?? 0)));
  child.kill('SIGKILL');
  await once(child, 'exit');
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await new Promise((done) => setTimeout(done, 5));
    inside--;
  };
  await Promise.all([1, 2, 3, 4].map(() => withFolderLock(folder, 'x', work)));
  expect(most).toBe(1);
});

test('what takes a lock over and died before the clock was set back keeps nobody waiting', async () => {
  const folder = folders.make();
  const file = join(folder, '.x.lock');
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  writeFileSync(file, JSON.stringify(describeHolder('gone', child.pid ?? 0)));
  writeFileSync(`${file}.take`, '');
  const tomorrow = new Date(Date.now() + 86_400_000);
  utimesSync(`${file}.take`, tomorrow, tomorrow);
  expect(await withFolderLock(folder, 'x', async () => 'done', { signal: AbortSignal.timeout(20_000) })).toBe('done');
});

test('a holder of another machine counts while it shows that it is there', async () => {
  const folder = folders.make();
  const file = join(folder, '.x.lock');
  writeFileSync(file, JSON.stringify({ ...describeHolder('t', 1), machine: 'another', host: 'another' }));
  const control = new AbortController();
  let waited: number | null = null;
  const waiting = withFolderLock(folder, 'x', async () => 'done', {
    signal: control.signal,
    onWait(pid) {
      waited = pid;
      control.abort(new Error('enough'));
    },
  });
  await expect(waiting).rejects.toThrow('enough');
  expect(waited).toBe(1);
  const long = new Date(Date.now() - 3_600_000);
  utimesSync(file, long, long);
  expect(await withFolderLock(folder, 'x', async () => 'done')).toBe('done');
});

test('a folder that is gone is said to be gone', async () => {
  await expect(withFolderLock(join(folders.make(), 'no'), 'x', async () => 0)).rejects.toMatchObject({
    code: 'BAD_FILE',
  });
});

test.runIf(process.platform !== 'win32')('a pipe in its place is waited for by nobody', async () => {
  const folder = folders.make();
  const file = join(folder, '.x.lock');
  execFileSync('mkfifo', [file]);
  utimesSync(file, 1, 1);
  expect(isFolderLocked(folder, 'x')).toBe(false);
  expect(await withFolderLock(folder, 'x', async () => 'done')).toBe('done');
});

test('on a full disk nothing is left that others would wait for', async () => {
  const place = join(folders.make(), 'disk');
  const disk = smallDisk(place, 2 ** 20);
  if (disk === null) return; // This user may mount nothing; studio/api/full-disk.test.ts looks at it in the whole.
  try {
    disk.fill();
    await expect(withFolderLock(place, 'x', async () => 'done')).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(readdirSync(place)).toEqual(['.ballast']);
    disk.free();
    expect(await withFolderLock(place, 'x', async () => 'done')).toBe('done');
  } finally {
    disk.remove();
  }
});

describe('a clock of this machine that is an hour wrong', () => {
  afterEach(() => void vi.useRealTimers());

  test.each([-3_600_000, 3_600_000])('by %i ms takes no lock from a holder of another machine', async (ms) => {
    const folder = folders.make();
    const file = join(folder, '.x.lock');
    writeFileSync(file, JSON.stringify({ ...describeHolder('t', 1), machine: 'another', host: 'another' }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    const control = new AbortController();
    const waiting = withFolderLock(folder, 'x', async () => 'done', {
      signal: control.signal,
      onWait: () => control.abort(new Error('enough')),
    });
    await expect(waiting).rejects.toThrow('enough');
  });

  test.each([-3_600_000, 3_600_000])('by %i ms shows others the right time of a lock of its own', async (ms) => {
    const folder = folders.make();
    const file = join(folder, '.x.lock');
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() + ms });
    await withFolderLock(folder, 'x', async () => {
      vi.advanceTimersByTime(60_000);
      writeFileSync(join(folder, 'now'), '');
      const off = statSync(join(folder, 'now')).mtimeMs - statSync(file).mtimeMs;
      expect(Math.abs(off)).toBeLessThan(100_000);
    });
  });
});
