import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import { libc, type Pointer, type XDisplay, x11, xext } from './x11.ts';

/** One screen picture in memory: 4 bytes a pixel, blue green red unused (depth 24 or 32). */
export type Picture = { width: number; height: number; bytes: number; pointer: Pointer };
/** The same in memory shared with the X server. */
type ShmImage = Picture & { image: Pointer; info: Uint8Array };

const IPC_CREAT_PRIVATE = 0o1600;
const IPC_RMID = 0;
const Z_PIXMAP = 2;
/** Offset of `data` in XImage and of the two fields that we set in XShmSegmentInfo, on 64-bit machines. */
const XIMAGE_DATA = 16;
const SHMINFO = { size: 32, shmid: 8, shmaddr: 16 };

/** Throws NO_LIBRARY where the kernel gives no segment. */
function newSegment(bytes: number): number {
  const id = libc().shmget(0, bytes, IPC_CREAT_PRIVATE);
  if (id >= 0) return id;
  throw new StudioError(
    'NO_LIBRARY',
    `The kernel gave no shared memory of ${bytes} bytes (kernel.shmmax, kernel.shmall). Free some with ipcrm or raise the limits.`,
    { bytes },
  );
}

/** A picture in this process's own memory, whose address stays where it is. Throws NO_LIBRARY as `createShmImage`. */
export function createOwnPicture(width: number, height: number): Picture {
  const bytes = width * height * 4;
  const id = newSegment(bytes);
  const pointer = libc().shmat(id, null, 0);
  libc().shmctl(id, IPC_RMID, null);
  return { width, height, bytes, pointer };
}
export function freeOwnPicture({ pointer }: Picture): void {
  libc().shmdt(pointer);
}

/** Copies a rectangle of `from`, rows of `stride` pixels, into the whole of `target`. It must lie inside `from`. */
export function copyInto(target: Picture, from: Uint8Array, stride: number, at: { x: number; y: number }): void {
  const rowBytes = target.width * 4;
  const start = (at.y * stride + at.x) * 4;
  if (target.width === stride) {
    libc().memcpyIn(target.pointer, from.subarray(start, start + target.bytes), target.bytes);
    return;
  }
  for (let row = 0; row < target.height; row++) {
    const offset = start + row * stride * 4;
    libc().memcpyIn(target.pointer + BigInt(row * rowBytes), from.subarray(offset, offset + rowBytes), rowBytes);
  }
}

/** Makes a shared picture. Throws NO_LIBRARY where the server has no MIT-SHM or the kernel gives no segment. */
export function createShmImage(display: XDisplay, width: number, height: number): ShmImage {
  const x = x11();
  const c = libc();
  const screen = x.defaultScreen(display);
  const bytes = width * height * 4;
  const id = newSegment(bytes);
  const pointer = c.shmat(id, null, 0);
  const info = new Uint8Array(SHMINFO.size);
  const view = new DataView(info.buffer);

  view.setInt32(SHMINFO.shmid, id, true);
  view.setBigUint64(SHMINFO.shmaddr, pointer, true);
  const depth = x.defaultDepth(display, screen);
  const image = xext().shmCreateImage(
    display,
    x.defaultVisual(display, screen),
    depth,
    Z_PIXMAP,
    null,
    info,
    width,
    height,
  );
  const attached = image !== null && xext().shmAttach(display, info) !== 0;
  x.sync(display, 0);
  // Marked for removal at once: the segment goes with the last process that has it attached, also after kill -9.
  c.shmctl(id, IPC_RMID, null);
  if (!attached || image === null) {
    c.shmdt(pointer);
    throw new StudioError('NO_LIBRARY', 'The X server shares no memory with this process (a remote display?).', {});
  }
  koffi.encode(image, XIMAGE_DATA, 'void *', pointer);
  return { width, height, bytes, pointer, image, info };
}

/** Reads the rectangle of the root window whose top left is (x, y). False when it is not all on the screen. */
export function grabInto(display: XDisplay, root: number, target: ShmImage, x: number, y: number): boolean {
  return xext().shmGetImage(display, root, target.image, x, y, 0xffffffff) !== 0;
}

export function freeShmImage(display: XDisplay, target: ShmImage): void {
  xext().shmDetach(display, target.info);
  x11().sync(display, 0);
  libc().shmdt(target.pointer);
}

/** True when the two pictures are the same in every byte. */
export function samePicture(a: Picture, b: Picture): boolean {
  return libc().memcmp(a.pointer, b.pointer, a.bytes) === 0;
}

/** True when every pixel is black: the screen is locked, a display is off, or a driver hides what it shows (V6). */
export function isBlack(target: Picture, scratch: Uint8Array): boolean {
  libc().memcpyOut(scratch, target.pointer, 4);
  if (scratch[0] !== 0 || scratch[1] !== 0 || scratch[2] !== 0) return false;
  return libc().memcmp(target.pointer, target.pointer + 4n, target.bytes - 4) === 0;
}

/** Rows are sampled in areas larger than this, px. */
const SAMPLE_ABOVE = 262_144;
const COARSE = 16;
const FINE = 4;
/** A coarse sample that says more than this share is far from any threshold, and good enough. */
const CLEARLY = 0.02;

/**
 * Pixels that differ inside `rows` of the two pictures. In large areas every 16th row is looked at first, and every
 * fourth when that finds little: counting all of a full HD screen would cost 4 ms a frame.
 */
export function countChanged(a: Picture, b: Picture, rows: { from: number; to: number }, scratch: DiffScratch): number {
  const from = Math.max(0, rows.from);
  const to = Math.min(a.height, rows.to);
  const area = (to - from) * a.width;
  if (area <= SAMPLE_ABOVE) return countRows(a, b, from, to, 1, scratch);
  const coarse = countRows(a, b, from, to, COARSE, scratch) * COARSE;
  return coarse > area * CLEARLY ? coarse : countRows(a, b, from, to, FINE, scratch) * FINE;
}

function countRows(a: Picture, b: Picture, from: number, to: number, step: number, scratch: DiffScratch): number {
  const { width } = a;
  const { bytesA, bytesB, pixelsA, pixelsB } = scratch;
  const c = libc();
  const rowBytes = width * 4;
  let changed = 0;
  for (let row = from; row < to; row += step) {
    const offset = BigInt(row * rowBytes);
    if (c.memcmp(a.pointer + offset, b.pointer + offset, rowBytes) === 0) continue;
    c.memcpyOut(bytesA, a.pointer + offset, rowBytes);
    c.memcpyOut(bytesB, b.pointer + offset, rowBytes);
    for (let i = 0; i < width; i++) if (pixelsA[i] !== pixelsB[i]) changed++;
  }
  return changed;
}

type DiffScratch = { bytesA: Uint8Array; bytesB: Uint8Array; pixelsA: Uint32Array; pixelsB: Uint32Array };
export function diffScratch(width: number): DiffScratch {
  const bytesA = new Uint8Array(width * 4);
  const bytesB = new Uint8Array(width * 4);
  return { bytesA, bytesB, pixelsA: new Uint32Array(bytesA.buffer), pixelsB: new Uint32Array(bytesB.buffer) };
}
