import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { writeFileAtomic, writeNewFile } from './atomic.ts';
import { makeOwnKey, readOwnKey } from './own-key.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

test('a file is replaced whole, and nothing else stays in the folder', () => {
  const folder = folders.make();
  writeFileSync(join(folder, 'a.json'), 'a long old content');
  writeFileAtomic(join(folder, 'a.json'), 'new');
  expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['a.json']);
});

test('a write that fails leaves no temporary file', () => {
  const folder = folders.make();
  writeFileSync(join(folder, 'file'), '');
  // The target is a folder that is not empty, so the rename fails.
  expect(() => writeFileAtomic(folder, 'text')).toThrow();
  expect(readdirSync(folder)).toEqual(['file']);
});

test('a new file is written where none is, and replaces nothing', () => {
  const folder = folders.make();
  const path = join(folder, 'key');
  expect(writeNewFile(path, 'first')).toBe(true);
  expect(writeNewFile(path, 'second')).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(readdirSync(folder)).toEqual(['key']);
});

test('two programs that make a key at once have one, and a broken one is made anew', () => {
  const folder = folders.make();
  const first = makeOwnKey(folder, 'key');
  expect(makeOwnKey(folder, 'key')).toBe(first);
  writeFileSync(join(folder, 'key'), 'torn');
  const anew = makeOwnKey(folder, 'key');
  expect(readOwnKey(folder, 'key')).toBe(anew);
});
