import { setTimeout as sleep } from 'node:timers/promises';
import { clientMessage } from './client-message.ts';
import { numbers } from './windows.ts';
import { type XDisplay, x11 } from './x11.ts';

/**
 * Asks the window manager for something that it answers in its turn (EWMH, _NET_REQUEST_FRAME_EXTENTS). A manager holds each press of a
 * button until it has looked at it (a passive grab in synchronous mode, then ReplayPointer), to raise and focus the window; keys
 * pass it by meanwhile, and reach the program before the press. When it has answered, the press is on its way.
 */

/** Events for the manager are sent to the root. */
const SUBSTRUCTURE_NOTIFY_AND_REDIRECT = (1 << 19) | (1 << 20);
const LOOK_MS = 1;

/** The connection must be the one that pressed: the server keeps the order of one connection only. */
export async function managerAnswered(display: XDisplay, atMostMs: number): Promise<boolean> {
  const x = x11();
  const root = x.root(display);
  const request = x.atom(display, '_NET_REQUEST_FRAME_EXTENTS', 0);
  // Nobody manages windows, or not so that it could be asked.
  if (!numbers(display, root, '_NET_SUPPORTED').includes(request)) return true;
  const window = x.createWindow(display, root, -1, -1, 1, 1, 0, 0, 0);
  try {
    x.sendEvent(display, root, 0, SUBSTRUCTURE_NOTIFY_AND_REDIRECT, clientMessage(window, request, []));
    x.sync(display, 0);
    for (const end = performance.now() + atMostMs; ; await sleep(LOOK_MS)) {
      if (numbers(display, window, '_NET_FRAME_EXTENTS').length > 0) return true;
      if (performance.now() >= end) return false;
    }
  } finally {
    x.destroyWindow(display, window);
    x.sync(display, 0);
  }
}
