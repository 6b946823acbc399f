import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { findFile, removeIn } from '../files/inside.ts';

/**
 * voice.wav of a recording: one channel of 16-bit samples, whose first one is at the session's zero, so that a place in the file
 * is a time. Where nothing was recorded there is silence, which most file systems keep without taking room for it.
 */
export const VOICE_FILE = 'voice.wav';
export const VOICE_FILE_RATE = 16_000;
/** Bytes before the first sample. */
export const WAV_HEADER = 44;

/** Where in the file the sample of a time (µs) lies, bytes. */
export const voicePlace = (t: number): number => WAV_HEADER + 2 * Math.round((t * VOICE_FILE_RATE) / 1e6);

/** `dataBytes`: as much as there is; a file that is being written says the most that it can. */
export function wavHeader(dataBytes: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER);
  const data = Math.min(dataBytes, 0xffff_ffff - WAV_HEADER);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(data + WAV_HEADER - 8, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(VOICE_FILE_RATE, 24);
  header.writeUInt32LE(VOICE_FILE_RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(data, 40);
  return header;
}

/** Takes out of it what was said from `t` (µs) on. Nothing where there is no such file. */
export function cutVoice(folder: string, t: number): void {
  change(folder, (fd, size) => {
    const end = Math.max(WAV_HEADER, voicePlace(t));
    if (size > end) ftruncateSync(fd, end);
  });
}

/** Makes the file whole after the recording's end, or its crash: its head says how long it is. Removed when nothing is in it. */
export function closeVoice(folder: string): { rate: number } | null {
  let kept = false;
  change(folder, (fd, size) => {
    const whole = size - ((size - WAV_HEADER) % 2);
    if (whole <= WAV_HEADER) return;
    if (whole < size) ftruncateSync(fd, whole);
    writeSync(fd, wavHeader(whole - WAV_HEADER), 0, WAV_HEADER, 0);
    kept = true;
  });
  if (kept) return { rate: VOICE_FILE_RATE };
  if (findFile(folder, VOICE_FILE) !== null) removeIn(folder, VOICE_FILE);
  return null;
}

function change(folder: string, work: (fd: number, size: number) => void): void {
  const file = findFile(folder, VOICE_FILE);
  if (file === null) return;
  const fd = openSync(file, 'r+');
  try {
    work(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}
