import { renameSync, rmSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { temporaryName } from '../disk/flush.ts';
import { log } from '../log/log.ts';
import { keepCompiledCode } from '../process/keep-compiled.ts';
import { tellParent } from '../process/serve.ts';
import { STILL_PNG } from './still-format.ts';

/** Encodes pictures of the screen as PNG files, off the recording threads. */
export type StillJob = { pixels: Uint8Array; width: number; height: number; file: string; t: number; frame: number };
type StillDone = { t: number; frame: number; file: string; ok: boolean };

// One still at a time: recording comes first.
sharp.concurrency(1);
sharp.cache(false);

/** Swaps blue and red in place and drops the unused byte: BGRX to RGB. */
function toRgb(pixels: Uint8Array): Uint8Array {
  let to = 0;
  for (let from = 0; from < pixels.length; from += 4) {
    const blue = pixels[from] ?? 0;
    pixels[to++] = pixels[from + 2] ?? 0;
    pixels[to++] = pixels[from + 1] ?? 0;
    pixels[to++] = blue;
  }
  return pixels.subarray(0, to);
}

/** `flush` is answered when everything before it is on the disk. */
export type StillReport = { type: 'done'; done: StillDone } | { type: 'flushed' };

async function write(job: StillJob): Promise<StillDone> {
  const { t, frame, file } = job;
  const temporary = temporaryName(file, '.part');
  try {
    const raw = { width: job.width, height: job.height, channels: 3 as const };
    await sharp(toRgb(job.pixels), { raw }).png(STILL_PNG).toFile(temporary);
    renameSync(temporary, file);
    return { t, frame, file, ok: true };
  } catch (error) {
    log.warn('still not written', { error });
    // A still that could not be written (a full disk) is cut from the master later.
    rmSync(temporary, { force: true });
    return { t, frame, file, ok: false };
  }
}

let chain = Promise.resolve();
const tell = (report: StillReport): void => void tellParent(report);
/** On the way of the jobs `flush` comes behind those that were given before it, which another port does not promise. */
const flush = () => {
  chain = chain.then(() => tell({ type: 'flushed' }));
};
(workerData as { jobs: MessagePort } | null)?.jobs.on('message', (job: StillJob | 'flush') => {
  if (job === 'flush') return flush();
  chain = chain.then(async () => tell({ type: 'done', done: await write(job) }));
});
parentPort?.on('message', flush);
// The recording's process ends at once, and this thread with it.
keepCompiledCode();
