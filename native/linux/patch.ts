import type { SessionClock } from '../clock/session-clock.ts';
import type { SyncPatch } from '../platform/platform.ts';
import { type XDisplay, x11 } from './x11.ts';

/** XSetWindowAttributes (64-bit): override_redirect is at 88; CWOverrideRedirect is bit 9. */
const ATTRIBUTES_BYTES = 112;
const OVERRIDE_REDIRECT = 88;
const CW_OVERRIDE_REDIRECT = 1 << 9;

/**
 * The sync check's patch (C4): a small window without frame above all others, that no window manager moves or lists and
 * that takes no focus. `after` of a paint is the time at which the server answered a round trip behind the paint.
 */
export function openPatch(
  display: XDisplay,
  clock: SessionClock,
  at: { x: number; y: number; size: number },
): SyncPatch {
  const x = x11();
  const window = x.createWindow(display, x.root(display), at.x, at.y, at.size, at.size, 0, 0, 0);
  const attributes = new Uint8Array(ATTRIBUTES_BYTES);
  attributes[OVERRIDE_REDIRECT] = 1;
  x.changeAttributes(display, window, CW_OVERRIDE_REDIRECT, attributes);
  x.mapRaised(display, window);
  x.sync(display, 0);
  return {
    async paint(rgb) {
      x.raise(display, window);
      x.sync(display, 0);
      const before = clock.now();
      x.setBackground(display, window, rgb);
      x.clear(display, window);
      x.sync(display, 0);
      return { before, after: clock.now() };
    },
    async close() {
      x.destroyWindow(display, window);
      x.sync(display, 0);
    },
  };
}
