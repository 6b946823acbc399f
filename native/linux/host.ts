import type { SessionClock } from '../clock.ts';
import { x11EventTime } from '../event-clock.ts';
import { startHook } from '../hook.ts';
import type { CaptureHost } from '../platform.ts';
import { createX11Recorder } from './recorder.ts';
import { guardXlib, libc } from './x11.ts';

/** X11 for the capture process's main thread: no connection to the display is made or used in it (see x11.ts). */
export function openLinuxHost(clock: SessionClock): CaptureHost {
  guardXlib();
  return {
    name: 'x11',
    toPhysical: (x, y) => ({ x, y }),
    eventTime: (time) => x11EventTime(clock, time, process.hrtime.bigint()),
    startHook,
    screen: createX11Recorder,
    // Threads that wait for a display that is gone would keep a polite exit waiting for ever.
    exit: (status) => libc().exitNow(status),
  };
}
