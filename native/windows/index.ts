import { StudioError } from '../../schemas/errors.ts';
import type { InputSettings } from '../../schemas/events.ts';
import { minimumOffsetClock } from '../clock/event-clock.ts';
import type { SessionClock } from '../clock/session-clock.ts';
import { type HookEvent, startHook } from '../input/hook.ts';
import type { CaptureHost, Platform } from '../platform/platform.ts';
import { grabberFor } from '../screen/by-ffmpeg/args.ts';
import { arrivalPtsClock, wallPtsClock } from '../screen/by-ffmpeg/pts-clock.ts';
import { ffmpegRecorder } from '../screen/by-ffmpeg/recorder.ts';
import type { ScreenOptions, ScreenRecorder } from '../screen/contract.ts';
import { nearestPixel } from '../screen/display-geometry.ts';
import { createRecorder, type ScreenSource } from '../screen/recorder.ts';
import { loadWindowsApi, type WindowsApi } from './api.ts';
import type { Handle } from './api-types.ts';
import { dxgiOutput, readDisplays } from './displays.ts';
import { openEncoderPipe } from './encoder-pipe.ts';
import { gdiGlance } from './glance.ts';
import { foregroundLayout, watchKeyboard, windowsCodeOf } from './layout.ts';
import { followWindowsKeys, LOOK_MS, type WindowsKeys } from './made-keys.ts';
import { openWindowsPatch } from './patch.ts';
import { becomeDpiAware, windowsPermissions } from './permissions.ts';
import { windowsOf } from './windows.ts';

const SM_CXDRAG = 68;
/** `ffmpeg` in this variable records with ffmpeg's grabbers (ddagrab, gdigrab) in place of our own. */
const GRABBER = 'TRAJECTORY_STUDIO_GRABBER';
const GDI: ScreenSource = {
  grabber: 'gdi',
  mode: 'poll',
  worker: new URL('./grab-worker.ts', import.meta.url),
  feeder: new URL('./feed-worker.ts', import.meta.url),
  openPipe: openEncoderPipe,
  lossless: true,
};
/** Hook times are a 32-bit count of ms since the start (49.7 days). */
const TICK_WRAP_MS = 2 ** 32;
/** GetTickCount and QueryPerformanceCounter may run apart by some ten ppm. */
const DRIFT_US_PER_SECOND = 50;

/** The Windows adapter. Tests run it under Wine (test/windows) and its calls against a table of fakes. */
export function openWindows(clock: SessionClock, api: WindowsApi = loadWindowsApi()): Platform {
  becomeDpiAware(api);
  const keyboard = watchKeyboard(api);
  const { windows, activeWindow } = windowsOf(api);
  return {
    name: 'windows',
    displays: () => readDisplays(api),
    windows,
    activeWindow,
    pointer: () => api.GetCursorPos(),
    glance: gdiGlance(),
    keyboard,
    inputSettings: () => inputSettings(api),
    permissions: async () => windowsPermissions(api),
    openPatch: async (at) => openWindowsPatch(api, clock, at),
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
    startHook: async (onEvent) => {
      const keys = followWindowsKeys(api);
      keys.look();
      const looking = setInterval(keys.look, LOOK_MS).unref();
      const stop = startHook((event) => onEvent(physicalKey(api, event, keys)));
      return () => {
        clearInterval(looking);
        stop();
      };
    },
    screen: (options) =>
      process.env[GRABBER] === 'ffmpeg' ? byFfmpeg(api, clock, options) : createRecorder(options, GDI),
    // A polite exit waits for threads that may be waiting for Windows.
    exit: (status) => api.TerminateProcess(status),
  };
}

/** ffmpeg's own grabbers: where GDI is too slow (4K) or shows black. They can hold nothing back and keep no stills. */
function byFfmpeg(api: WindowsApi, clock: SessionClock, options: ScreenOptions): ScreenRecorder {
  return ffmpegRecorder(options, {
    grabber: (ffmpeg) => {
      const grabber = grabberFor('win32', ffmpeg);
      if (grabber === null) throw new StudioError('FFMPEG_UNSUITABLE', 'This ffmpeg cannot grab the screen.');
      return grabber;
    },
    source: String(dxgiOutput(options.display, readDisplays(api))),
    ptsClock: (grabber) => (grabber === 'ddagrab' ? arrivalPtsClock() : wallPtsClock(clock)),
  });
}

/**
 * A key event with the physical key's code under the layout of the window that has the keyboard (see windowsCodeOf), and with what
 * that layout makes of a press. Where Windows does not answer, the code alone counts, by the layout's line.
 */
export function physicalKey(api: WindowsApi, event: HookEvent, keys: WindowsKeys | null): HookEvent {
  if (event.type !== 'keydown' && event.type !== 'keyup') return event;
  const hkl: Handle = foregroundLayout(api);
  const placed = { ...event, code: windowsCodeOf(api, event.hookCode, hkl) };
  const made = keys?.take(placed, hkl) ?? null;
  return placed.type === 'keydown' && made ? { ...placed, made } : placed;
}
