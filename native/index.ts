import { StudioError } from '../schemas/errors.ts';
import type { SessionClock } from './clock.ts';
import type { CaptureHost, Platform } from './platform.ts';

/** Where we run: what decides the adapter. */
type Surroundings = { platform: NodeJS.Platform; env: NodeJS.ProcessEnv };

const HERE: Surroundings = { platform: process.platform, env: process.env };

/**
 * The adapter's name for these surroundings. Throws UNSUPPORTED_PLATFORM on Wayland without an X server and on other
 * systems, NO_DISPLAY when Linux names no X display.
 */
export function platformName({ platform, env }: Surroundings = HERE): Platform['name'] {
  if (platform === 'win32') return 'windows';
  if (platform === 'darwin') return 'macos';
  if (platform !== 'linux') {
    throw new StudioError(
      'UNSUPPORTED_PLATFORM',
      `Recording works on Linux (X11), Windows and macOS, not on ${platform}.`,
    );
  }
  if (env.DISPLAY) return 'x11';
  if (env.WAYLAND_DISPLAY) {
    throw new StudioError(
      'UNSUPPORTED_PLATFORM',
      'This is a Wayland session without an X server, which lets no program watch the screen and the input of others. ' +
        'Log out, choose an X11 session on the login screen ("Ubuntu on Xorg", "Plasma (X11)"), and log in again. ' +
        'Where XWayland runs (DISPLAY set) the desktop app can record the screen, with the input of X11 programs only.',
    );
  }
  throw new StudioError(
    'NO_DISPLAY',
    'DISPLAY is not set, so there is no screen to record. Run this in a desktop session, or start a virtual one: "xvfb-run -s \'-screen 0 1920x1080x24\' COMMAND".',
  );
}

/** The operating system we run on. Only its adapter is loaded. Throws as `platformName`, and what the adapter throws. */
export async function openPlatform(clock: SessionClock, surroundings: Surroundings = HERE): Promise<Platform> {
  switch (platformName(surroundings)) {
    case 'x11':
      return (await import('./linux/index.ts')).openLinux(clock);
    case 'windows':
      return (await import('./windows/index.ts')).openWindows(clock);
    case 'macos':
      return (await import('./macos/index.ts')).openMac(clock);
  }
}

/** The same for the capture process's main thread. */
export async function openHost(clock: SessionClock, surroundings: Surroundings = HERE): Promise<CaptureHost> {
  switch (platformName(surroundings)) {
    case 'x11':
      return (await import('./linux/host.ts')).openLinuxHost(clock);
    case 'windows':
      return (await import('./windows/index.ts')).openWindowsHost(clock);
    case 'macos':
      return (await import('./macos/index.ts')).openMacHost(clock);
  }
}
