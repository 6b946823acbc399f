import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { decodeFrames } from '../../native/ffmpeg/decode.ts';
import type { FfmpegInfo } from '../../native/ffmpeg/find.ts';
import { fpsModeArgs } from '../../native/ffmpeg/master.ts';
import { readMkvIndex } from '../../native/mkv/read.ts';
import { STILL_PNG } from '../../native/screen/still-format.ts';
import type { Frame } from '../../schemas/frames.ts';
import type { Segment } from '../../schemas/recording.ts';
import { flushFiles, flushFolder, removeTemporary, temporaryName, writeFileAtomic } from '../files/atomic.ts';
import { PREPARE_LOCK, withFolderLock } from '../files/folder-lock.ts';
import { folderIn, hasFile } from '../files/inside.ts';
import { makePrivate } from '../files/private.ts';
import { localVideo } from './bytes.ts';
import { type ClosedRecording, openFolder } from './closed.ts';
import { isWholePng } from './whole-png.ts';

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
 * writes index.json. One process at a time does it for a recording; another waits and finds the stills (M3).
 * Throws RECORDING_DAMAGED when the master cannot give a picture.
 */
export function cutKeyframes(folder: string, ffmpeg: FfmpegInfo, options: CutOptions = {}): Promise<ClosedRecording> {
  const { signal } = options;
  return withFolderLock(folder, PREPARE_LOCK, () => cutAll(folder, ffmpeg, options), signal ? { signal } : {});
}

async function cutAll(folder: string, ffmpeg: FfmpegInfo, options: CutOptions): Promise<ClosedRecording> {
  const closed = openFolder(folder);
  const dir = folderIn(folder, 'keyframes');
  makePrivate(dir);
  removeTemporary(dir);
  const fileOf = ({ t }: { t: number }): string => join(dir, `${t}.png`);
  const wanted = new Set(closed.keyframes.keyframes.map((k) => k.frame));
  const named = closed.frames.flatMap(([i], place) => (wanted.has(i) ? [closed.frameAt(place)!] : []));
  const missing = options.anew
    ? named
    : named.filter((frame) => !(hasFile(dir, `${frame.t}.png`) && isWholePng(fileOf(frame))));
  await cutFrames(folder, closed.meta.segments, missing, fileOf, ffmpeg, options);
  // The list says that they are there, so they are on the disk before it (M11).
  await flushFiles(missing.map(fileOf).filter((file) => hasFile(dir, basename(file))));
  flushFolder(dir);
  writeFileAtomic(join(dir, 'index.json'), `${JSON.stringify(closed.keyframes, null, 2)}\n`);
  return closed;
}

/** Decodes frames, in any order, from the master and writes each as a lossless PNG under the name that `fileOf` gives (K4). */
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
  // Kept rather than thrown where nobody waits yet: a picture that fails while the next is decoded would end the process.
  const failed: unknown[] = [];
  for (const segment of segments) {
    const own = frames.filter((f) => (f.seg ?? 0) === segment.index);
    if (own.length === 0) continue;
    const { path: file, release } = await localVideo(folder, segment.file, signal);
    const byPts = new Map(own.map((f) => [f.pts, f]));
    try {
      const { blocks } = await readMkvIndex(file, { named: segment.frames, ...(signal && { signal }) });
      const source = { file, blocks, width: segment.width, height: segment.height };
      await decodeFrames(
        { path: ffmpeg.path, fpsMode: fpsModeArgs(ffmpeg) },
        source,
        [...byPts.keys()],
        async ({ pts, rgb, width, height }) => {
          const frame = byPts.get(pts);
          if (!frame) return;
          const job = writePng(fileOf(frame), rgb, width, height)
            .then(
              () => onProgress?.(++done, frames.length),
              (error) => failed.push(error),
            )
            .then(() => void running.delete(job));
          running.add(job);
          if (running.size >= PARALLEL) await Promise.race(running);
          if (failed.length > 0) throw failed[0];
        },
        signal,
      );
    } finally {
      await release();
    }
  }
  await Promise.all(running);
  if (failed.length > 0) throw failed[0];
}

async function writePng(file: string, rgb: Buffer, width: number, height: number): Promise<void> {
  const temporary = temporaryName(file);
  try {
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png(STILL_PNG)
      .toFile(temporary);
    makePrivate(temporary);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
