import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { currentKeyframes } from './stills.ts';

const folders = temporaryFolders();
afterEach(folders.clean);

test('the stills of the sample are those of the rules of today: whoever opens it first cuts none', async () => {
  const recordings = join(import.meta.dirname, '../../assets/sample/recordings');
  const [name = ''] = readdirSync(recordings);
  const folder = join(folders.make(), name);
  cpSync(join(recordings, name), folder, { recursive: true });
  const index = await currentKeyframes(folder);
  const used = new Set(index.keyframes.map(({ file }) => file));
  expect(readdirSync(join(folder, 'keyframes')).sort()).toEqual([...used, 'index.json'].sort());
  expect(readdirSync(folder).sort()).toEqual(readdirSync(join(recordings, name)).sort());
});
