import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StudioError } from '../../schemas/errors.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { checkTarget } from './target.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('an export is written outside the recordings, in a folder that is there, over nothing', () => {
  const dir = folders.make();
  const recordingsDir = join(dir, 'recordings');
  mkdirSync(recordingsDir);
  writeFileSync(join(dir, 'old.tar'), '');
  const codeFor = (target: string): string => {
    try {
      checkTarget(target, { recordingsDir });
      return 'taken';
    } catch (error) {
      return error instanceof StudioError ? `${error.code} ${error.message}` : String(error);
    }
  };
  expect(codeFor(join(dir, 'new.tar'))).toBe('taken');
  // Only begins alike.
  expect(codeFor(`${recordingsDir}.tar`)).toBe('taken');
  expect(codeFor(recordingsDir)).toMatch(/^USAGE .*lies among the workspace's recordings/);
  expect(codeFor(join(recordingsDir, 'new.tar'))).toMatch(/^USAGE .*lies among the workspace's recordings/);
  expect(codeFor(join(dir, 'old.tar'))).toMatch(/^TARGET_EXISTS /);
  expect(codeFor(join(dir, 'none', 'new.tar'))).toMatch(/^USAGE There is no folder /);
});
