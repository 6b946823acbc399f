import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { StudioError } from '../../schemas/errors.ts';

type Feeding = {
  /** ffmpeg's program and its words, which read its standard input. */
  path: string;
  args: readonly string[];
  /** The file that it writes, for errors. */
  file: string;
  /** The error where it fails, from its last words. */
  failed(why: string): StudioError;
};

/** Hands ffmpeg its input, as fast as it takes it, and waits for its end. Throws DISK_FULL, what `failed` gives, what `pieces` throws. */
export async function feedFfmpeg(
  { path, args, file, failed }: Feeding,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const child = spawn(path, args, { stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true });
  let log = '';
  child.stderr.on('data', (data: Buffer) => {
    log = (log + data.toString()).slice(-4000);
  });
  const ended = new Promise<number | null>((done, fail) => child.once('close', done).once('error', fail));
  ended.catch(() => undefined);
  // A pipe that breaks shows by how ffmpeg ends.
  child.stdin.on('error', () => undefined);
  try {
    for await (const bytes of pieces) {
      if (!child.stdin.write(bytes) && child.exitCode === null) await Promise.race([once(child.stdin, 'drain'), ended]);
    }
    child.stdin.end();
    if ((await ended) === 0) return;
    if (/No space left on device|ENOSPC/.test(log))
      throw new StudioError('DISK_FULL', 'The disk is full. Free some space and try again.', { file });
    throw failed(log.trim().split('\n').at(-1) ?? '');
  } finally {
    child.kill('SIGKILL');
  }
}
