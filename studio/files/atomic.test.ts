import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { writeFileAtomic } from './atomic.ts';

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
