import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { owaArea, owaVideoStart } from '../../../core/import/owa.ts';
import { readRecording } from '../../store/recording-folder.ts';
import { importBench } from '../bench-for-tests.ts';
import { LIMITS } from '../limits.ts';
import { readMcap } from './mcap.ts';
import { EXAMPLE, type MadeMessage, pressAt, screenAt, writeOwamcap } from './mcap-for-tests.ts';

const bench = importBench();
const SAMPLES = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'samples', 'owamcap');

const made = (messages: readonly MadeMessage[] = EXAMPLE, packed?: string): Promise<string> =>
  writeOwamcap(join(bench.elsewhere, 'take.mcap'), messages, packed);

/** Four seconds of 64 x 48, ten pictures a second. */
function film(name = 'film.mkv'): void {
  const size = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=10:duration=4'];
  execFileSync(bench.ffmpeg.path, ['-loglevel', 'error', ...size, '-c:v', 'libx264', join(bench.elsewhere, name)]);
}

describe('a recording of open-world-agents', () => {
  test('comes with its keys, presses and windows on the pictures’ own places and times', async () => {
    film();
    const { entry: row, kind } = await bench.take(await made());
    expect(kind).toBe('owamcap');
    const recording = readRecording(row.folder);
    expect(recording).toMatchObject({
      version: 6,
      app: { name: 'Notepad' },
      origin: { source: 'owamcap', name: 'take.mcap', lost: ['1 message of "rawmouseevent"'] },
      segments: [{ width: 64, height: 48, frames: 40 }],
      verdict: { kind: 'complete', missing: [] },
      sync: { maxErrorUs: expect.any(Number) },
    });
    expect(recording.origin?.guessed).toEqual(
      expect.arrayContaining([
        'that the pictures are of the window "note.txt - Notepad" at (100, 50): its size is theirs, but for its invisible borders',
        "the video's start: by 3 pictures and their times, ± 1.0 ms",
      ]),
    );
    const { steps } = await bench.documents.openRecording(row.id);
    expect(steps.map(({ kind, text, start, scroll }) => [kind, text ?? scroll ?? start.slice(0, 2)])).toEqual([
      ['click', [20, 20]],
      ['type', 'Hi'],
      ['scroll', { dx: 0, dy: 2, unit: 'notch' }],
    ]);
    const frames = readFileSync(join(row.folder, 'frames.jsonl'), 'utf8').split('\n');
    // The video began 100 ms after the first message.
    expect(JSON.parse(frames[0]!).t).toBe(100_000);
  });

  test('without its video it comes with what there is, and says so', async () => {
    const { entry: row } = await bench.take(await made());
    expect(readRecording(row.folder)).toMatchObject({
      verdict: { kind: 'damaged', missing: ['every picture', 'the video (film.mkv, which is not beside it)'] },
      displays: [{ displays: [{ width: 121, height: 71 }] }],
    });
    const { steps } = await bench.documents.openRecording(row.id);
    expect(steps.map(({ kind }) => kind)).toEqual(['click', 'type', 'scroll']);
  });

  test('a press outside of the pictures, and a button without a name, are said', async () => {
    film();
    const { entry: row } = await bench.take(await made([...EXAMPLE, ...pressAt(3500, 900, 900, 'unknown')]));
    const { origin, verdict } = readRecording(row.folder);
    expect(origin?.lost).toEqual(
      expect.arrayContaining([
        'where 1 press or wheel turn were: outside of the pictures',
        'which mouse button it was, of 2 presses and releases',
      ]),
    );
    expect(verdict?.kind).toBe('recovered');
  });
});

test('pictures lie on the window that is a little larger than they are, else at the top left', () => {
  const window = (rect: [number, number, number, number]) => ({ title: 'w', rect });
  // As in the public samples: 906 x 578 of a window of 918 x 584, 1026 x 1018 of 1037 x 1023.
  expect(
    owaArea([window([0, 0, 1920, 1080]), window([360, 307, 1278, 891])], { width: 906, height: 578 }),
  ).toMatchObject({ x: 366, y: 307 });
  expect(owaArea([window([819, 263, 1856, 1286])], { width: 1026, height: 1018 })).toMatchObject({ x: 825, y: 263 });
  expect(owaArea([window([360, 307, 1278, 891])], { width: 1920, height: 1080 })).toEqual({ x: 0, y: 0, window: null });
});

test('the video began where the promptest of its pictures says', () => {
  const pictures = [120, 105, 180].map((late, at) => ({ pts: at * 100_000, t: at * 100_000 + late * 1000 }));
  expect(owaVideoStart(pictures)).toEqual({ startUs: 105_000, errorUs: 15_000 });
  expect(owaVideoStart([])).toBeNull();
});

describe('refused, with what is wrong and where', () => {
  /** Changes the bytes of a sound file. */
  async function changed(how: (bytes: Buffer) => Buffer): Promise<string> {
    const file = await made();
    writeFileSync(file, how(readFileSync(file)));
    return file;
  }
  const chunkAt = (bytes: Buffer): number => {
    let at = 8;
    while (bytes[at] !== 6) at += 9 + Number(bytes.readBigUInt64LE(at + 1));
    return at;
  };
  /** Where the length of the chunk's content when it is unpacked stands, and its checksum behind it. */
  const unpackedSize = (bytes: Buffer): number => chunkAt(bytes) + 9 + 16;

  test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
    [
      'torn',
      (bytes) => bytes.subarray(0, bytes.length - 200),
      /ends in the middle of a record, at byte \d+: it was cut off/,
    ],
    ['torn in its chunk', (bytes) => bytes.subarray(0, chunkAt(bytes) + 60), /was cut off/],
    [
      'a checksum that is wrong',
      (bytes) => {
        bytes.writeUInt32LE(bytes.readUInt32LE(unpackedSize(bytes) + 8) ^ 1, unpackedSize(bytes) + 8);
        return bytes;
      },
      /a checksum is wrong: the file was damaged/,
    ],
    [
      'a chunk that says it is endless',
      (bytes) => {
        bytes.writeBigUInt64LE(1n << 40n, unpackedSize(bytes));
        return bytes;
      },
      /1099511627776 bytes are packed in it/,
    ],
    [
      'a chunk that unpacks to more than it says',
      (bytes) => {
        bytes.writeBigUInt64LE(10n, unpackedSize(bytes));
        return bytes;
      },
      /cannot be imported: near byte/,
    ],
    [
      'a record that says it is endless',
      (bytes) => {
        bytes.writeBigUInt64LE(1n << 60n, chunkAt(bytes) + 1);
        return bytes;
      },
      /too large|cut off/,
    ],
    [
      'noise behind its head',
      (bytes) => Buffer.concat([bytes.subarray(0, 80), Buffer.alloc(4000, 0xa5)]),
      /cannot be imported/,
    ],
  ])('%s', async (_what, how, says) => {
    const error = await bench.refusal(await changed(how));
    expect(error.code).toBe('BAD_FILE');
    expect(error.message).toMatch(says);
    expect(error.message).not.toMatch(/\n\s+at /);
  });

  test.each<[string, MadeMessage[], RegExp]>([
    [
      'a key without a number',
      [{ schema: 'KeyboardEvent', ms: 0, value: { event_type: 'press' } }],
      /message 1 \(keyboard\): vk/,
    ],
    [
      'a press of no kind',
      [...EXAMPLE, { schema: 'MouseEvent', ms: 4000, value: { event_type: 'hover', x: 1, y: 2 } }],
      /message 17 \(mouse\): event_type/,
    ],
    ['a video elsewhere', [screenAt(0, 0, '../../film.mkv')], /put it into the same folder/],
    ['a video at an address', [screenAt(0, 0, 'https://example.org/film.mkv')], /put it into the same folder/],
    ['nothing', [], /it has no message/],
  ])('%s', async (_what, messages, says) => {
    const error = await bench.refusal(await made(messages));
    expect([error.code, error.message]).toEqual(['BAD_FILE', expect.stringMatching(says)]);
  });

  test('a compression that is not read here, with how to change it', async () => {
    const error = await bench.refusal(await made(EXAMPLE, 'lz4'));
    expect(error.message).toMatch(/a chunk is packed by "lz4"; zstd is read here\. Convert it \(mcap compress/);
  });

  test('a video that is a link', async () => {
    film('real.mkv');
    symlinkSync(join(bench.elsewhere, 'real.mkv'), join(bench.elsewhere, 'film.mkv'));
    expect((await bench.refusal(await made())).message).toMatch(/"film.mkv" is a link/);
  });

  test('a file that is larger than may be, before it is read to its end', async () => {
    const read = readMcap(await made(), { ...LIMITS, bytes: 100 }, new AbortController().signal, () => undefined);
    await expect(read).rejects.toMatchObject({ code: 'BAD_FILE' });
  });
});

describe.skipIf(!existsSync(SAMPLES))('the public samples', () => {
  test.each([
    ['0.3.2.mcap', ['click', 'test text', 'click', 'ctrl+s', 'click', 'ctrl+c'], 49],
    ['0.4.2.mcap', ['test text', 'click', 'ctrl+s', 'click', 'ctrl+c'], 34],
    ['0.5.1.mcap', ['test text', 'click', 'ctrl+c'], 18],
    ['example.mcap', ['click', 'tenstoremisled', 'Escape', 'click', 'click', 'ctrl+c'], 0],
  ])('%s: what was done in it', async (name, done, frames) => {
    const { entry: row } = await bench.take(join(SAMPLES, name), { goal: 'Try it' });
    const { steps } = await bench.documents.openRecording(row.id);
    expect(steps.map(({ kind, text, keys }) => text ?? keys?.join('+') ?? kind)).toEqual(done);
    expect(readRecording(row.folder).counts.frames).toBe(frames);
  });
});
