import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import { libc } from '../memory/libc.ts';
import type { Pointer } from '../memory/memory.ts';
import { newSegment, removeSegment } from '../screen/own-picture.ts';
import type { Picture } from '../screen/picture.ts';
import { foreignNamespace } from './server-process.ts';
import { type XDisplay, x11, xcbShm, xext } from './x11.ts';

/** The same in memory shared with the X server. */
type ShmImage = Picture & { image: Pointer; info: Uint8Array; freeMemory(): void };

const Z_PIXMAP = 2;
/** Offset of `data` in XImage and of the two fields that we set in XShmSegmentInfo, on 64-bit machines. */
const XIMAGE_DATA = 16;
const SHMINFO = { size: 32, shmseg: 0, shmid: 8, shmaddr: 16 };

const MEMFD = { closeOnExec: 1, allowSealing: 2 };
const [F_ADD_SEALS, F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW] = [1033, 1, 2, 4];
const [PROT_READ, PROT_WRITE, MAP_SHARED] = [1, 2, 1];
/** (void *)-1, as koffi hands it over. */
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;

/** Makes a shared picture. Throws NO_LIBRARY where the server has no MIT-SHM or the kernel gives no segment. */
export function createShmImage(display: XDisplay, width: number, height: number): ShmImage {
  const x = x11();
  const screen = x.defaultScreen(display);
  const bytes = width * height * 4;
  const info = new Uint8Array(SHMINFO.size);
  // The number of a segment means another one, or none, to a server that counts by itself (a stage's, a container's).
  const own = foreignNamespace(display, 'ipc') === null;
  const shared = own ? sharedByNumber(display, bytes, info) : sharedByFile(display, bytes, info);
  const image =
    shared &&
    xext().shmCreateImage(
      display,
      x.defaultVisual(display, screen),
      x.defaultDepth(display, screen),
      Z_PIXMAP,
      null,
      info,
      width,
      height,
    );
  if (!shared || image === null) {
    shared?.freeMemory();
    throw new StudioError('NO_LIBRARY', 'The X server shares no memory with this process (a remote display?).', {});
  }
  koffi.encode(image, XIMAGE_DATA, 'void *', shared.pointer);
  return { width, height, bytes, image, info, ...shared };
}

type Shared = Pick<ShmImage, 'pointer' | 'freeMemory'>;

function sharedByNumber(display: XDisplay, bytes: number, info: Uint8Array): Shared | null {
  const c = libc();
  const id = newSegment(bytes);
  const pointer = c.shmat(id, null, 0);
  const view = new DataView(info.buffer);
  view.setInt32(SHMINFO.shmid, id, true);
  view.setBigUint64(SHMINFO.shmaddr, pointer, true);
  const attached = xext().shmAttach(display, info) !== 0;
  x11().sync(display, 0);
  // Marked for removal at once: the segment goes with the last process that has it attached, also after kill -9.
  removeSegment(id);
  const freeMemory = (): void => void c.shmdt(pointer);
  if (attached) return { pointer, freeMemory };
  freeMemory();
  return null;
}

/** A file without a name, which the server maps too. Sealed, so that a server that shrinks it cannot end this process. */
function sharedByFile(display: XDisplay, bytes: number, info: Uint8Array): Shared | null {
  const c = libc();
  const xcb = xcbShm();
  if (x11().queryExtension(display, 'MIT-SHM', [0], [0], [0]) === 0) return null;
  const fd = c.memfdCreate('screen', MEMFD.closeOnExec | MEMFD.allowSealing);
  if (fd < 0) return null;
  const made =
    c.ftruncate(fd, bytes) === 0 && c.fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) === 0;
  const pointer = made ? c.mmap(null, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  if (pointer === MAP_FAILED) {
    c.close(fd);
    return null;
  }
  const connection = xcb.connectionOf(display);
  const segment = xcb.newId(connection);
  const refusal = xcb.refusal(connection, xcb.attachFile(connection, segment, fd, 0));
  const freeMemory = (): void => void c.munmap(pointer, bytes);
  if (refusal !== null) {
    x11().free(refusal);
    freeMemory();
    return null;
  }
  const view = new DataView(info.buffer);
  view.setBigUint64(SHMINFO.shmseg, BigInt(segment), true);
  view.setBigUint64(SHMINFO.shmaddr, pointer, true);
  return { pointer, freeMemory };
}

/** Reads the rectangle of the root window whose top left is (x, y). False when it is not all on the screen. */
export function grabInto(display: XDisplay, root: number, target: ShmImage, x: number, y: number): boolean {
  return xext().shmGetImage(display, root, target.image, x, y, 0xffffffff) !== 0;
}

export function freeShmImage(display: XDisplay, target: ShmImage): void {
  xext().shmDetach(display, target.info);
  x11().sync(display, 0);
  target.freeMemory();
}
