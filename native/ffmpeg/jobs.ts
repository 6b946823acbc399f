import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import ffmpegCommand from 'fluent-ffmpeg';
import { StudioError } from '../../schemas/errors.ts';
import type { Frame } from '../../schemas/frames.ts';
import { flushFile, flushFolder, temporaryName } from '../disk/flush.ts';
import { mostPictures } from '../mkv/read.ts';
import type { FfmpegInfo } from './find.ts';
import { fileInputParts } from './input.ts';
import { fpsModeArgs } from './master.ts';

/** Offline jobs with ffmpeg. The only file that knows fluent-ffmpeg (unmaintained: to be replaced here alone). */

export type PlaybackSegment = {
  /** Path of the lossless segment. */
  file: string;
  width: number;
  height: number;
  /** Session time of the segment's first frame, µs. */
  t: number;
};

type PlaybackOptions = {
  ffmpeg: Pick<FfmpegInfo, 'path' | 'major' | 'minor'>;
  /** In recording order; at least one. */
  segments: readonly PlaybackSegment[];
  /** Frames of all segments together (frames.jsonl's lines), for progress and the end. */
  frames: number;
  /** Session time at which the last picture ends, µs; absent: with the last frame. */
  endT?: number;
  /** File to write; it appears whole or not at all. */
  output: string;
  /** 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
};

type Playback = { width: number; height: number };

/** The playback segments of a recording out of its segment list and frames.jsonl lines; segments without frames fall out. */
export function playbackSegments(
  segments: readonly { index: number; file: string; width: number; height: number }[],
  frames: readonly Frame[],
): PlaybackSegment[] {
  const firsts = new Map<number, Frame>();
  for (const frame of frames) if (!firsts.has(frame.seg ?? 0)) firsts.set(frame.seg ?? 0, frame);
  return segments.flatMap(({ index, file, width, height }) => {
    const first = firsts.get(index);
    return first === undefined ? [] : [{ file, width, height, t: first.t }];
  });
}

/**
 * Filters that put the segments on one canvas and one time line: a playback second is a session second from the first
 * frame on, pauses stay on the screen as the last picture. Smaller segments stand top left (unscaled), so that a pixel of
 * the recording is the pixel of the playback. Even sizes, as 4:2:0 needs.
 */
export function playbackFilter(
  segments: readonly PlaybackSegment[],
  frames: number,
  endT: number | undefined,
): { filter: string; width: number; height: number } {
  const even = (value: number): number => value + (value % 2);
  let [widest, highest] = [0, 0];
  for (const segment of segments) {
    widest = Math.max(widest, segment.width);
    highest = Math.max(highest, segment.height);
  }
  const [width, height] = [even(widest), even(highest)];
  const zero = segments[0]?.t ?? 0;
  const inputs = segments.map(({ t }, index) => {
    const canvas = `pad=${width}:${height}:0:0,setsar=1`;
    return `[${index}:v]settb=1/1000000,setpts=PTS-STARTPTS+${t - zero},${canvas}[s${index}]`;
  });
  const together =
    segments.length === 1
      ? '[s0]null'
      : `${segments.map((_, index) => `[s${index}]`).join('')}interleave=nb_inputs=${segments.length}`;
  // The last picture once more at the end, so that the file is as long as the recording.
  const end =
    endT === undefined ? '' : `,tpad=stop=1:stop_mode=clone,setpts=if(gte(N\\,${frames})\\,${endT - zero}\\,PTS)`;
  const colour = 'scale=out_color_matrix=bt709:out_range=tv,format=yuv420p';
  return { filter: [...inputs, `${together},settb=1/1000000${end},${colour}[out]`].join(';'), width, height };
}

/**
 * Makes the small playback copy (V3): H.264 4:2:0, index first, a key frame at least every 30 frames and every second, each
 * frame at its own time. Throws CANCELLED when aborted, DISK_FULL, BAD_FILE when a segment cannot be read.
 */
export async function makePlayback(options: PlaybackOptions): Promise<Playback> {
  const { ffmpeg, segments, frames, output, onProgress, signal } = options;
  if (segments.length === 0) throw new StudioError('BAD_FILE', 'The recording has no frames to play.', { output });
  if (signal?.aborted) throw cancelled(output);
  const { filter, width, height } = playbackFilter(segments, frames, options.endT);
  // A name of its own: two processes that make one copy must not write into each other's.
  const part = temporaryName(output, '.part');
  const command = ffmpegCommand({ logger: undefined });
  command.setFfmpegPath(ffmpeg.path);
  for (const { file } of segments) {
    const { name, options } = fileInputParts('matroska', file);
    command.input(name).inputOptions(options);
  }
  command
    .complexFilter(filter)
    .outputOptions([
      '-map',
      '[out]',
      '-an',
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '20',
      '-pix_fmt',
      'yuv420p',
    ])
    .outputOptions(fpsModeArgs(ffmpeg))
    // A film of a thousand million pictures that its recording names none of would be made for days.
    .outputOptions(['-frames:v', String(mostPictures(frames))])
    .outputOptions(['-g', '30', '-force_key_frames', 'expr:gte(t,n_forced)', '-enc_time_base', '1:1000000'])
    .outputOptions(['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'])
    .outputOptions(['-video_track_timescale', '90000', '-movflags', '+faststart', '-f', 'mp4'])
    .output(part);
  try {
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => void command.kill('SIGKILL');
      const done = (settle: () => void) => (): void => {
        signal?.removeEventListener('abort', abort);
        settle();
      };
      signal?.addEventListener('abort', abort, { once: true });
      command
        // It first asks ffmpeg what it can do; until then there is nothing that `abort` could end.
        .on('start', () => {
          if (signal?.aborted) abort();
        })
        .on('progress', (progress: { frames?: number }) => {
          if (frames > 0) onProgress?.(Math.min(1, (progress.frames ?? 0) / frames));
        })
        .on('end', done(resolve))
        .on('error', (error: Error, _out: string | null, log: string | null) => {
          done(() => reject(failure(error, log ?? '', output, signal)))();
        })
        .run();
    });
    await flushFile(part);
    await rename(part, output);
    flushFolder(dirname(output));
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  onProgress?.(1);
  return { width, height };
}

function cancelled(output: string): StudioError {
  return new StudioError('CANCELLED', 'Making the playback copy was cancelled.', { output });
}

function failure(error: Error, log: string, output: string, signal: AbortSignal | undefined): StudioError {
  if (signal?.aborted) return cancelled(output);
  if (/No space left on device|ENOSPC/.test(log)) {
    return new StudioError('DISK_FULL', `The disk is full: ${output} was not written. Free some space and try again.`, {
      output,
    });
  }
  const lines = log.trim().split('\n').slice(-3).join(' | ');
  return new StudioError(
    'BAD_FILE',
    `The playback copy ${output} could not be made: ${lines || error.message}`,
    { output },
    { cause: error },
  );
}
