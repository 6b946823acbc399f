import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { openFolder } from '../recordings/closed.ts';
import { derivedKey } from '../recordings/derived.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { LEARNT_VERSION, learntOf } from './learnt.ts';

/** learnt.json is kept beside a demonstration: one that does not fit is not believed, and breaks nothing. */

const folders = temporaryFolders();
afterEach(folders.clean);

const clock = { x: 0, y: 0, width: 80, height: 80, blocks: [3, 4] };
const sound = { restless: clock, carets: [null], aways: [null] };
const NOTHING = { restless: null, carets: [], aways: [] };

/** Reads a learnt.json with this content, where there is no video to learn from anew. */
async function taken(content: object | string) {
  const folder = writeSample(folders.make(), sampleRecording());
  const closed = openFolder(folder);
  const key = `${LEARNT_VERSION} ${derivedKey(folder)}`;
  mkdirSync(join(folder, 'derived'), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify({ key, ...content });
  writeFileSync(join(folder, 'derived', 'learnt.json'), text);
  return learntOf(closed, { events: [], frames: [], steps: [] }, {} as FfmpegInfo); // Never asked.
}

test('a sound file is taken', async () => {
  expect(await taken(sound)).toMatchObject({ restless: clock });
});

test.each([
  ['torn', '{"key":'],
  ['of another recording', { ...sound, key: 'other' }],
  ['without its parts', {}],
  ['with a text in place of a list', { ...sound, carets: 'abc' }],
  ['with nothing in place of a list', { ...sound, carets: null }],
  ['with an object in place of a list', { ...sound, aways: { flatMap: 1 } }],
  [
    'that leaves the whole screen out',
    { ...sound, restless: { ...clock, blocks: Array.from({ length: 100 }, (_, n) => n) } },
  ],
  [
    'with a caret as large as a window',
    { ...sound, carets: [{ place: 0, blocks: Array.from({ length: 50 }, (_, n) => n) }] },
  ],
  ['with a place before the first', { ...sound, aways: [-1] }],
])('one %s is not', async (_, content) => {
  expect(await taken(content)).toMatchObject(NOTHING);
});
