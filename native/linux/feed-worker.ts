import { closeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import koffi from 'koffi';
import { rawFrameHead, rawHead } from '../mkv/write.ts';
import { dequeue, type FeedEntry, type FeedQueue } from './feed-queue.ts';
import { libc } from './x11.ts';

/** Writes queued pictures into the encoder's pipe with blocking writes, straight from the shared memory. */
export type FeedMessage = { type: 'broken'; segment: number; errno: number } | { type: 'closed'; segment: number };

const F_SETPIPE_SZ = 1031;
const PIPE_BYTES = 1 << 20;

const queue = (workerData as { queue: FeedQueue }).queue; // the recorder hands in exactly this
const tell = (message: FeedMessage) => parentPort?.postMessage(message);

let open: { fd: number; segment: number } | null = null;

function close(): void {
  if (!open) return;
  closeSync(open.fd);
  tell({ type: 'closed', segment: open.segment });
  open = null;
}

/** False when the reader is gone (EPIPE) or the write failed. */
function writeAll(fd: number, from: Buffer | bigint, bytes: number): boolean {
  let done = 0;
  while (done < bytes) {
    const rest = typeof from === 'bigint' ? from + BigInt(done) : from.subarray(done);
    const n = libc().write(fd, rest, bytes - done);
    if (n >= 0) done += n;
    else if (koffi.errno() !== koffi.os.errno.EINTR) return false;
  }
  return true;
}

function take(entry: FeedEntry): void {
  if (entry.kind === 'end') {
    close();
    return;
  }
  if (entry.kind === 'segment') {
    close();
    libc().fcntl(entry.fd, F_SETPIPE_SZ, PIPE_BYTES);
    open = { fd: entry.fd, segment: entry.segment };
    const head = rawHead(entry.width, entry.height);
    if (!writeAll(entry.fd, head, head.length)) fail();
    return;
  }
  // Pictures of a segment whose encoder died are dropped; the next segment starts with the whole screen.
  if (!open || open.segment !== entry.segment) return;
  const head = rawFrameHead(entry.pts, entry.bytes);
  if (!writeAll(open.fd, head, head.length) || !writeAll(open.fd, entry.address, entry.bytes)) fail();
}

function fail(): void {
  if (!open) return;
  tell({ type: 'broken', segment: open.segment, errno: koffi.errno() });
  closeSync(open.fd);
  open = null;
}

for (;;) dequeue(queue, take);
