import type { Rect } from '../../schemas/events.ts';
import type { Glance } from '../platform/platform.ts';
import { toRgb } from '../screen/picture.ts';
import { createShmImage, freeShmImage, grabInto } from './shm.ts';
import { attributesOf, boundsOf } from './windows.ts';
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
  const x = x11();
  if (!attributesOf(display, window)?.isViewable) return null;
  let at = window;
  for (let i = 0; i < MOST_PARENTS; i++) {
    const [parent, children] = [[0], [null as bigint | null]];
    if (x.queryTree(display, at, [0], parent, children, [0]) === 0) return null;
    if (children[0]) x.free(children[0]);
    if (!parent[0] || parent[0] === root) return boundsOf(display, at);
    at = parent[0];
  }
  return boundsOf(display, window);
}
