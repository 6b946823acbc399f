import { closeSync } from 'node:fs';
import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import { libc } from '../memory/libc.ts';
import type { EncoderPipe, FeedPipe } from './feed-pipe.ts';

/** A pipe of the kernel's (X11 and Wayland). */
const O_CLOEXEC = 0o2000000;
const F_SETPIPE_SZ = 1031;
const PIPE_BYTES = 1 << 20;
const FIONREAD = 0x541b;
const POLLERR = 8;
const DRAIN_WITHIN = 2000;

/** Calls `some`, which says how many bytes it did, until all is done. */
function all(bytes: number, some: (done: number) => number): boolean {
  for (let done = 0; done < bytes; ) {
    const n = some(done);
    if (n >= 0) done += n;
    else if (koffi.errno() !== koffi.os.errno.EINTR) return false;
  }
  return true;
}

function isBroken(fd: number): boolean {
  // struct pollfd: int fd, short events, short revents. POLLERR on the writing end: nobody reads any more.
  const entry = new Uint8Array(8);
  const view = new DataView(entry.buffer);
  view.setInt32(0, fd, true);
  return libc().poll(entry, 1, 0) > 0 && (view.getInt16(6, true) & POLLERR) !== 0;
}

const pieces = new BigUint64Array(2);
const clock = new Int32Array(new SharedArrayBuffer(4));

export const libcFeedPipe: FeedPipe = {
  open(fd) {
    libc().fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
    return true;
  },
  write: (fd, from, bytes) =>
    all(bytes, (done) =>
      libc().write(fd, typeof from === 'bigint' ? from + BigInt(done) : from.subarray(done), bytes - done),
    ),
  lend: {
    // A system may have given the pipe its own size, never more than it was asked for, rounded up.
    least: 2 * PIPE_BYTES,
    write: (fd, from, bytes) =>
      all(bytes, (done) => {
        // struct iovec: address, length.
        pieces[0] = from + BigInt(done);
        pieces[1] = BigInt(bytes - done);
        return libc().vmsplice(fd, pieces, 1, 0);
      }),
    drain(fd) {
      const unread = new Int32Array(1);
      for (let waited = 0; waited < DRAIN_WITHIN; waited++) {
        if (libc().ioctl(fd, FIONREAD, unread) !== 0 || unread[0] === 0 || isBroken(fd)) return true;
        Atomics.wait(clock, 0, 0, 1);
      }
      return false;
    },
  },
  error: () => koffi.errno(),
  close: (fd) => closeSync(fd),
};

function openLibcPipe(): EncoderPipe {
  const ends = new Int32Array(2);
  if (libc().pipe2(ends, O_CLOEXEC) !== 0)
    throw new StudioError('CAPTURE_FAILED', 'The system gave no pipe for the encoder.', {});
  const [read = -1, write = -1] = ends;
  return { write, stdin: read, handedOver: () => closeSync(read), ended: () => undefined };
}

/** How the recorders of X11 and Wayland feed their encoders. */
export const LIBC_PIPES = { feeder: new URL('./feed-worker.ts', import.meta.url), openPipe: openLibcPipe };
