import { expect, test, vi } from 'vitest';
import type { Microphone, SoundSource } from '../../../native/ffmpeg/microphone.ts';
import { createEar } from './ear.ts';

/** An ear whose microphones are played: what is said into one, that it ends, and whether it was stopped. */
function played() {
  const opened: { source: SoundSource; say(...samples: number[]): void; end(why: string): void; stopped: boolean }[] =
    [];
  const ear = createEar({
    ffmpeg: async () => ({ path: 'ffmpeg' }),
    platform: 'linux',
    listen: (_, source, onSound): Microphone => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const one = {
        source,
        say: (...samples: number[]) => onSound(Buffer.from(Int16Array.from(samples).buffer)),
        end: resolve,
        stopped: false,
      };
      opened.push(one);
      return {
        ended: promise,
        stop() {
          one.stopped = true;
        },
      };
    },
  });
  return { ear, opened };
}

test('the loudest since it was asked last is told; another microphone ends the first, and what it says late counts nowhere', async () => {
  const { ear, opened } = played();
  expect(await ear.level(null)).toEqual({ level: null, problem: null });
  opened[0]!.say(3, -16_384, 100);
  expect(await ear.level(null)).toEqual({ level: 0.5, problem: null });
  expect(await ear.level(null)).toEqual({ level: 0, problem: null });
  opened[0]!.say(-32_768);
  expect(await ear.level(null)).toEqual({ level: 1, problem: null });
  expect(await ear.level('Headset')).toEqual({ level: null, problem: null });
  expect(opened.map(({ source, stopped }) => [source.name, stopped])).toEqual([
    ['default', true],
    ['Headset', false],
  ]);
  opened[0]!.say(30_000);
  expect(await ear.level('Headset')).toEqual({ level: null, problem: null });
  ear.close();
  expect(opened[1]!.stopped).toBe(true);
});

test('one that does not open is tried by the next way, what came of it is said, and it is tried anew', async () => {
  const { ear, opened } = played();
  await ear.level(null);
  opened[0]!.end('Connection refused');
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  expect(opened[1]!.source.reader).toBe('alsa');
  opened[1]!.end('No such device');
  await vi.waitFor(async () => expect((await ear.level(null)).problem).toBe(null));
  expect(opened).toHaveLength(3);
  expect(await ear.level('alsa:')).toMatchObject({
    level: null,
    problem: expect.stringContaining('names no microphone'),
  });
  ear.close();
});

test('a page that asks no more ends it', async () => {
  vi.useFakeTimers();
  try {
    const { ear, opened } = played();
    await ear.level(null);
    await vi.advanceTimersByTimeAsync(2400);
    expect(opened[0]!.stopped).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(opened[0]!.stopped).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
