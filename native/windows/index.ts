import { StudioError } from '../../schemas/errors.ts';
import type { InputSettings } from '../../schemas/events.ts';
import type { SessionClock } from '../clock.ts';
import { nearestPixel } from '../display-geometry.ts';
import { minimumOffsetClock } from '../event-clock.ts';
import { grabberFor } from '../ffmpeg/args.ts';
import { arrivalPtsClock, wallPtsClock } from '../ffmpeg/pts-clock.ts';
import { ffmpegRecorder } from '../ffmpeg/recorder.ts';
import { type HookEvent, startHook } from '../hook.ts';
import { windowReader } from '../open-windows.ts';
import { openPatchProgram } from '../patch-process.ts';
import type { CaptureHost, Platform } from '../platform.ts';
import { type Handle, loadWindowsApi, type WindowsApi } from './api.ts';
import { dxgiOutput, readDisplays } from './displays.ts';
import { foregroundLayout, watchKeyboard, windowsCodeOf } from './layout.ts';
import { windowsPatch } from './patch.ts';
import { becomeDpiAware, windowsPermissions } from './permissions.ts';

const SM_CXDRAG = 68;
/** Hook times are a 32-bit count of ms since the start (49.7 days). */
const TICK_WRAP_MS = 2 ** 32;
/** GetTickCount and QueryPerformanceCounter may run apart by some ten ppm. */
const DRIFT_US_PER_SECOND = 50;

/** The Windows adapter. Not run on this project's test machines: its calls are tested against a table of fakes. */
export function openWindows(clock: SessionClock, api: WindowsApi = loadWindowsApi()): Platform {
  becomeDpiAware(api);
  const keyboard = watchKeyboard(api);
  return {
    name: 'windows',
    displays: () => readDisplays(api),
    // x-win asks for physical rectangles, as this process is per-monitor aware.
    ...windowReader((rect) => rect),
    keyboard,
    inputSettings: () => inputSettings(api),
    permissions: async () => windowsPermissions(api),
    openPatch: (at) => openPatchProgram(windowsPatch(clock, at)),
    close: () => keyboard.close(),
  };
}

/** Double-click time (ms) and drag threshold (px; SM_CXDRAG is the distance to either side). */
export function inputSettings(api: WindowsApi): InputSettings {
  const doubleClickMs = api.GetDoubleClickTime();
  const dragThresholdPx = api.GetSystemMetrics(SM_CXDRAG);
  return {
    ...(doubleClickMs > 0 ? { doubleClickMs } : {}),
    ...(dragThresholdPx > 0 ? { dragThresholdPx } : {}),
  };
}

/** Windows for the capture process's main thread. */
export function openWindowsHost(clock: SessionClock, api: WindowsApi = loadWindowsApi()): CaptureHost {
  becomeDpiAware(api);
  const events = minimumOffsetClock(clock.now, { wrapMs: TICK_WRAP_MS, driftUsPerSecond: DRIFT_US_PER_SECOND });
  return {
    name: 'windows',
    // The hook's positions are physical, but run past the edges while the pointer is pushed against them.
    toPhysical: (x, y, displays) => nearestPixel(x, y, displays),
    eventTime: (time) => events.toSession(time),
    startHook: (onEvent) => startHook((event) => onEvent(physicalKey(api, event))),
    screen: (options) =>
      ffmpegRecorder(options, {
        grabber: (ffmpeg) => {
          const grabber = grabberFor('win32', ffmpeg);
          if (grabber === null) throw new StudioError('FFMPEG_UNSUITABLE', 'This ffmpeg cannot grab the screen.');
          return grabber;
        },
        source: String(dxgiOutput(options.display, readDisplays(api))),
        ptsClock: (grabber) => (grabber === 'ddagrab' ? arrivalPtsClock() : wallPtsClock(clock)),
      }),
    exit: (status) => process.exit(status),
  };
}

/** A key event with the physical key's code under the layout of the window that has the keyboard (see windowsCodeOf). */
export function physicalKey(api: WindowsApi, event: HookEvent): HookEvent {
  if (event.type !== 'keydown' && event.type !== 'keyup') return event;
  const hkl: Handle = foregroundLayout(api);
  return { ...event, code: windowsCodeOf(api, event.hookCode, hkl) };
}
