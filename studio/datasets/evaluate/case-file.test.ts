import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolders } from '../../store/recording-for-tests.ts';
import { caseFile } from './case-file.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('a folder is refused before anything is scored', () => {
  const folder = folders.make();
  expect(() => caseFile(folder)).toThrow(/is a folder/);
  expect(readdirSync(folder)).toEqual([]);
});

test('what could not be given its name says why, and leaves nothing', () => {
  const folder = folders.make();
  const file = join(folder, 'cases.jsonl');
  const cases = caseFile(file);
  mkdirSync(join(file, 'taken-meanwhile'), { recursive: true });
  expect(() => cases.commit()).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
  cases.discard();
  expect(readdirSync(folder)).toEqual(['cases.jsonl']);
});
