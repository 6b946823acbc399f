import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { decodeFrames } from '../../native/ffmpeg/decode.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs } from '../../native/ffmpeg/master.ts';
import { readMkvIndex } from '../../native/mkv/read.ts';
import { STILL_PNG } from '../../native/still-format.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Segment } from '../../schemas/recording.ts';
import { writeFileAtomic } from '../store/atomic.ts';
import { type Derived, derive } from './derive.ts';

type CutOptions = {
  /** Cut every still anew, also those that are there. */
  anew?: boolean;
  onProgress?: (done: number, all: number) => void;
  signal?: AbortSignal;
};

/** Pictures that are encoded at the same time. */
const PARALLEL = 2;

/**
 * Derives a recording's keyframes and cuts those stills that are not there yet into `<recording>/keyframes/` (K8), then
 * writes index.json. Throws RECORDING_DAMAGED when the master cannot give a picture.
 */
export async function cutKeyframes(folder: string, ffmpeg: FfmpegInfo, options: CutOptions = {}): Promise<Derived> {
  const derived = derive(folder);
  const dir = join(folder, 'keyframes');
  mkdirSync(dir, { recursive: true });
  const wanted = new Set(derived.keyframes.keyframes.map((k) => k.frame));
  const frames = derived.frames.filter(
    (f) => wanted.has(f.i) && (options.anew || !existsSync(join(dir, `${f.t}.png`))),
  );
  await cutFrames(folder, derived.recording.segments, frames, (frame) => join(dir, `${frame.t}.png`), ffmpeg, options);
  writeFileAtomic(join(dir, 'index.json'), `${JSON.stringify(derived.keyframes, null, 2)}\n`);
  return derived;
}

/** Decodes frames from the master and writes each as a lossless PNG under the name that `fileOf` gives (K4). */
export async function cutFrames(
  folder: string,
  segments: readonly Segment[],
  frames: readonly Frame[],
  fileOf: (frame: Frame) => string,
  ffmpeg: FfmpegInfo,
  { onProgress, signal }: CutOptions = {},
): Promise<void> {
  let done = 0;
  const running = new Set<Promise<void>>();
  for (const segment of segments) {
    const own = frames.filter((f) => (f.seg ?? 0) === segment.index);
    if (own.length === 0) continue;
    const file = join(folder, segment.file);
    const byPts = new Map(own.map((f) => [f.pts, f]));
    const source = { file, blocks: readMkvIndex(file).blocks, width: segment.width, height: segment.height };
    await decodeFrames(
      { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) },
      source,
      [...byPts.keys()],
      async ({ pts, rgb, width, height }) => {
        const frame = byPts.get(pts);
        if (!frame) return;
        const job = writePng(fileOf(frame), rgb, width, height).then(() => {
          running.delete(job);
          onProgress?.(++done, frames.length);
        });
        running.add(job);
        if (running.size >= PARALLEL) await Promise.race(running);
      },
      signal,
    );
  }
  await Promise.all(running);
}

async function writePng(file: string, rgb: Buffer, width: number, height: number): Promise<void> {
  const temporary = `${file}.part`;
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png(STILL_PNG)
    .toFile(temporary);
  renameSync(temporary, file);
}
