import { StudioError } from '../../schemas/errors.ts';
import type { Rect } from '../../schemas/events.ts';
import type { Hands } from '../platform/hands.ts';
import { heldDown } from '../platform/held-down.ts';
import { toRgb } from '../screen/picture.ts';
import { managerAnswered } from './manager.ts';
import { openPing } from './ping.ts';
import { readPointer } from './pointer.ts';
import { createShmImage, freeShmImage, grabInto } from './shm.ts';
import { openX, x11, xtst } from './x11.ts';
import { xtestOn } from './xtest.ts';

/** Hands by XTEST on $DISPLAY, or the display of this name: to programs their events are a person's. Throws NO_DISPLAY, NO_LIBRARY. */
export function openX11Hands(name: string | null = null): Hands {
  const display = openX(name);
  const x = x11();
  if (xtst().query(display, [0], [0], [0], [0]) === 0) {
    throw new StudioError('NO_LIBRARY', 'The X server has no XTEST extension, so nothing can be performed on it.', {});
  }
  const root = x.root(display);
  const xtest = xtestOn(display);
  const ping = openPing(name);
  const held = heldDown(xtest);
  let isHeldUp = false;
  let shm: ReturnType<typeof createShmImage> | null = null;
  let at = { x: 0, y: 0 };
  const free = (): void => {
    if (shm) freeShmImage(display, shm);
    shm = null;
  };
  const imageOf = ({ width, height }: Rect): ReturnType<typeof createShmImage> => {
    if (shm?.width === width && shm.height === height) return shm;
    free();
    shm = createShmImage(display, width, height);
    return shm;
  };
  return {
    pointer: () => at,
    move(toX, toY) {
      at = { x: toX, y: toY };
      // A move to where the pointer is tells programs of one all the same, and hints and tools follow it.
      const now = readPointer(display);
      if (now?.x !== toX || now.y !== toY) xtest.move(toX, toY);
    },
    button(button, down) {
      held.noteButton(button, down);
      isHeldUp ||= down;
      xtest.button(button, down);
    },
    wheel: xtest.wheel,
    key(code, down) {
      // An auto-repeat is a press of a key that is down, which XTEST does not send: it is let go in between.
      if (down && held.holds(code)) xtest.key(code, false);
      return held.key(code, down);
    },
    releaseAll: held.releaseAll,
    answered: ping.answered,
    async delivered(atMostMs) {
      if (!isHeldUp) return true;
      isHeldUp = false;
      return managerAnswered(display, atMostMs);
    },
    look(rect) {
      const target = imageOf(rect);
      return grabInto(display, root, target, rect.x, rect.y) ? toRgb(target) : null;
    },
    close() {
      free();
      ping.close();
      x.closeDisplay(display);
    },
  };
}
