import type { Rect } from '../../schemas/events.ts';
import type { Glance } from '../platform/platform.ts';
import { toRgb } from '../screen/picture.ts';
import { createShmImage, freeShmImage, grabInto } from './shm.ts';
import { attributesOf, boundsOf, parentOf } from './windows.ts';
import { type XDisplay, x11 } from './x11.ts';

/** Windows stand in windows in windows. */
const MOST_PARENTS = 16;

/** Single pictures of an X server's screen, through memory that is shared with it. `grab` throws NO_LIBRARY where there is none. */
export function x11Glance(display: XDisplay): Glance {
  const root = x11().root(display);
  return {
    grab({ x, y, width, height }) {
      const image = createShmImage(display, width, height);
      try {
        return grabInto(display, root, image, x, y) ? toRgb(image) : null;
      } finally {
        freeShmImage(display, image);
      }
    },
    frameOf: ({ id }) => frameOf(display, root, Number(id)),
  };
}

/** The window of the window manager's that `window` is in: the one right below the root. */
function frameOf(display: XDisplay, root: number, window: number): Rect | null {
  if (!attributesOf(display, window)?.isViewable) return null;
  let at = window;
  for (let i = 0; i < MOST_PARENTS; i++) {
    const parent = parentOf(display, at);
    if (parent === null) return null;
    if (parent === 0 || parent === root) return boundsOf(display, at);
    at = parent;
  }
  return boundsOf(display, window);
}
