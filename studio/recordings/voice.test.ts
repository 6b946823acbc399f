import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { readRecording } from '../store/recording-folder.ts';
import { sampleRecording, temporaryFolders, writeSample } from '../store/recording-for-tests.ts';
import { removeVoice, TRANSCRIPT_FILE, takeTranscript, voiceOf } from './voice.ts';
import { VOICE_FILE, wavHeader } from './voice-file.ts';

const folders = temporaryFolders();
afterEach(() => folders.clean());

function withVoice(): string {
  const folder = writeSample(folders.make(), sampleRecording({ voice: { rate: 16_000 } }), []);
  writeFileSync(join(folder, VOICE_FILE), Buffer.concat([wavHeader(3200), Buffer.alloc(3200, 1)]));
  return folder;
}

test('a transcript is taken, shown by its times, and goes with the sound when that is deleted', async () => {
  const folder = withVoice();
  expect(await voiceOf(folder)).toEqual({ sound: { bytes: 3244, rate: 16_000 }, lines: [] });
  await takeTranscript(folder, '1\n00:00:01,500 --> 00:00:03,000\nNow I crop it\n');
  const lines = [{ start: 1_500_000, end: 3_000_000, text: 'Now I crop it' }];
  expect((await voiceOf(folder)).lines).toEqual(lines);
  expect(await removeVoice(folder)).toEqual({ sound: null, lines: [] });
  expect([VOICE_FILE, TRANSCRIPT_FILE].map((name) => existsSync(join(folder, name)))).toEqual([false, false]);
  expect(readRecording(folder)).toEqual(sampleRecording());
});

test('what has no times is refused with its line, and so is one without sound', async () => {
  const folder = withVoice();
  await expect(takeTranscript(folder, 'Now I crop it')).rejects.toThrow('line 1: no line like');
  await removeVoice(folder);
  await expect(takeTranscript(folder, '1\n00:00:01,500 --> 00:00:03,000\nx\n')).rejects.toThrow('no sound');
});

test('whatever is said comes back as it was said', async () => {
  const folder = withVoice();
  const said = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((text) => text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim())
    .filter((text) => text !== '' && !/[{}&<>]|-->/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 5 }), async (texts) => {
      const time = (s: number): string => `00:00:0${s}.000`;
      const cue = (text: string, at: number): string => `${time(at)} --> ${time(at + 1)}\n${text}\n`;
      const { lines } = await takeTranscript(folder, `WEBVTT\n\n${texts.map(cue).join('\n')}`);
      const again = await takeTranscript(
        folder,
        `WEBVTT\n\n${lines.map(({ text }, at) => cue(text.replaceAll('&', '&amp;'), at)).join('\n')}`,
      );
      expect(again.lines.map(({ text }) => text)).toEqual(lines.map(({ text }) => text));
    }),
    { numRuns: 20 },
  );
});

test('a file of that name that is none of ours is not played', async () => {
  const folder = withVoice();
  writeFileSync(join(folder, VOICE_FILE), '<script>');
  expect((await voiceOf(folder)).sound).toBeNull();
});
