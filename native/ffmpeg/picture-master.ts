import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StudioError } from '../../schemas/errors.ts';
import { rawFrameHead, rawHead } from '../mkv/write.ts';
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
  const child = spawn(ffmpeg.path, args, { stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true });
  let log = '';
  child.stderr.on('data', (data: Buffer) => {
    log = (log + data.toString()).slice(-4000);
  });
  const ended = new Promise<number | null>((done, failed) => child.once('close', done).once('error', failed));
  ended.catch(() => undefined);
  // A pipe that breaks shows by how ffmpeg ends.
  child.stdin.on('error', () => undefined);
  const write = async (bytes: Buffer): Promise<void> => {
    if (child.stdin.write(bytes) || child.exitCode !== null) return;
    await Promise.race([once(child.stdin, 'drain'), ended]);
  };
  try {
    await write(rawHead(size.width, size.height));
    for await (const { pts, bgr0 } of pictures) {
      signal?.throwIfAborted();
      await write(rawFrameHead(pts, bgr0.length));
      await write(bgr0);
    }
    child.stdin.end();
    const code = await ended;
    if (code === 0) return;
    const full = /No space left on device|ENOSPC/.test(log);
    if (full) throw new StudioError('DISK_FULL', 'The disk is full. Free some space and try again.', { file });
    throw new StudioError(
      'BAD_FILE',
      `The pictures could not be written: ${log.trim().split('\n').at(-1) ?? code}.`,
      {},
    );
  } finally {
    child.kill('SIGKILL');
  }
}
