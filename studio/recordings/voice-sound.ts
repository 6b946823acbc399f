import type { Blobs } from '../files/blobs/blobs.ts';
import { soundBytes } from './voice.ts';
import { VOICE_FILE, VOICE_FILE_RATE, voicePlace, WAV_HEADER, wavHeader } from './voice-file.ts';

/** The samples of voice.wav, read in pieces: a day of them is 2.8 GB. */

/** The sound of a time (µs) as a file of its own; without samples where there are none. */
export async function voiceBetween(bytes: Blobs, { from, to }: { from: number; to: number }): Promise<Buffer> {
  const size = await soundBytes(bytes);
  const [start, end] = [voicePlace(from), Math.min(voicePlace(to), size - ((size - WAV_HEADER) % 2))];
  const samples: Uint8Array[] = [];
  if (end > start) for await (const piece of bytes.range(VOICE_FILE, { start, end: end - 1 })) samples.push(piece);
  const length = samples.reduce((sum, one) => sum + one.length, 0);
  return Buffer.concat([wavHeader(length), ...samples]);
}

/** How loud each window of so many µs is: the root of the mean of its squared samples. */
export async function loudnessOf(bytes: Blobs, windowUs: number): Promise<Float32Array> {
  const window = Math.round((windowUs * VOICE_FILE_RATE) / 1e6);
  const size = await soundBytes(bytes);
  const samples = Math.max(0, Math.floor((size - WAV_HEADER) / 2));
  const found = new Float32Array(Math.ceil(samples / window));
  if (samples === 0) return found;
  let [at, sum, low] = [0, 0, -1];
  for await (const piece of bytes.range(VOICE_FILE, { start: WAV_HEADER, end: WAV_HEADER + 2 * samples - 1 })) {
    for (const byte of piece) {
      if (low < 0) {
        low = byte;
        continue;
      }
      const value = ((low | (byte << 8)) << 16) >> 16;
      low = -1;
      sum += value * value;
      at++;
      if (at % window !== 0) continue;
      found[at / window - 1] = Math.sqrt(sum / window);
      sum = 0;
    }
  }
  if (at % window !== 0) found[Math.floor(at / window)] = Math.sqrt(sum / (at % window));
  return found;
}
