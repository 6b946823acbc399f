import { StudioError } from '../../schemas/errors.ts';
import { feedFfmpeg } from './feed.ts';
import type { FfmpegInfo } from './find.ts';
import { pixelInput } from './input.ts';

type FilmWish = {
  width: number;
  height: number;
  /** Pictures a second. */
  fps: number;
  /** H.264 of RGB, which keeps every pixel; else 4:2:0, which every player shows. */
  exact: boolean;
};

/**
 * Writes pictures of one size (RGB, three bytes each, rows without padding) as an mp4, each for as long as the next: the first of
 * every two stands by itself, so that any picture is found at once. Throws BAD_FILE, DISK_FULL, FFMPEG_UNSUITABLE.
 */
export async function writeFilm(
  ffmpeg: Pick<FfmpegInfo, 'path' | 'encoders'>,
  file: string,
  { width, height, fps, exact }: FilmWish,
  pictures: AsyncIterable<Uint8Array>,
): Promise<void> {
  const encoder = exact ? 'libx264rgb' : 'libx264';
  if (!ffmpeg.encoders.has(encoder)) {
    const message = `${ffmpeg.path} has no ${encoder}, so it writes no video that others read. Install an ffmpeg with x264.`;
    throw new StudioError('FFMPEG_UNSUITABLE', message, { path: ffmpeg.path });
  }
  const args = [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y'],
    ...pixelInput({ width, height, fps }),
    ...(exact ? ['-c:v', encoder, '-qp', '0'] : ['-c:v', encoder, '-crf', '10', '-pix_fmt', 'yuv420p']),
    // One thread and no version in it: the same pictures give the same bytes.
    ...['-preset', 'medium', '-g', '2', '-bf', '0', '-threads', '1', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
    ...['-map_metadata', '-1', '-movflags', '+faststart', '-f', 'mp4', file],
  ];
  const failed = (why: string): StudioError =>
    new StudioError('BAD_FILE', `The video could not be written: ${why}.`, { file });
  await feedFfmpeg({ path: ffmpeg.path, args, file, failed }, pictures);
}
