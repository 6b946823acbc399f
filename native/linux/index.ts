import { x11EventTime } from '../clock/event-clock.ts';
import type { SessionClock } from '../clock/session-clock.ts';
import type { PermissionCheck, Platform } from '../platform/platform.ts';
import { readDisplays } from './displays.ts';
import { watchFront } from './front.ts';
import { x11Glance } from './glance.ts';
import { openPatch } from './patch.ts';
import { readPointer } from './pointer.ts';
import { listWindows, readActiveWindow } from './windows.ts';
import { openX, x11 } from './x11.ts';
import { openXkb } from './xkb.ts';
import { xlib } from './xlib.ts';
import { readXSettings } from './xsettings.ts';

/** The X11 adapter. Throws NO_DISPLAY when there is no X server, NO_LIBRARY when a client library is missing. */
export function openLinux(clock: SessionClock): Platform {
  const display = openX();
  const keyboard = openXkb();
  return {
    name: 'x11',
    xwayland: xlib().extension(display, 'XWAYLAND') !== null,
    displays: () => readDisplays(display),
    windows: () => listWindows(display),
    activeWindow: () => readActiveWindow(display),
    pointer: () => readPointer(display),
    watchFront: () => watchFront(),
    glance: x11Glance(display),
    keyboard: {
      ...keyboard,
      changedAt() {
        const ms = keyboard.changedAtMs();
        return ms === null ? null : x11EventTime(clock, ms, process.hrtime.bigint());
      },
    },
    inputSettings: () => readXSettings(),
    permissions: async () => permissions(),
    openPatch: async (at) => openPatch(display, clock, at),
    close() {
      keyboard.close();
      x11().closeDisplay(display);
    },
  };
}

/** X11 asks nobody: who may connect may see and listen (X Security: the RECORD and XTEST extensions are open). */
function permissions(): PermissionCheck[] {
  return [{ id: 'x11', granted: true, what: 'screen and input of this X display', fix: '' }];
}
