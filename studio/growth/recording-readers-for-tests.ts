import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMkvIndex } from '../../native/mkv/read.ts';
import { type HostileReader, hostile } from '../../test/support/growth.ts';
import { EVENTS_FILE, readEvents, readFrames, readWindows, WINDOWS_FILE } from '../store/recording-folder.ts';

import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import { readTextsFile, textsKey } from '../texts/read-texts.ts';

/** Files of a recording's folder as a stranger may have written them. */

const file = (place: string, name: string, content: string | Buffer): string => {
  writeFileSync(join(place, name), content);
  return place;
};

const EBML = [0x1a, 0x45, 0xdf, 0xa3, 0x80];
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

export const recordingReaders: HostileReader[] = [
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
    'windows.jsonl: long titles',
    (n, place) => file(place, WINDOWS_FILE, `{"t":1,"title":"${'\\u0000'.repeat(n)}"}\n`.repeat(3)),
    (folder) => readWindows(folder),
  ),
];
