import { x11EventTime } from '../clock/event-clock.ts';
import type { SessionClock } from '../clock/session-clock.ts';
import { libc } from '../memory/libc.ts';
import type { CaptureHost } from '../platform/platform.ts';
import { x11grabRecorder } from '../screen/by-ffmpeg/x11grab.ts';
import { createOutsideRecorder } from '../screen/outside.ts';
import { startX11Input, type X11Input } from './input.ts';
import { createX11Recorder } from './screen.ts';
import { guardXlib } from './x11.ts';

/** X11 for the capture process's main thread: no connection to the display is made or used in it (see x11.ts). */
export function openLinuxHost(clock: SessionClock): CaptureHost {
  guardXlib();
  const displayName = process.env.DISPLAY ?? '';
  let input: X11Input | null = null;
  return {
    name: 'x11',
    toPhysical: (x, y) => ({ x, y }),
    eventTime: (time) => x11EventTime(clock, time, process.hrtime.bigint()),
    async startHook(onEvent) {
      input = await startX11Input(onEvent);
      return input.stop;
    },
    heardAll: async () => input?.heardAll(),
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
