import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { move, removeKilledMoves } from './move.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

/** The answer of a file system when the place is on another one. */
const otherDisk = async (): Promise<void> => {
  throw Object.assign(new Error('EXDEV: cross-device link not permitted'), { code: 'EXDEV' });
};

function filled(): { from: string; to: string } {
  const dir = folders.make();
  const from = join(dir, 'here', 'rec');
  mkdirSync(join(from, 'keyframes'), { recursive: true });
  mkdirSync(join(dir, 'there'));
  writeFileSync(join(from, 'screen.mkv'), Buffer.alloc(3_000_000, 7));
  writeFileSync(join(from, 'keyframes', '1.png'), 'png');
  utimesSync(join(from, 'screen.mkv'), 1_700_000_000, 1_700_000_000);
  return { from, to: join(dir, 'there', 'rec') };
}

const contentOf = (folder: string): [string, string][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')])
    .sort();

test.each([
  ['the same disk', rename],
  ['another disk', otherDisk],
])('a folder moves to %s: all of it, once', async (_where, renaming) => {
  const { from, to } = filled();
  const before = contentOf(from);
  await move(from, to, renaming);
  expect(contentOf(to)).toEqual(before);
  expect(statSync(join(to, 'screen.mkv')).mtimeMs).toBe(1_700_000_000_000);
  expect(existsSync(from)).toBe(false);
  expect(readdirSync(join(to, '..'))).toEqual(['rec']);
});

test('a file moves to another disk, too', async () => {
  const { from, to } = filled();
  await move(join(from, 'screen.mkv'), `${to}.mkv`, otherDisk);
  expect(statSync(`${to}.mkv`).size).toBe(3_000_000);
  expect(existsSync(join(from, 'screen.mkv'))).toBe(false);
});

test('links stay links on the way to another disk, and what is there already is not overwritten', async () => {
  const { from, to } = filled();
  symlinkSync('keyframes/1.png', join(from, 'link'));
  mkdirSync(to);
  await expect(move(from, to, otherDisk)).rejects.toMatchObject({ code: 'EEXIST' });
  expect([readdirSync(to), existsSync(join(from, 'screen.mkv'))]).toEqual([[], true]);
  expect(readdirSync(join(to, '..'))).toEqual(['rec']);
  await move(from, `${to}-2`, otherDisk);
  expect(lstatSync(join(`${to}-2`, 'link')).isSymbolicLink()).toBe(true);
});

test('any other error is told as it is', async () => {
  const { from } = filled();
  await expect(move(from, join(from, 'nowhere', 'x'))).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
  expect(existsSync(join(from, 'screen.mkv'))).toBe(true);
});

test('a copy whose process was killed goes: when something is moved there again, or the workspace is opened', async () => {
  const { from, to } = filled();
  const there = join(to, '..');
  const script = `
    const { move } = await import(${JSON.stringify(join(import.meta.dirname, 'move.ts'))});
    const { promises } = await import('node:fs');
    const otherDisk = async () => { throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' }); };
    setInterval(() => {
      if (require('node:fs').readdirSync(${JSON.stringify(there)}).length > 0) process.kill(process.pid, 'SIGKILL');
    }, 0);
    const { syncBuiltinESMExports } = require('node:module');
    promises.rename = () => new Promise(() => undefined);
    syncBuiltinESMExports();
    await move(${JSON.stringify(from)}, ${JSON.stringify(to)}, otherDisk);`;
  const head = "import { createRequire } from 'node:module'; const require = createRequire('/');";
  spawnSync(process.execPath, ['--input-type=module', '-e', head + script]);
  expect(readdirSync(there)).toEqual([expect.stringMatching(/^\..*\.moving$/)]);
  // One that is under way, and one of another machine.
  const [ours] = readdirSync(there);
  const own = ours!.replace(/\.\d+\.moving$/, `.${process.pid}.moving`);
  const others = ours!.replace(/\.[0-9a-f]{8}\.\d+\.moving$/, '.00000000.1.moving');
  for (const name of [own, others]) mkdirSync(join(there, name));
  await removeKilledMoves(there);
  expect(readdirSync(there).sort()).toEqual([own, others].sort());
  await removeKilledMoves(there, Date.now() + 2 * 24 * 3_600_000);
  expect(readdirSync(there)).toEqual([own]);
  await move(from, to, otherDisk);
  expect(existsSync(join(to, 'screen.mkv'))).toBe(true);
});
