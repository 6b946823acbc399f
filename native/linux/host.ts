import type { SessionClock } from '../clock.ts';
import { x11EventTime } from '../event-clock.ts';
import { x11grabRecorder } from '../ffmpeg/x11grab.ts';
import { startHook } from '../hook.ts';
import type { CaptureHost } from '../platform.ts';
import { createOutsideRecorder, createX11Recorder } from './recorder.ts';
import { guardXlib, libc } from './x11.ts';

/** X11 for the capture process's main thread: no connection to the display is made or used in it (see x11.ts). */
export function openLinuxHost(clock: SessionClock): CaptureHost {
  guardXlib();
  const displayName = process.env.DISPLAY ?? '';
  return {
    name: 'x11',
    toPhysical: (x, y) => ({ x, y }),
    eventTime: (time) => x11EventTime(clock, time, process.hrtime.bigint()),
    startHook,
    screen(options) {
      if (options.outside) return createOutsideRecorder(options, options.outside);
      // Shared memory reaches no other machine; there ffmpeg's own grabber fetches the pictures through the connection.
      return isLocal(displayName) ? createX11Recorder(options) : x11grabRecorder(options, displayName);
    },
    // Threads that wait for a display that is gone would keep a polite exit waiting for ever.
    exit: (status) => libc().exitNow(status),
  };
}

/** True for a display of this machine (`:0`, `unix:0`). */
function isLocal(displayName: string): boolean {
  return /^(unix)?:\d/.test(displayName) || displayName.startsWith('/');
}
