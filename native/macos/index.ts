import { fileURLToPath } from 'node:url';
import { type MachNow, machEventNs } from '../clock/event-clock.ts';
import type { SessionClock } from '../clock/session-clock.ts';
import { type HookEvent, startHook } from '../input/hook.ts';
import type { CaptureHost, Platform } from '../platform/platform.ts';
import { hostPtsClock } from '../screen/by-ffmpeg/pts-clock.ts';
import { ffmpegRecorder } from '../screen/by-ffmpeg/recorder.ts';
import { loadMacApi, type MacApi } from './api.ts';
import { captureScreen, physicalToPoint, pointToPhysical, readDisplays, rectToPhysical } from './displays.ts';
import { macCodeOf, watchKeyboard } from './layout.ts';
import { windowReader } from './open-windows.ts';
import { openPatchProgram, type PatchProgram } from './patch-process.ts';
import { macPermissions } from './permissions.ts';
import { macInputSettings } from './settings.ts';

/** The macOS adapter. Not run on this project's test machines: its calls are tested against a table of fakes. */
export function openMac(clock: SessionClock, api: MacApi = loadMacApi()): Platform {
  const keyboard = watchKeyboard(api);
  return {
    name: 'macos',
    displays: () => readDisplays(api),
    ...windowReader((rect) => rectToPhysical(rect, readDisplays(api))),
    pointer() {
      const place = api.pointerLocation();
      return place && pointToPhysical(place.x, place.y, readDisplays(api));
    },
    keyboard,
    inputSettings: () => macInputSettings(),
    permissions: async () => macPermissions(api),
    openPatch: (at) => openPatchProgram(macPatch(clock, api, at)),
    close: () => keyboard.close(),
  };
}

/** macOS for the capture process's main thread. */
export function openMacHost(clock: SessionClock, api: MacApi = loadMacApi()): CaptureHost {
  const timebase = api.mach_timebase_info();
  const keyboard = api.KBGetLayoutType(api.LMGetKbdType());
  return {
    name: 'macos',
    toPhysical: pointToPhysical,
    eventTime: (time) => clock.fromNs(machEventNs(time, machNow(api, timebase))),
    startHook: async (onEvent) => startHook((event) => onEvent(physicalKey(event, keyboard))),
    screen: (options) =>
      ffmpegRecorder(options, {
        grabber: () => 'avfoundation',
        source: captureScreen(api, options.display),
        ptsClock: () =>
          hostPtsClock((ptsUs) => awakeNsToSession(clock, api, timebase, BigInt(Math.round(ptsUs)) * 1000n)),
      }),
    exit: (status) => process.exit(status),
  };
}

function machNow(api: MacApi, { numer, denom }: { numer: number; denom: number }): MachNow {
  return { absolute: api.mach_absolute_time(), continuous: api.mach_continuous_time(), numer, denom };
}

/** Ns on mach_absolute_time's clock (avfoundation's frames, systemUptime) as session µs on hrtime's, which counts sleep. */
export function awakeNsToSession(
  clock: SessionClock,
  api: MacApi,
  timebase: { numer: number; denom: number },
  ns: bigint,
): number {
  const { absolute, continuous, numer, denom } = machNow(api, timebase);
  return clock.fromNs(ns + ((continuous - absolute) * BigInt(numer)) / BigInt(denom));
}

/** A key event with the physical key's code on this keyboard (see macCodeOf). */
export function physicalKey(event: HookEvent, keyboard: string): HookEvent {
  if (event.type !== 'keydown' && event.type !== 'keyup') return event;
  return { ...event, code: macCodeOf(event.hookCode, keyboard) };
}

/** The patch program for macOS: osascript runs JavaScript that shows a borderless topmost window. */
export function macPatch(clock: SessionClock, api: MacApi, at: { x: number; y: number; size: number }): PatchProgram {
  const timebase = api.mach_timebase_info();
  const { x, y, scale } = physicalToPoint(at.x, at.y, readDisplays(api));
  return {
    command: 'osascript',
    args: [
      ...['-l', 'JavaScript', fileURLToPath(new URL('./patch.jxa.js', import.meta.url))],
      ...[x, y, at.size / scale].map(String),
    ],
    toSession: (ns) => awakeNsToSession(clock, api, timebase, BigInt(ns)),
  };
}
