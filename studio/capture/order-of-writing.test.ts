import { join, relative } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';

/** Flushes and renames in the order in which they were asked of the system: what a power cut may find. */
const done = vi.hoisted(() => ({
  steps: [] as { what: 'flush' | 'rename'; path: string }[],
  paths: new Map<number, string>(),
}));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    openSync(...args: Parameters<typeof fs.openSync>) {
      const fd = fs.openSync(...args);
      done.paths.set(fd, String(args[0]));
      return fd;
    },
    fsyncSync(fd: number) {
      fs.fsyncSync(fd);
      done.steps.push({ what: 'flush', path: done.paths.get(fd) ?? '?' });
    },
    renameSync(from: string, to: string) {
      fs.renameSync(from, to);
      done.steps.push({ what: 'rename', path: to });
    },
  };
});
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof import('node:fs/promises')>();
  return {
    ...fs,
    async open(...args: Parameters<typeof fs.open>) {
      const file = await fs.open(...args);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        await sync();
        done.steps.push({ what: 'flush', path: String(args[0]) });
      };
      return file;
    },
  };
});

const { mkdirSync, writeFileSync } = await import('node:fs');
const { writeKilled } = await import('./killed-for-tests.ts');
const { recoverRecording } = await import('./recover.ts');
const { temporaryFolders } = await import('../store/recording-for-tests.ts');
const { cutKeyframes } = await import('../recordings/cut.ts');
const { makePlaybackCopy } = await import('../recordings/playback.ts');
const { findFfmpeg } = await import('../../native/ffmpeg/find.ts');

const folders = temporaryFolders();
afterAll(folders.clean);
let folder = '';
beforeEach(async () => {
  folder = join(folders.make(), 'recording');
  await writeKilled(folder);
  done.steps.length = 0;
});

/** Where something first happened; -1: never. */
const when = (what: 'flush' | 'rename', name: string): number =>
  done.steps.findIndex((step) => step.what === what && relative(folder, step.path) === name);

test('a verdict is written after everything that it speaks of is on the disk', async () => {
  mkdirSync(join(folder, 'keyframes'), { recursive: true });
  writeFileSync(join(folder, 'keyframes', '5.png'), 'a still');
  await recoverRecording(folder);
  const verdict = when('rename', 'recording.json');
  const before = ['events.jsonl', 'frames.jsonl', 'windows.jsonl', 'screen.mkv', 'screen-1.mkv', 'keyframes/5.png'];
  for (const name of [...before, 'keyframes', '', '..']) {
    expect(when('flush', name), name).toBeGreaterThanOrEqual(0);
    expect(when('flush', name), name).toBeLessThan(verdict);
  }
  // The files before their folder, and the new recording.json's folder after it.
  expect(when('flush', 'keyframes/5.png')).toBeLessThan(when('flush', 'keyframes'));
  const folderAgain = done.steps.findLastIndex(({ what, path }) => what === 'flush' && path === folder);
  expect(folderAgain).toBeGreaterThan(verdict);
});

test('the list of stills is written after the stills, and the playback copy named after it is there', async () => {
  await recoverRecording(folder);
  done.steps.length = 0;
  const ffmpeg = await findFfmpeg();
  const { keyframes } = (await cutKeyframes(folder, ffmpeg)).keyframes;
  expect(keyframes.length).toBeGreaterThan(0);
  for (const { file } of keyframes) {
    expect(when('flush', `keyframes/${file}`), file).toBeGreaterThanOrEqual(0);
    expect(when('flush', `keyframes/${file}`), file).toBeLessThan(when('rename', 'keyframes/index.json'));
  }
  await makePlaybackCopy(folder, ffmpeg, () => undefined);
  const named = when('rename', 'recording.json');
  const copy = done.steps.findIndex(({ what, path }) => what === 'flush' && /screen\.mp4/.test(path));
  expect(copy).toBeGreaterThanOrEqual(0);
  expect(copy).toBeLessThan(named);
});
