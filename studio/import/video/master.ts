import { lstatSync } from 'node:fs';
import type { FfmpegInfo } from '../../../native/ffmpeg/find.ts';
import { DEMUXERS, type Demuxer } from '../../../native/ffmpeg/input.ts';
import { probeVideo, type VideoFacts, writeMaster } from '../../../native/ffmpeg/video-file.ts';
import { readMkvIndex } from '../../../native/mkv/read.ts';
import { StudioError } from '../../../schemas/errors.ts';
import { mimeOf } from '../../files/first-bytes.ts';
import type { ImportLimits } from '../limits.ts';

export type TakenVideo = VideoFacts & {
  /** How the pictures came: as they were coded, or coded again. */
  how: 'copy' | 'encode';
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
  const from = { file: source, demuxer };
  // A turned video is turned once and for all: a master has no such note.
  const copied = facts.rotation % 360 === 0 ? await copyOf(ffmpeg, from, master, signal) : null;
  if (copied) return { ...facts, how: 'copy', complaints: copied };
  const complaints = await writeMaster(ffmpeg, from, master, 'encode', signal);
  const turned = Math.abs(facts.rotation) % 180 === 90;
  const [width, height] = turned ? [facts.height, facts.width] : [facts.width, facts.height];
  return { ...facts, width, height, how: 'encode', complaints };
}

/** The complaints at a copy that can be used; null when the pictures must be coded again. */
async function copyOf(
  ffmpeg: FfmpegInfo,
  from: { file: string; demuxer: Demuxer },
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
      `${file} is ${(info.size / 1e9).toFixed(1)} GB large; at most ${(bytes / 1e9).toFixed(0)} GB are taken.`,
      { file },
    );
  }
  const mime = mimeOf(file);
  const demuxer = DEMUXERS[mime];
  if (demuxer) return demuxer;
  throw new StudioError('BAD_FILE', `${file} is no video that is taken (mp4, mov, mkv, webm), but ${mime}.`, { file });
}
