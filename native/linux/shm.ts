import koffi from 'koffi';
import { StudioError } from '../../schemas/errors.ts';
import { libc } from '../memory/libc.ts';
import type { Pointer } from '../memory/memory.ts';
import { newSegment, removeSegment } from '../screen/own-picture.ts';
import type { Picture } from '../screen/picture.ts';
import { type XDisplay, x11, xext } from './x11.ts';

/** The same in memory shared with the X server. */
type ShmImage = Picture & { image: Pointer; info: Uint8Array };

const Z_PIXMAP = 2;
/** Offset of `data` in XImage and of the two fields that we set in XShmSegmentInfo, on 64-bit machines. */
const XIMAGE_DATA = 16;
const SHMINFO = { size: 32, shmid: 8, shmaddr: 16 };

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
  removeSegment(id);
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
