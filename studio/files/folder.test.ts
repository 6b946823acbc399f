import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { discardFolder, diskRoom, fillFolder, freePath, namesInFolder, pathExists, removeForgotten } from './folder.ts';

const folders = temporaryFolders();
afterAll(folders.clean);
let dir: string;
beforeEach(() => {
  dir = folders.make();
});
const put = (...names: string[]): void => {
  for (const name of names) writeFileSync(join(dir, name), 'x');
};

test('a folder that is not there has no names; a file in its place is an error', () => {
  put('file');
  expect(namesInFolder(join(dir, 'none'))).toEqual([]);
  expect(namesInFolder(dir)).toEqual(['file']);
  expect(() => namesInFolder(join(dir, 'file'))).toThrow('ENOTDIR');
});

test('what is there, and the first place where nothing is', async () => {
  put('a.tar', 'a-2.tar');
  expect([await pathExists(join(dir, 'a.tar')), await pathExists(join(dir, 'b.tar'))]).toEqual([true, false]);
  expect(await freePath(join(dir, 'a'), '.tar')).toBe(join(dir, 'a-3.tar'));
  expect(await freePath(join(dir, 'a'))).toBe(join(dir, 'a'));
});

test('the room of a disk is no more than its size', async () => {
  const { free, size } = await diskRoom(dir);
  expect(free).toBeGreaterThan(0);
  expect(size).toBeGreaterThanOrEqual(free);
  await expect(diskRoom(join(dir, 'none'))).rejects.toThrow('ENOENT');
});

test('old files of the names alone are removed, whatever else lies there', async () => {
  put('old.tmp', 'new.tmp', 'old.txt', 'later.tmp');
  mkdirSync(join(dir, 'folder.tmp'));
  for (const name of ['old.tmp', 'old.txt', 'folder.tmp']) utimesSync(join(dir, name), 1, 1);
  // A clock that was set back: of a time to come.
  utimesSync(join(dir, 'later.tmp'), 4e9, 4e9);
  await removeForgotten(dir, /\.tmp$/, 60_000);
  expect(readdirSync(dir).sort()).toEqual(['folder.tmp', 'new.tmp', 'old.txt']);
});

describe('a folder that is filled', () => {
  test('has its name at the end, with all that is in it', async () => {
    const made = await fillFolder(join(dir, 'set'), async (hidden) => {
      expect(existsSync(join(dir, 'set'))).toBe(false);
      writeFileSync(join(hidden, 'one'), '1');
      return 7;
    });
    expect([made, readdirSync(dir), readdirSync(join(dir, 'set'))]).toEqual([7, ['set'], ['one']]);
  });

  test('leaves nothing where filling it fails, or its place is taken', async () => {
    const failing = fillFolder(join(dir, 'set'), async (hidden) => {
      writeFileSync(join(hidden, 'one'), '1');
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(readdirSync(dir)).toEqual([]);
    mkdirSync(join(dir, 'taken'));
    writeFileSync(join(dir, 'taken', 'theirs'), '');
    await expect(fillFolder(join(dir, 'taken'), async () => undefined)).rejects.toThrow();
    expect([readdirSync(dir), readdirSync(join(dir, 'taken'))]).toEqual([['taken'], ['theirs']]);
  });

  test('by two at once is made by one of them', async () => {
    const place = join(dir, 'set');
    const both = await Promise.allSettled(
      ['a', 'b'].map((name) => fillFolder(place, async (hidden) => writeFileSync(join(hidden, name), name))),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readdirSync(place)).toHaveLength(1);
    expect(readdirSync(dir)).toEqual(['set']);
  });
});

test('a folder is removed with all that is in it; a link in it alone, and one that is not there says so', async () => {
  put('kept');
  mkdirSync(join(dir, 'set', 'deep'), { recursive: true });
  symlinkSync(join(dir, 'kept'), join(dir, 'set', 'link'));
  await discardFolder(join(dir, 'set'));
  expect(readdirSync(dir)).toEqual(['kept']);
  await expect(discardFolder(join(dir, 'set'))).rejects.toThrow('ENOENT');
});
