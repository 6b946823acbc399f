import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMkvIndex } from '../../native/mkv/read.ts';
import { type HostileReader, hostile } from '../../test/support/growth.ts';
import { checkMaster } from '../recordings/segments.ts';
import { readTextsFile, textsKey } from '../recordings/texts/read-texts.ts';
import {
  EVENTS_FILE,
  readEvents,
  readFrameEntries,
  readFrames,
  readWindows,
  WINDOWS_FILE,
} from '../store/recording-folder.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';

/** Files of a recording's folder as a stranger may have written them. */

const file = (place: string, name: string, content: string | Buffer): string => {
  writeFileSync(join(place, name), content);
  return place;
};

const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x80];
/** Both of unknown length. */
const SEGMENT = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const mkv = (what: string, bytes: readonly number[]): HostileReader =>
  hostile(
    `screen.mkv: ${what}`,
    (n, place) => {
      const path = join(place, 'screen.mkv');
      writeFileSync(path, Buffer.concat([Buffer.from(EBML), Buffer.alloc(n * bytes.length, Buffer.from(bytes))]));
      return path;
    },
    (path) => readMkvIndex(path),
    { upTo: 1_000_000 },
  );

const events = (what: string, line: (n: number) => string): HostileReader =>
  hostile(
    `events.jsonl: ${what}`,
    (n, place) => file(place, EVENTS_FILE, line(n)),
    (folder) => readEvents(folder),
    { upTo: 4_000_000 },
  );

const texts = (what: string, lines: (n: number) => string): HostileReader =>
  hostile(
    `derived/texts.jsonl: ${what}`,
    (n, place) => {
      const folder = writeSample(place, sampleRecording());
      mkdirSync(join(folder, 'derived'));
      const key = textsKey(folder);
      file(
        join(folder, 'derived'),
        'texts.jsonl',
        `${JSON.stringify({ key, languages: [], startMs: 0 })}\n${lines(n)}`,
      );
      return folder;
    },
    (folder) => readTextsFile(folder),
    { upTo: 400_000 },
  );

/** A master with a picture every millisecond, beside lines of frames that somebody else made up. */
const recovered = (what: string, line: (i: number, n: number) => string): HostileReader =>
  hostile(
    `recovery: ${what}`,
    (n, place) => {
      const pictures = Array.from({ length: n }, (_, i) => {
        const bytes = Buffer.from([...CLUSTER, 0xe7, 0x84, 0, 0, 0, 0, 0xa3, 0x85, 0x81, 0, 0, 0x80, 0]);
        bytes.writeUInt32BE(i, CLUSTER.length + 2);
        return bytes;
      });
      file(place, 'screen.mkv', Buffer.concat([Buffer.from([...EBML, ...SEGMENT]), ...pictures]));
      return file(place, 'frames.jsonl', Array.from({ length: n }, (_, i) => `${line(i, n)}\n`).join(''));
    },
    async (folder) => {
      const { entries } = readFrameEntries(folder);
      const options = { views: [], fallback: null, privateUntil: () => null, toleranceUs: 20_000 };
      const { indexes } = await checkMaster(folder, { ...options, entries });
      if (indexes.get(0)?.blocks.length !== entries.length) throw new Error('the master was not read');
    },
    { upTo: 16_384 },
  );

export const recordingReaders: HostileReader[] = [
  recovered('lines in the wrong order', (i, n) => `{"i":${i},"pts":${n - i},"t":${(n - i) * 1000},"seg":0}`),
  recovered('lines of one time', (i) => `{"i":${i},"pts":7,"t":7000,"seg":0}`),
  recovered('every second line damaged', (i) => (i % 2 === 0 ? '{"i":' : `{"i":${i},"pts":${i},"t":${i * 1000}}`)),
  texts('lines of the same step', (n) => '{"action":"a","text":null,"ms":1}\n'.repeat(n / 8)),
  texts('one name without an end', (n) => `{"action":"a","ms":1,"text":{"text":"${'x'.repeat(n)}`),
  texts('long names', (n) => `{"action":"a","ms":1,"text":{"text":"${'x'.repeat(n / 4)}"}}\n`.repeat(4)),
  mkv('times of unknown size', [0xe7, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  mkv('blocks without a picture', [0xa3, 0x80]),
  mkv('the smallest blocks', [0xa3, 0x84, 0x81, 0, 0, 0x80]),
  mkv('nothing but room', [0xec, 0x80]),
  mkv('clusters in clusters', [0x1f, 0x43, 0xb6, 0x75, 0xff]),
  mkv('groups that refer to others', [0xa0, 0x88, 0xa1, 0x84, 0x81, 0, 0, 0, 0xfb, 0x80]),
  events('one line without an end', (n) => `{"type":"key","t":"${'x'.repeat(n)}`),
  events('one deep line', (n) => `${'['.repeat(n)}${']'.repeat(n)}\n`),
  events('deep values in lines', (n) =>
    `{"type":"mark","t":1,"kind":"subtask","x":${'['.repeat(n)}${']'.repeat(n)}}\n`.repeat(4),
  ),
  ...['[]', '{}', '{"a":1}'].map((one) =>
    events(
      `one whole line of ${one}`,
      (n) => `{"type":"mark","t":1,"kind":"subtask","x":[${`${one},`.repeat(n / (one.length + 1))}0]}\n`,
    ),
  ),
  events('whole lines of many values', (n) =>
    `{"type":"mark","t":1,"kind":"subtask","x":[${'{},'.repeat(n / 12)}0]}\n`.repeat(4),
  ),
  events('empty lines', (n) => '\n'.repeat(n)),
  events('lines that are no JSON', (n) => '{"type":\n'.repeat(n / 8)),
  events('lines of another file', (n) => '{"i":1,"__proto__":{"t":1}}\n'.repeat(n / 20)),
  hostile(
    'frames.jsonl: frames out of order, many segments',
    (n, place) =>
      file(
        place,
        'frames.jsonl',
        Array.from({ length: n }, (_, i) => `{"i":${n - i},"pts":${i},"t":${n - i},"seg":${i}}\n`).join(''),
      ),
    (folder) => readFrames(folder),
  ),
  hostile(
    'frames.jsonl: one line of brackets',
    (n, place) => file(place, 'frames.jsonl', `${'{'.repeat(n)}\n`),
    (folder) => readFrameEntries(folder),
    { upTo: 4_000_000 },
  ),
  hostile(
    'windows.jsonl: long titles',
    (n, place) => file(place, WINDOWS_FILE, `{"t":1,"title":"${'\\u0000'.repeat(n)}"}\n`.repeat(3)),
    (folder) => readWindows(folder),
  ),
];
