import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { changesOfCompositions } from './changes-of-compositions.ts';

const folders = temporaryFolders();
afterAll(folders.clean);

test('a composition or a run that any program writes or removes is news once', () => {
  const dir = folders.make();
  const isNew = changesOfCompositions(dir);
  expect(isNew()).toBe(false);
  let second = 1_700_000_000;
  for (const folder of ['compositions', 'composition-runs']) {
    mkdirSync(join(dir, folder));
    for (const change of [
      () => writeFileSync(join(dir, folder, 'a.json'), '{}'),
      () => rmSync(join(dir, folder, 'a.json')),
    ]) {
      change();
      // A file system may count time in steps that are longer than this test.
      utimesSync(join(dir, folder), ++second, second);
      expect([isNew(), isNew()]).toEqual([true, false]);
    }
  }
});
