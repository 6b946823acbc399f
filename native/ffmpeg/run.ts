import { spawn } from 'node:child_process';
import type { FfmpegInfo } from './find.ts';

/** How one run of ffmpeg ended: the end of what it printed, the beginning of its log, its status. */
type Ran = { out: string; log: string; code: number | null };

/** The last lines of the progress alone tell what there was, bytes. */
const OUT_BYTES = 1 << 16;

/** Runs ffmpeg to its end, whatever its status. `logBytes`: more of its log is not kept. Rejects with the signal's reason. */
export function runFfmpeg(
  { path }: Pick<FfmpegInfo, 'path'>,
  args: readonly string[],
  { logBytes, signal }: { logBytes: number; signal?: AbortSignal | undefined },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const child = spawn(path, [...args], { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    const abort = (): void => void child.kill('SIGKILL');
    signal?.addEventListener('abort', abort, { once: true });
    let log = '';
    let out = '';
    child.stdout.on('data', (data: Buffer) => {
      out = (out + data.toString('latin1')).slice(-OUT_BYTES);
    });
    child.stderr.on('data', (data: Buffer) => {
      if (log.length < logBytes) log += data.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', abort);
      if (signal?.aborted) reject(signal.reason);
      else resolve({ out, log, code });
    });
  });
}
