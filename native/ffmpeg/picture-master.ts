import { StudioError } from '../../schemas/errors.ts';
import { rawFrameHead, rawHead } from '../mkv/write.ts';
import { feedFfmpeg } from './feed.ts';
import type { FfmpegInfo } from './find.ts';
import { fpsModeArgs, masterArgs } from './master.ts';

/** A picture for a master: its time in ms, and its pixels as BGR0, four bytes each, rows without padding. */
export type RawPicture = { pts: number; bgr0: Buffer };

/** Writes pictures of one size as a lossless master (V2). Throws BAD_FILE, DISK_FULL; what `signal` says when aborted. */
export async function writePictureMaster(
  ffmpeg: Pick<FfmpegInfo, 'path' | 'major' | 'minor'>,
  file: string,
  size: { width: number; height: number },
  pictures: AsyncIterable<RawPicture>,
  signal?: AbortSignal,
): Promise<void> {
  const args = masterArgs(file, fpsModeArgs(ffmpeg), size);
  const failed = (why: string): StudioError =>
    new StudioError('BAD_FILE', `The pictures could not be written: ${why}.`, {});
  await feedFfmpeg({ path: ffmpeg.path, args, file, failed }, piecesOf(size, pictures, signal));
}

async function* piecesOf(
  { width, height }: { width: number; height: number },
  pictures: AsyncIterable<RawPicture>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  yield rawHead(width, height);
  for await (const { pts, bgr0 } of pictures) {
    signal?.throwIfAborted();
    yield rawFrameHead(pts, bgr0.length);
    yield bgr0;
  }
}
