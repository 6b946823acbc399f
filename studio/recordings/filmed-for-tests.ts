import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFfmpeg } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs, masterArgs } from '../../native/ffmpeg/master.ts';
import { rawFrameHead, rawHead } from '../../native/mkv/write.ts';
import { sampleRecording, writeSample } from '../store/recording-for-tests.ts';
import { cutKeyframes } from './cut.ts';
import { VOICE_FILE, wavHeader } from './voice-file.ts';

const [WIDTH, HEIGHT] = [320, 160];
const FRAMES = 30;

/** The grey that the picture of a frame is filled with. */
export const greyAt = (i: number): number => 5 + 8 * i;

/** The files of it that take room. */
export const LARGE = ['screen.mkv', 'screen.mp4', VOICE_FILE];

/**
 * A closed recording in `parent` of three seconds with a click, its video, its keyframes, a copy for playback (any bytes) and sound.
 * Gives its folder.
 */
export async function filmedForTests(parent: string, id = '3f2a9c1e'): Promise<string> {
  const ffmpeg = await findFfmpeg();
  const segment = { index: 0, file: 'screen.mkv', width: WIDTH, height: HEIGHT, firstFrame: 0, frames: FRAMES };
  const recording = sampleRecording({
    id,
    span: { start: 0, end: 3_000_000 },
    segments: [segment],
    playback: 'screen.mp4',
    voice: { rate: 16_000 },
  });
  const folder = writeSample(parent, recording, [
    { type: 'view', t: 0, view: { x: 0, y: 0, width: WIDTH, height: HEIGHT }, segment: 0 },
    { type: 'down', t: 1_090_000, x: 50, y: 50, button: 'left' },
    { type: 'up', t: 1_100_000, x: 50, y: 50, button: 'left' },
  ]);
  const frames = Array.from({ length: FRAMES }, (_, i) => ({ i, pts: i * 100, t: i * 100_000, changed: 5000 }));
  writeFileSync(join(folder, 'frames.jsonl'), frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  const parts = [rawHead(WIDTH, HEIGHT)];
  for (const { i, pts } of frames) {
    const pixels = Buffer.alloc(WIDTH * HEIGHT * 4, greyAt(i));
    parts.push(rawFrameHead(pts, pixels.length), pixels);
  }
  const args = masterArgs(join(folder, 'screen.mkv'), fpsModeArgs(ffmpeg), { width: WIDTH, height: HEIGHT });
  execFileSync(ffmpeg.path, args, { input: Buffer.concat(parts) });
  writeFileSync(join(folder, 'screen.mp4'), randomBytes(200_000));
  writeFileSync(join(folder, VOICE_FILE), Buffer.concat([wavHeader(32_000), randomBytes(32_000)]));
  await cutKeyframes(folder, ffmpeg);
  return folder;
}
