import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LeftPictures } from '../../native/screen/contract.ts';
import { writeRecording } from '../store/recording-folder.ts';
import { sampleRecording } from '../store/recording-for-tests.ts';
import { createForgetting, lengthInWords } from './forget-live.ts';
import { openFiles } from './outlet.ts';
import type { FromCapture } from './protocol.ts';
import { countRecordedTime } from './recorded-time.ts';
import { createTally } from './tally.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forget-live-'));
  writeRecording(folder, sampleRecording({ state: 'recording' }));
});
afterEach(() => rmSync(folder, { recursive: true }));

const SECOND = 1_000_000;
const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });

/** A recording whose screen recorder answers when the test lets it, or fails. */
function running({ ms = 4000, begin = 0, refusal = null as string | null, fails = [] as Error[] } = {}) {
  const said: FromCapture[] = [];
  const done: string[] = [];
  const files = openFiles(folder);
  const recorded = countRecordedTime();
  recorded.set(true, 0);
  let now = 10 * SECOND;
  let left: LeftPictures | null = null;
  const answer = Promise.withResolvers<void>();
  const forgetting = createForgetting({
    folder,
    clock: { now: () => now } as never, // Nothing else of it is used.
    ms,
    begin,
    files,
    recorded,
    reserve: { release: () => done.push('reserve') === 1 },
    pauses: {
      forget: (t) => void done.push(`pause ${t}`),
      resume: (reason, t) => void done.push(`resume ${reason} ${t}`),
      release: () => undefined,
    },
    screen: {
      async forget(from, rewrite) {
        done.push(`screen ${from}`);
        await answer.promise;
        const error = fails.shift();
        if (error) throw error;
        left = await rewrite();
      },
    },
    tell: (message) => void said.push(message),
    stop: (why) => void done.push(`stop ${why}`),
    refusal: () => refusal,
    onForgot: ({ inputs }) => void done.push(`forgot, ${inputs} left`),
  });
  return {
    forgetting,
    files,
    said,
    done,
    left: () => left,
    answer: answer.resolve,
    tick: (to: number) => {
      now = to;
    },
    close: () => {
      for (const file of Object.values(files)) file.close();
    },
  };
}
const lines = (name: string): unknown[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('what was written and what waits is gone, and what comes afterwards stands behind it', async () => {
  const made = running();
  const key = (t: number) => ({ t, type: 'keydown', code: 'KeyA' });
  made.files.events.add(key(SECOND));
  made.files.events.add(key(7 * SECOND));
  made.files.windows.add({ t: 7 * SECOND, title: 'secret', app: '', pid: 0, id: '', bounds: null });
  for (const file of Object.values(made.files)) file.flush();
  made.files.events.add(key(8 * SECOND));
  made.forgetting.forget(10 * SECOND);
  expect(JSON.parse(readFileSync(join(folder, '.forget.json'), 'utf8'))).toEqual({ from: 6 * SECOND, to: 10 * SECOND });
  made.forgetting.forget(10 * SECOND);
  made.tick(11 * SECOND);
  made.answer();
  await made.forgetting.end(null);
  const anchor = { t: 12 * SECOND, type: 'anchor', wallMs: 1 };
  expect(made.files.events.add(anchor)).toBe(2);
  made.close();
  expect(made.done).toEqual([
    `pause ${6 * SECOND}`,
    `screen ${6 * SECOND}`,
    'forgot, 1 left',
    `resume forgotten ${11 * SECOND}`,
  ]);
  expect(made.left()).toMatchObject({ frames: 0, segments: 0 });
  expect(lines('events.jsonl')).toEqual([key(SECOND), { t: 6 * SECOND, type: 'pause', reason: 'forgotten' }, anchor]);
  expect(lines('windows.jsonl')).toEqual([]);
  expect(made.said).toEqual([
    expect.objectContaining({ type: 'forgotten', message: 'The last 4 seconds were forgotten.', t: 6 * SECOND }),
  ]);
  expect(existsSync(join(folder, '.forget.json'))).toBe(false);
});

test('more than there is: everything goes, and it is said so', async () => {
  const made = running({ ms: 120_000, begin: SECOND });
  made.files.events.add({ t: SECOND, type: 'locks', caps: false, num: false });
  made.forgetting.forget(10 * SECOND);
  made.answer();
  await made.forgetting.end(null);
  made.close();
  expect(lines('events.jsonl')).toEqual([{ t: SECOND, type: 'pause', reason: 'forgotten' }]);
  expect(made.said).toEqual([
    expect.objectContaining({ type: 'forgotten', message: 'Everything so far was forgotten.' }),
  ]);
});

test('where there is nothing to forget, that is said, and nothing is touched', async () => {
  const made = running({ refusal: 'Nothing has been recorded yet' });
  made.forgetting.forget(10 * SECOND);
  await made.forgetting.end(null);
  made.close();
  expect(made.done).toEqual([]);
  expect(made.said).toEqual([
    { type: 'notice', code: 'not-forgotten', message: 'Nothing has been recorded yet: nothing was forgotten.' },
  ]);
});

test('a disk that stays full: the recording stays paused and ends, and the marker waits for who closes it', async () => {
  const made = running({ fails: [full()] });
  made.forgetting.forget(10 * SECOND);
  made.answer();
  await made.forgetting.end(null);
  made.close();
  expect(made.done).toEqual([`pause ${6 * SECOND}`, `screen ${6 * SECOND}`, 'stop disk-full']);
  expect(made.said[0]).toMatchObject({ type: 'notice', code: 'not-forgotten' });
  expect(JSON.stringify(made.said)).toMatch(/could not be forgotten yet.*disk is full.*make room/i);
  expect(existsSync(join(folder, '.forget.json'))).toBe(true);
});

test('after the end nothing is begun, and nothing that was begun is rewritten', async () => {
  const made = running();
  made.files.events.add({ t: 7 * SECOND, type: 'keydown', code: 'KeyA' });
  made.files.events.flush();
  made.forgetting.forget(10 * SECOND);
  await made.forgetting.end(1);
  made.answer();
  await new Promise((done) => setImmediate(done));
  made.forgetting.forget(10 * SECOND);
  made.close();
  expect(lines('events.jsonl')).toHaveLength(1);
  expect(made.done).toEqual([`pause ${6 * SECOND}`, `screen ${6 * SECOND}`]);
  expect(existsSync(join(folder, '.forget.json'))).toBe(true);
});

test('a length in words', () => {
  expect([120_000, 60_000, 30_000, 1000, 90_000].map(lengthInWords)).toEqual([
    '2 minutes',
    'minute',
    '30 seconds',
    'second',
    '90 seconds',
  ]);
});

test('recorded time is the time outside of pauses, less what was forgotten', () => {
  const time = countRecordedTime();
  expect(time.at(5)).toBe(0);
  time.set(true, 10);
  time.set(true, 12);
  expect(time.at(30)).toBe(20);
  time.set(false, 30);
  expect(time.at(99)).toBe(20);
  time.set(true, 40);
  expect(time.at(50)).toBe(30);
  time.forget(20);
  expect(time.at(50)).toBe(10);
  time.set(true, 60);
  expect(time.at(65)).toBe(15);
  time.set(false, 70);
  time.forget(0);
  expect(time.at(99)).toBe(0);
});

test('counts of what was forgotten are taken out, as they were a moment before it', () => {
  const counts = { dropped: 0, late: 0, black: 0, ticks: 0 };
  const tally = createTally(() => counts);
  Object.assign(counts, { dropped: 1, ticks: 10 });
  tally.note(1);
  Object.assign(counts, { dropped: 5, black: 3, ticks: 20 });
  tally.note(2);
  tally.forget(2);
  expect(tally.counts()).toEqual({ dropped: 1, late: 0, black: 0, ticks: 10 });
  Object.assign(counts, { dropped: 6, ticks: 30 });
  expect(tally.counts()).toEqual({ dropped: 2, late: 0, black: 0, ticks: 20 });
  tally.forget(0);
  expect(tally.counts()).toEqual({ dropped: 0, late: 0, black: 0, ticks: 0 });
});
