import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SoundSource } from '../../native/ffmpeg/microphone.ts';
import { closeVoice, VOICE_FILE } from '../recordings/voice-file.ts';
import { temporaryFolders } from '../store/recording-for-tests.ts';
import { recordVoice } from './voice.ts';

const folders = temporaryFolders();
let now = 0;
let said: string[] = [];
let told: unknown[] = [];
/** The microphones that were opened: each is heard by `sound` and ends by `end`. */
let opened: { source: SoundSource; sound(samples: Buffer): void; end(why: string): void }[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  [now, said, told, opened] = [0, [], [], []];
});
afterEach(() => {
  vi.useRealTimers();
  folders.clean();
});

const loud = (): Buffer => Buffer.from(new Int16Array(320).fill(900).buffer);
const mute = (): Buffer => Buffer.alloc(640);

function start(device: string | null, platform: NodeJS.Platform = 'linux') {
  const folder = folders.make();
  const voice = recordVoice({
    order: { folder, voice: { device } },
    ffmpeg: { path: 'ffmpeg' },
    clock: { now: () => now },
    gate: { judgedTo: () => Number.POSITIVE_INFINITY, isCut: () => false },
    keys: { judgedTo: () => Number.POSITIVE_INFINITY, secretAt: () => null },
    notice: (code, message) => void said.push(`${code}: ${message}`),
    tell: (message) => void told.push(message),
    platform,
    listen(_ffmpeg, source, sound) {
      const { promise, resolve } = Promise.withResolvers<string>();
      opened.push({ source, sound, end: resolve });
      return { ended: promise, stop: () => resolve('stopped') };
    },
  });
  return { folder, voice };
}

async function end(why: string): Promise<void> {
  opened.at(-1)?.end(why);
  await vi.advanceTimersByTimeAsync(0);
}

test('the card itself is tried where no sound server answers; without either it is said, looked for again, and the recording goes on', async () => {
  const { folder, voice } = start(null);
  await end('Connection refused');
  expect(opened.map(({ source }) => source.reader)).toEqual(['pulse', 'alsa']);
  await end('cannot open audio device default (No such file or directory)');
  expect(said).toEqual([
    'voice-missing: No sound is recorded: no microphone could be opened (pulse: Connection refused; alsa: cannot open audio device default (No such file or directory)).',
  ]);
  expect(told).toEqual([{ type: 'voice', heard: false }]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(opened[2]?.source.reader).toBe('pulse');
  now = 6_000_000;
  opened[2]?.sound(loud());
  expect(said[1]).toBe('voice-back: The microphone is there: sound is recorded from now on.');
  voice.release();
  voice.close();
  expect(closeVoice(folder)).toEqual({ rate: 16_000 });
});

test('one that is lost, or that opened and gives nothing, is said once and taken again when it is there', async () => {
  const { voice } = start('Headset');
  opened[0]?.sound(loud());
  await end('No such device');
  expect(said).toEqual([
    'voice-lost: The microphone is lost (No such device): no sound is recorded until it is there again.',
  ]);
  await vi.advanceTimersByTimeAsync(5000);
  now = 20_000_000;
  // Nothing comes of it.
  await vi.advanceTimersByTimeAsync(2000);
  await vi.advanceTimersByTimeAsync(5000);
  expect(opened).toHaveLength(3);
  expect(said).toHaveLength(1);
  opened[2]?.sound(loud());
  expect(told).toEqual([true, false, false, true].map((heard) => ({ type: 'voice', heard })));
  voice.close();
  await end('stopped');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened).toHaveLength(3);
});

test('one that is muted is said, once', () => {
  const { voice } = start(null);
  for (let n = 0; n < 1000; n++) opened[0]?.sound(mute());
  expect(said).toEqual([
    'voice-silent: The microphone gives nothing but silence: it may be muted, or another one is meant.',
  ]);
  voice.close();
});

test('without the wish nothing listens; on Windows the microphone must be named', () => {
  const folder = folders.make();
  const parts = { order: { folder }, ffmpeg: { path: '' }, clock: { now: () => 0 } };
  recordVoice({
    ...parts,
    gate: { judgedTo: () => 0, isCut: () => false },
    keys: { judgedTo: () => 0, secretAt: () => null },
    notice: (code) => void said.push(code),
    tell: () => undefined,
    listen: () => {
      throw new Error('listens');
    },
  }).close();
  expect(existsSync(join(folder, VOICE_FILE))).toBe(false);
  start(null, 'win32');
  expect(opened).toHaveLength(0);
  expect(said).toEqual([expect.stringContaining('voice-missing: No sound is recorded: Name the microphone')]);
});
