import { lstatSync } from 'node:fs';
import { largestOf } from '../../../core/lists.ts';
import { bytesInWords } from '../../../core/words.ts';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { DEMUXERS, type Demuxer } from '../../../native/ffmpeg/input.ts';
import {
  greyFrames,
  probeVideo,
  type VideoFacts,
  type VideoTrack,
  writeMaster,
} from '../../../native/ffmpeg/video-file.ts';
import { readMkvIndex } from '../../../native/mkv/read.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { MOST_PIXELS } from '../../../schemas/limits.ts';
import { mimeOf } from '../../files/first-bytes.ts';
import type { ImportLimits } from '../limits.ts';
import { type Analysis, noteSize } from './analyse.ts';

export type TakenVideo = VideoFacts & {
  /** How the pictures came: as they were coded, or coded again. */
  how: 'copy' | 'encode';
  /** Each size of its pictures with its time in the file, ms, where it changes; all are on a canvas then. Else empty. */
  resized: Analysis['sizes'];
  /** Complaints of the file's reader; empty for a sound one. */
  complaints: string[];
};

/**
 * Makes a recording's master of a video: its pictures as they are coded where Matroska can hold them so, else coded again.
 * Throws BAD_FILE for what is no mp4, mov, mkv or webm by its first bytes, DISK_FULL, CANCELLED.
 */
export async function takeVideo(
  ffmpeg: FfmpegInfo,
  source: string,
  master: string,
  limits: ImportLimits,
  signal: AbortSignal,
): Promise<TakenVideo> {
  const demuxer = demuxerOf(source, limits);
  const facts = await probeVideo(ffmpeg, source, demuxer, signal);
  const from = { file: source, demuxer, track: facts.track };
  // A turned video is turned once and for all: a master has no such note.
  const copied = facts.rotation % 360 === 0 ? await copyOf(ffmpeg, from, master, signal) : null;
  if (copied) return { ...facts, how: 'copy', complaints: copied, resized: [] };
  return encoded(ffmpeg, { facts, from, master, sizes: await sizesOf(ffmpeg, from, signal) }, signal);
}

/** The same where the pictures of a copy turned out to change their size: one canvas for all of them. */
export async function takeResized(
  ffmpeg: FfmpegInfo,
  source: string,
  master: string,
  { video, sizes }: { video: TakenVideo; sizes: Analysis['sizes'] },
  limits: ImportLimits,
  signal: AbortSignal,
): Promise<TakenVideo> {
  const from = { file: source, demuxer: demuxerOf(source, limits), track: video.track };
  return encoded(ffmpeg, { facts: video, from, master, sizes }, signal);
}

type Encoding = { facts: VideoFacts; from: VideoTrack; master: string; sizes: Analysis['sizes'] };

async function encoded(
  ffmpeg: FfmpegInfo,
  { facts, from, master, sizes }: Encoding,
  signal: AbortSignal,
): Promise<TakenVideo> {
  const canvas = sizes.length > 1 ? canvasOf(sizes) : null;
  const complaints = await writeMaster(ffmpeg, from, master, { canvas }, signal);
  const turned = Math.abs(facts.rotation) % 180 === 90;
  const size = turned ? { width: facts.height, height: facts.width } : { width: facts.width, height: facts.height };
  return { ...facts, ...(canvas ?? size), how: 'encode', complaints, resized: canvas ? sizes : [] };
}

/** As wide as the widest and as high as the highest, so that each picture keeps its pixels; the first one's where that is too much. */
function canvasOf(sizes: Analysis['sizes']): { width: number; height: number } {
  const width = largestOf(sizes.map((size) => size.width));
  const height = largestOf(sizes.map((size) => size.height));
  const [first] = sizes;
  return width * height <= MOST_PIXELS || !first ? { width, height } : { width: first.width, height: first.height };
}

/** Every size of a file's pictures: coding them again would take the first for all of them. */
async function sizesOf(ffmpeg: FfmpegInfo, from: VideoTrack, signal: AbortSignal): Promise<Analysis['sizes']> {
  const sizes: Analysis['sizes'] = [];
  const smallest = { width: 16, height: 16 };
  for await (const { pts, size } of greyFrames(ffmpeg, from, smallest, signal)) noteSize(sizes, pts, size);
  return sizes;
}

/** The complaints at a copy that can be used; null when the pictures must be coded again. */
async function copyOf(
  ffmpeg: FfmpegInfo,
  from: VideoTrack,
  master: string,
  signal: AbortSignal,
): Promise<string[] | null> {
  try {
    const complaints = await writeMaster(ffmpeg, from, master, 'copy', signal);
    const { blocks } = await readMkvIndex(master, { signal });
    const apart = blocks.every(({ pts }, at) => pts >= 0 && (at === 0 || blocks[at - 1]!.pts < pts));
    return blocks.length > 0 && apart ? complaints : null;
  } catch (error) {
    // Matroska has no place for this codec, or its times go backwards; a full disk stays full.
    if (error instanceof StudioError && error.code === 'BAD_FILE') return null;
    throw error;
  }
}

/** By the first bytes, never by the name. Throws BAD_FILE. */
function demuxerOf(file: string, { bytes }: Pick<ImportLimits, 'bytes'>): Demuxer {
  const info = lstatSync(file);
  if (info.size > bytes) {
    throw new StudioError(
      'BAD_FILE',
      `${file} is ${bytesInWords(info.size)} large; at most ${bytesInWords(bytes)} are taken.`,
      { file },
    );
  }
  const mime = mimeOf(file);
  const demuxer = DEMUXERS[mime];
  if (demuxer) return demuxer;
  throw new StudioError('BAD_FILE', `${file} is no video that is taken (mp4, mov, mkv, webm), but ${mime}.`, { file });
}
