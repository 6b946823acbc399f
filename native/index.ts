import { StudioError } from '../schemas/errors.ts';
import type { SessionClock } from './clock.ts';
import type { CaptureHost, Platform } from './platform.ts';

/** The adapter for this OS. Throws UNSUPPORTED_PLATFORM, NO_DISPLAY, NO_LIBRARY with what to do. */
export async function openPlatform(clock: SessionClock): Promise<Platform> {
  refuseWayland();
  if (process.platform === 'linux') return (await import('./linux/index.ts')).openLinux(clock);
  throw unsupported();
}

/** The same OS for the capture process's main thread, which makes no connection of its own. */
export async function openCaptureHost(clock: SessionClock): Promise<CaptureHost> {
  if (process.platform === 'linux') return (await import('./linux/host.ts')).openLinuxHost(clock);
  throw unsupported();
}

function unsupported(): StudioError {
  return new StudioError(
    'UNSUPPORTED_PLATFORM',
    `Recording works on Windows, macOS and Linux, not on ${process.platform}.`,
    { platform: process.platform },
  );
}

function refuseWayland(): void {
  if (process.platform !== 'linux' || process.env.DISPLAY || !process.env.WAYLAND_DISPLAY) return;
  throw new StudioError(
    'UNSUPPORTED_PLATFORM',
    'This is a Wayland session without an X display. Log out and choose an X11 (Xorg) session on the login screen, then record again.',
    { session: 'wayland' },
  );
}
