import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { folderBlobs } from '../files/blobs/folder.ts';
import { soundBytes } from '../recordings/voice.ts';
import { closeVoice, cutVoice, VOICE_FILE, voicePlace, WAV_HEADER } from '../recordings/voice-file.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { openVoiceLog, type VoiceGate } from './voice-log.ts';

const folders = temporaryFolders();
afterEach(() => folders.clean());

const PIECE_US = 20_000;
/** Samples that are all `value`. */
const piece = (value = 1): Buffer => Buffer.from(new Int16Array(320).fill(value).buffer);
const OPEN: VoiceGate = {
  judgedTo: () => Number.POSITIVE_INFINITY,
  isCut: () => false,
  keysTo: () => Number.POSITIVE_INFINITY,
  isSecret: () => false,
};

/** The sample of each time, 0 where the file ends. */
function heardIn(folder: string): (t: number) => number {
  const file = join(folder, VOICE_FILE);
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  return (t) => (voicePlace(t) + 2 <= bytes.length ? bytes.readInt16LE(voicePlace(t)) : 0);
}

test('a place in the file is a time, and what lies between is silence', async () => {
  const folder = folders.make();
  const log = openVoiceLog(folder, OPEN, () => 0);
  log.add(1_000_000, piece());
  log.add(3_000_000, piece(7));
  log.release();
  log.close();
  expect(closeVoice(folder)).toEqual({ rate: 16_000 });
  const at = heardIn(folder);
  expect([0, 999_900, 1_000_000, 1_019_900, 1_020_000, 2_999_900, 3_000_000].map(at)).toEqual([0, 0, 1, 1, 0, 0, 7]);
  expect(await soundBytes(folderBlobs(folder))).toBeGreaterThan(WAV_HEADER);
  expect(statSync(join(folder, VOICE_FILE)).size).toBe(voicePlace(3_020_000));
});

test('nothing of a cut or of a secret is ever in the file, and all else is, however late the judgement comes (I6)', () => {
  const span = fc.tuple(fc.integer({ min: 0, max: 900_000 }), fc.integer({ min: 10_000, max: 200_000 }));
  fc.assert(
    fc.property(
      fc.array(span, { maxLength: 4 }),
      fc.array(span, { maxLength: 3 }),
      fc.nat(50),
      (cuts, secrets, steps) => {
        const folder = folders.make();
        const within = (list: [number, number][]) => (t: number) =>
          list.some(([from, long]) => t >= from && t < from + long);
        let judged = 0;
        const gate = { ...OPEN, judgedTo: () => judged, isCut: within(cuts), isSecret: within(secrets) };
        const log = openVoiceLog(folder, gate, () => 0);
        for (let t = 0; t < 1_000_000; t += PIECE_US) {
          log.add(t, piece());
          judged = Math.max(judged, t - steps * 10_000);
          log.release();
          const ahead = heardIn(folder);
          // Not for a moment.
          for (let late = judged; late < t + PIECE_US; late += 5000) expect(ahead(late)).toBe(0);
        }
        judged = 2_000_000;
        log.close();
        const at = heardIn(folder);
        for (let t = 0; t < 1_000_000; t += 2500) {
          const left = within(cuts)(t) || within(secrets)(t);
          if (left) expect([t, at(t)]).toEqual([t, 0]);
          // A slice goes as a whole.
          const near = [-10_000, 0, 10_000].some((by) => within(cuts)(t + by) || within(secrets)(t + by));
          if (!near) expect([t, at(t)]).toEqual([t, 1]);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('what nobody judges waits for the longest that a key may wait, and goes when the recording ends before', () => {
  const folder = folders.make();
  let now = 0;
  const log = openVoiceLog(folder, { ...OPEN, keysTo: () => Number.NEGATIVE_INFINITY }, () => now);
  log.add(1_000_000, piece());
  now = 5_000_000;
  log.release();
  expect(existsSync(join(folder, VOICE_FILE))).toBe(false);
  now = 12_000_000;
  log.release();
  expect(heardIn(folder)(1_000_000)).toBe(1);
});

test('what is forgotten is cut off, and what is said later stands at its time; without sound there is no file', () => {
  const folder = folders.make();
  const log = openVoiceLog(folder, OPEN, () => 0);
  log.add(1_000_000, piece());
  log.add(2_000_000, piece(2));
  log.release();
  cutVoice(folder, 2_000_000);
  expect(statSync(join(folder, VOICE_FILE)).size).toBeLessThanOrEqual(voicePlace(2_000_000));
  log.add(4_000_000, piece(4));
  log.release();
  log.close();
  closeVoice(folder);
  expect([1_000_000, 2_000_000, 4_000_000].map(heardIn(folder))).toEqual([1, 0, 4]);
  cutVoice(folder, 0);
  expect(closeVoice(folder)).toBeNull();
  expect(existsSync(join(folder, VOICE_FILE))).toBe(false);
});
