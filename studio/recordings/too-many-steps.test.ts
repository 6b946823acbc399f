import { afterAll, expect, test, vi } from 'vitest';
import type { RunEnding } from '../../native/process/ending.ts';
import type { RawEvent } from '../../schemas/events.ts';
import { checkRecording } from '../import/check-recording.ts';
import { LIMITS } from '../import/limits.ts';
import { sampleRecording, temporaryFolders, thrownBy, writeSample } from '../store/recording-for-tests.ts';
import { derive } from './derive.ts';
import { derivedKey } from './derived.ts';
import { folderOpener } from './opener.ts';

/** Recordings that a program wrote to fill the memory of whoever opens them. */

const folders = temporaryFolders();
afterAll(folders.clean);

vi.mock('../../native/process/calls.ts', async (original) => ({
  ...(await original<typeof import('../../native/process/calls.ts')>()),
  // A thread that ends for want of memory, whatever it is asked.
  openCaller: (_start: unknown, lost: (ending: RunEnding) => unknown) => ({
    call: () => {
      const error = Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
      return Promise.reject(lost({ why: 'threw', status: 1, signal: null, error, last: '' }));
    },
    isBusy: () => false,
    kill: async () => undefined,
  }),
}));

const clicks = (count: number): RawEvent[] =>
  Array.from({ length: count }, (_, n) => ({ t: 1_000_000 * (n + 1), x: (37 * n) % 1200, y: 10 })).flatMap(
    ({ t, x, y }): RawEvent[] => [
      { type: 'down', t, x, y, button: 'left' },
      { type: 'up', t: t + 1000, x, y, button: 'left' },
    ],
  );
const made = (count: number): string => {
  const span = { start: 0, end: 1_000_000 * (count + 2) };
  return writeSample(folders.make(), sampleRecording({ id: 'many', span }), clicks(count));
};

test('more steps than a person makes are not opened', () => {
  const error = thrownBy(() => derive(made(100_001)));
  expect(error).toMatchObject({ code: 'BAD_FILE', message: expect.stringContaining('100001 steps') });
});

test('more presses than a person makes are not taken in, and are not read to their end', async () => {
  const check = (presses: number) =>
    checkRecording(made(50), { ...LIMITS, presses }, new AbortController().signal, () => undefined);
  await expect(check(49)).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: expect.stringContaining('events.jsonl line 99: it has more than 49 presses'),
  });
  expect((await check(50)).warnings).toHaveLength(1);
});

test('one that fills the memory of a thread is not opened in the thread of everybody', async () => {
  const opener = folderOpener(0);
  const folder = made(2);
  for (let times = 0; times < 2; times++)
    await expect(opener.open(folder, derivedKey(folder))).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  await opener.close();
});
