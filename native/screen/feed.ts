import { parentPort } from 'node:worker_threads';
import { rawFrameHead, rawHead } from '../mkv/write.ts';
import { keepCompiledCode } from '../process/keep-compiled.ts';
import type { FeedPipe } from './feed-pipe.ts';
import { dequeue, type FeedEntry, type FeedQueue, unpin } from './feed-queue.ts';

export type FeedMessage = { type: 'broken'; segment: number; errno: number } | { type: 'closed'; segment: number };
/** A feeder's `workerData`. */
export type FeedSetup = { queue: FeedQueue };

/**
 * Hands queued pictures to the encoder's pipe with blocking calls, straight from the shared memory. Never returns: only ever
 * called in a worker of the recorder's.
 */
export function runFeed({ queue }: FeedSetup, pipe: FeedPipe): never {
  const tell = (message: FeedMessage) => parentPort?.postMessage(message);

  let open: { fd: number; segment: number } | null = null;

  /** The slot whose picture the encoder may still be reading out of the pipe. */
  let lent: number | null = null;

  function giveBack(): void {
    if (lent !== null) unpin(queue, lent);
    lent = null;
  }

  function close(): void {
    if (!open) return;
    // An encoder that stands still keeps the slot: what it reads later must be what was on the screen.
    if (lent !== null && pipe.lend?.drain(open.fd)) giveBack();
    lent = null;
    pipe.close(open.fd);
    tell({ type: 'closed', segment: open.segment });
    open = null;
  }

  /** `keep`: the slot stays pinned (feed-queue.ts). */
  function take(entry: FeedEntry): 'keep' | undefined {
    if (entry.kind === 'end') {
      close();
      return undefined;
    }
    if (entry.kind === 'segment') {
      close();
      open = { fd: entry.fd, segment: entry.segment };
      const head = rawHead(entry.width, entry.height);
      if (!pipe.open(entry.fd) || !pipe.write(entry.fd, head, head.length)) fail();
      return undefined;
    }
    // Pictures of a segment whose encoder died are dropped; the next segment starts with the whole screen.
    if (!open || open.segment !== entry.segment) return undefined;
    const head = rawFrameHead(entry.pts, entry.bytes);
    const { lend } = pipe;
    const lends = lend !== undefined && entry.bytes >= lend.least;
    const write = lends ? lend.write : pipe.write;
    if (!pipe.write(open.fd, head, head.length) || !write(open.fd, entry.address, entry.bytes)) {
      fail();
      return undefined;
    }
    // The pipe holds less than this picture, so the one before has left it.
    giveBack();
    if (!lends) return undefined;
    lent = entry.slot;
    return 'keep';
  }

  function fail(): void {
    if (!open) return;
    tell({ type: 'broken', segment: open.segment, errno: pipe.error() });
    pipe.close(open.fd);
    open = null;
    // Nobody reads it any more.
    giveBack();
  }

  // This thread ends with its process, in the middle of a wait.
  keepCompiledCode();
  for (;;) dequeue(queue, take);
}
