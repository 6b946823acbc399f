import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import {
  copyFound,
  copyFrom,
  fileIn,
  findFile,
  folderIn,
  hasFile,
  openFound,
  openGiven,
  placeIn,
  readIn,
  refuseStrangers,
  removeIn,
  statOf,
} from './inside.ts';

const folders = temporaryFolders();
let root: string;
let outside: string;
beforeEach(() => {
  const dir = folders.make();
  root = join(dir, 'root');
  outside = join(dir, 'outside');
  for (const folder of [root, join(root, 'sub'), outside]) mkdirSync(folder);
  writeFileSync(join(root, 'sub', 'a.txt'), 'inside');
  writeFileSync(join(outside, 'secret.txt'), 'secret');
});
afterEach(folders.clean);

const BAD = expect.objectContaining({ code: 'BAD_FILE' });

const LEADS_OUT = [
  '../outside/secret.txt',
  'sub/../../outside/secret.txt',
  '/etc/passwd',
  '..',
  '.',
  '',
  'sub//a.txt',
  'sub/',
  'sub\\a.txt',
  '..\\outside\\secret.txt',
  'C:/secret.txt',
  'c:secret.txt',
  'a\0b',
];

describe.each(LEADS_OUT)('a path that leads elsewhere (%j)', (path) => {
  test('is refused by everything that reads, writes or removes', () => {
    for (const use of [
      findFile,
      fileIn,
      placeIn,
      readIn,
      folderIn,
      removeIn,
      (r: string, p: string) => copyFrom(r, p, 'x'),
    ])
      expect(() => use(root, path)).toThrow(BAD);
    expect([hasFile(root, path), statOf(root, path)]).toEqual([false, null]);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });
});

describe.skipIf(process.platform === 'win32')('what is no plain file', () => {
  test('a link is not followed: not as the file, not as a folder on the way', () => {
    symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'));
    symlinkSync(outside, join(root, 'linked'));
    symlinkSync('sub/a.txt', join(root, 'near.txt'));
    for (const path of ['link.txt', 'linked/secret.txt', 'near.txt']) {
      expect(() => readIn(root, path)).toThrow(/is a link; only a plain/);
      expect(() => placeIn(root, path)).toThrow(BAD);
      expect(hasFile(root, path)).toBe(false);
    }
    expect(() => folderIn(root, 'linked')).toThrow(BAD);
    expect(() => folderIn(root, 'linked/new')).toThrow(BAD);
    expect(() => removeIn(root, 'linked/secret.txt')).toThrow(BAD);
    expect(() => openFound(join(root, 'link.txt'))).toThrow(BAD);
    expect(() => copyFound(join(root, 'link.txt'), join(root, 'copy'))).toThrow(BAD);
    expect(existsSync(join(outside, 'new'))).toBe(false);
    expect(() => refuseStrangers(root)).toThrow(BAD);
  });

  test('a link that is removed goes itself, never what it leads to', () => {
    symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'));
    removeIn(root, 'link.txt');
    expect(lstatSync(join(root, 'link.txt'), { throwIfNoEntry: false })).toBeUndefined();
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  test('a pipe is refused at once: nothing waits for its writer', () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    for (const use of [
      () => readIn(root, 'pipe'),
      () => openFound(join(root, 'pipe')),
      () => openGiven(join(root, 'pipe')),
      () => refuseStrangers(root),
    ])
      expect(use).toThrow(/is a device or pipe/);
    expect(hasFile(root, 'pipe')).toBe(false);
  });
});

test('a plain file is found, read and copied; a missing one says so', () => {
  expect(findFile(root, 'sub/a.txt')).toBe(join(root, 'sub', 'a.txt'));
  expect(readIn(root, 'sub/a.txt').toString()).toBe('inside');
  writeFileSync(join(root, 'large.json'), '');
  truncateSync(join(root, 'large.json'), 3e9);
  expect(() => readIn(root, 'large.json')).toThrow(/large\.json cannot be read: it has 2861 MB, and at most 64 MB/);
  copyFrom(root, 'sub/a.txt', join(root, 'b.txt'));
  expect(readIn(root, 'b.txt').toString()).toBe('inside');
  expect(() => copyFrom(root, 'sub/a.txt', join(root, 'b.txt'), { isNew: true })).toThrow(/EEXIST/);
  expect(() => copyFrom(root, 'large.json', join(root, 'c.txt'), { most: 1e6 })).toThrow(/it has 2861 MB/);
  expect(findFile(root, 'sub/none')).toBeNull();
  expect(findFile(root, 'none/none')).toBeNull();
  expect(placeIn(root, 'none/none')).toBe(join(root, 'none', 'none'));
  expect(() => fileIn(root, 'none')).toThrow(/is missing/);
  expect(folderIn(root, 'x/y')).toBe(join(root, 'x', 'y'));
  removeIn(root, 'b.txt');
  removeIn(root, 'b.txt');
  expect(existsSync(join(root, 'b.txt'))).toBe(false);
  expect(() => removeIn(root, 'sub')).toThrow(BAD);
});
