import type { SessionClock } from '../clock/session-clock.ts';
import { libc } from '../memory/libc.ts';
import type { CaptureHost, Platform } from '../platform/platform.ts';
import { startInput } from './input.ts';
import { inputAccess, inputFolder } from './input-devices.ts';
import { watchKeyboard } from './keyboard.ts';
import { watchOutputs } from './outputs.ts';
import { inputRefused, waylandPermissions } from './permissions.ts';
import { waylandScreen } from './screen.ts';
import { inputSettings } from './settings.ts';
import { openWayland } from './wire.ts';

/**
 * Wayland: the screen by the portal and PipeWire, the input by evdev, displays and layout from the compositor.
 */
const WARNINGS = [
  {
    code: 'wayland-windows',
    message:
      'A Wayland compositor does not tell which window is in front: this recording names no windows, and nothing could be left out by its name.',
  },
] as const;

/** Throws NO_DISPLAY when no compositor answers. */
export function openWaylandPlatform(_clock: SessionClock): Platform {
  const client = openWayland();
  const outputs = watchOutputs(client);
  const keyboard = watchKeyboard(client);
  return {
    name: 'wayland',
    warnings: WARNINGS,
    knowsFront: false,
    displays: () => outputs.displays(),
    windows: () => [],
    activeWindow: () => null,
    pointer: () => null,
    keyboard,
    inputSettings,
    permissions: async () => waylandPermissions(),
    close() {
      keyboard.close();
      client.close();
    },
  };
}

/** The same for the capture process's main thread. */
export function openWaylandHost(clock: SessionClock): CaptureHost {
  // Said before the person is asked for the screen.
  const refused = inputRefused(inputAccess(inputFolder()));
  if (refused) throw refused;
  let input: ReturnType<typeof startInput> | null = null;
  let last: { us: number; x: number; y: number } | null = null;
  const zeroUs = Number(clock.startNs / 1000n);
  return {
    name: 'wayland',
    toPhysical: (x, y) => ({ x, y }),
    // Events carry CLOCK_MONOTONIC, the clock behind the session's.
    eventTime: (us) => Math.round(us - zeroUs),
    async startHook(onEvent, onKeyAtOnce) {
      input = startInput(onEvent, onKeyAtOnce);
      if (last) input.see(last);
      return input.stop;
    },
    screen: (options) =>
      waylandScreen({
        ...options,
        onPointer({ t, x, y }) {
          last = { us: t + zeroUs, x, y };
          input?.see(last);
        },
      }),
    exit: (status) => libc().exitNow(status),
  };
}
