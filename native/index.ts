import { StudioError } from '../schemas/errors.ts';
import type { Rect } from '../schemas/events.ts';
import type { SessionClock } from './clock/session-clock.ts';
import type { ElementAsker, ElementReadiness, NamedFinder } from './elements/contract.ts';
import type { Hands } from './platform/hands.ts';
import type { LiveScreen } from './platform/live-screen.ts';
import type { CaptureHost, Platform } from './platform/platform.ts';
import type { FullWindow, InputStage } from './platform/stage.ts';
import type { StageKeyboard, StageWindows } from './platform/stage-display.ts';

/** Where we run: what decides the adapter. */
type Surroundings = {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  /** Whether the X server at DISPLAY is one inside a Wayland session (XWayland), which shows X11 programs only. */
  xwayland?: () => boolean;
};

const HERE: Surroundings = { platform: process.platform, env: process.env };
/** Another process hands over pictures of the screen (the desktop app on Wayland): input comes from XWayland then. */
type Sharing = { shared?: boolean };

/** The adapter's name for these surroundings. Throws UNSUPPORTED_PLATFORM on other systems, NO_DISPLAY without a display. */
export function platformName(
  { platform, env, xwayland = () => true }: Surroundings = HERE,
  { shared = false }: Sharing = {},
): Platform['name'] {
  if (platform === 'win32') return 'windows';
  if (platform === 'darwin') return 'macos';
  if (platform !== 'linux') {
    throw new StudioError(
      'UNSUPPORTED_PLATFORM',
      `Recording works on Linux (X11, Wayland), Windows and macOS, not on ${platform}.`,
    );
  }
  const wayland = env.WAYLAND_DISPLAY || env.XDG_SESSION_TYPE === 'wayland';
  // An X server of its own beside a Wayland session (Xvfb, a nested or a remote one) is recorded as such.
  if (env.DISPLAY && (shared || !wayland || !xwayland())) return 'x11';
  if (wayland) return 'wayland';
  throw new StudioError(
    'NO_DISPLAY',
    'DISPLAY is not set, so there is no screen to record. Run this in a desktop session, or start a virtual one: "xvfb-run -s \'-screen 0 1920x1080x24\' COMMAND".',
  );
}

async function hereWithX(): Promise<Surroundings> {
  const { isXwayland } = await import('./linux/xwayland.ts');
  return { ...HERE, xwayland: isXwayland };
}

/** The operating system we run on. Only its adapter is loaded. Throws as `platformName`, and what the adapter throws. */
export async function openPlatform(clock: SessionClock, sharing: Sharing = {}): Promise<Platform> {
  switch (platformName(await hereWithX(), sharing)) {
    case 'wayland':
      return (await import('./wayland/index.ts')).openWaylandPlatform(clock);
    case 'x11':
      return (await import('./linux/index.ts')).openLinux(clock);
    case 'windows':
      return (await import('./windows/index.ts')).openWindows(clock);
    case 'macos':
      return (await import('./macos/index.ts')).openMac(clock);
  }
}

/** The same for the capture process's main thread. */
export async function openHost(clock: SessionClock, sharing: Sharing = {}): Promise<CaptureHost> {
  switch (platformName(await hereWithX(), sharing)) {
    case 'wayland':
      return (await import('./wayland/index.ts')).openWaylandHost(clock);
    case 'x11':
      return (await import('./linux/host.ts')).openLinuxHost(clock);
    case 'windows':
      return (await import('./windows/index.ts')).openWindowsHost(clock);
    case 'macos':
      return (await import('./macos/index.ts')).openMacHost(clock);
  }
}

/**
 * Asks programs for the elements under the pointer; null where this system's are not asked for yet. Blocks while it asks, so it
 * belongs into a thread of its own. Throws what the adapter throws where nobody answers.
 */
export async function openElements(): Promise<ElementAsker | null> {
  if (process.platform === 'win32') return (await import('./windows/elements.ts')).openWindowsElements();
  if (process.platform === 'darwin') return (await import('./macos/elements.ts')).openMacElements();
  if (!asksX11()) return null;
  return (await import('./linux/elements.ts')).openX11Elements();
}

/** Whether steps get their elements here; null where this system's are not asked for yet. */
export async function elementReadiness(): Promise<ElementReadiness | null> {
  if (process.platform === 'win32') return (await import('./windows/elements.ts')).windowsElementReadiness();
  if (process.platform === 'darwin') return (await import('./macos/elements.ts')).macElementReadiness();
  if (!asksX11()) return null;
  return (await import('./linux/elements.ts')).x11ElementReadiness();
}

/**
 * Finds elements again by their names; null where this system's are not asked for yet, or no program speaks. Throws what the
 * adapter throws where nobody answers.
 */
export async function openElementFinder(): Promise<NamedFinder | null> {
  if (!asksX11()) return null;
  return (await import('./linux/elements.ts')).openX11NamedFinder();
}

const asksX11 = (): boolean => process.platform === 'linux' && Boolean(process.env.DISPLAY);

/**
 * For a process of its own that uses a display in its main thread: it ends when the display goes away (where that would stop the
 * thread for ever, native/linux/x11.ts), as when the process does that started it. Called before anything is opened.
 */
export async function endWithDisplay(): Promise<void> {
  if (asksX11()) (await import('./linux/x11.ts')).endWithConnection();
}

/**
 * Hands for the display of this process. A connection that is lost stops the calling thread for ever (native/linux/x11.ts),
 * so they belong into a process of their own. Throws UNSUPPORTED_PLATFORM, NO_DISPLAY, NO_LIBRARY.
 */
export async function openHands(): Promise<Hands> {
  if (process.platform === 'win32') return (await import('./windows/hands.ts')).openWindowsHands();
  if (asksX11()) return (await import('./linux/hands.ts')).openX11Hands();
  throw new StudioError(
    'UNSUPPORTED_PLATFORM',
    'Playing a recording works on Windows, and on Linux with an X display, so far. Play it on a virtual stage of a Linux machine (--stage virtual).',
    { platform: process.platform },
  );
}

/** The titles of all windows that a person sees, and the whole desktop, of the display that `openHands` acts on. */
export async function openTitles(): Promise<{
  titles(): readonly string[];
  /** The title of the window at a place; null where none has one. Absent: that cannot be asked here. */
  titleAt?(x: number, y: number): string | null;
  /** All windows that a person sees, the topmost first, with their places. Absent: that cannot be asked here. */
  list?: StageWindows['list'];
  screen(): Rect;
}> {
  if (process.platform === 'win32') return (await import('./windows/titles.ts')).openWindowsTitles();
  const { screen, titles, titleAt, list } = (await import('./linux/place-windows.ts')).openWindows();
  return { screen, titles, titleAt, list };
}

/** The keyboard of a stage's own display. Throws UNSUPPORTED_PLATFORM where there are no stages, NO_DISPLAY, NO_LIBRARY. */
export async function openStageKeyboard(): Promise<StageKeyboard> {
  refuseWithoutX('Stages');
  return (await import('./linux/spare-keys.ts')).openX11Keyboard();
}

/** The windows of a stage's own display. Throws as `openStageKeyboard`. */
export async function openStageWindows(): Promise<StageWindows> {
  refuseWithoutX('Stages');
  return (await import('./linux/place-windows.ts')).openWindows();
}

/** The screen of a stage's own display as it changes, of this size. Throws as `openStageKeyboard`. */
export async function openLiveScreen(size: { width: number; height: number }): Promise<LiveScreen> {
  refuseWithoutX('Stages');
  return (await import('./linux/live-screen.ts')).openX11LiveScreen(size);
}

/** Says on a stage's session bus that elements are asked for. Throws BusError where none answers, UNSUPPORTED_PLATFORM. */
export async function askForElements(sessionBus: string): Promise<void> {
  refuseWithoutX('Stages');
  (await import('./linux/accessibility.ts')).askBusForElements(sessionBus);
}

/**
 * All elements that programs show now and that are `wanted`; null where no program speaks. Throws BusError where there is no
 * accessibility bus, UNSUPPORTED_PLATFORM where the elements of a whole screen cannot be listed yet.
 */
export async function openElementList(): Promise<typeof import('./linux/elements.ts').listX11Elements> {
  refuseWithoutX('Lists of all elements');
  return (await import('./linux/elements.ts')).listX11Elements;
}

/** Which of these extensions the X server of $DISPLAY has. Throws NO_DISPLAY, NO_LIBRARY. */
export async function xExtensions(names: readonly string[]): Promise<ReadonlySet<string>> {
  return (await import('./linux/xlib.ts')).extensionsOf(names);
}

/** `thing`: a plural. */
function refuseWithoutX(thing: string): void {
  if (asksX11()) return;
  throw new StudioError('UNSUPPORTED_PLATFORM', `${thing} work on Linux with X11 so far.`, {
    platform: process.platform,
  });
}

/**
 * Opens a window of ours that takes known inputs, in front of all others. Throws UNSUPPORTED_PLATFORM, with the reason, where
 * this program cannot make inputs; and as its system's own stage.
 */
export async function openStage(name: Platform['name'], rect: Rect): Promise<InputStage> {
  switch (name) {
    case 'x11':
      return (await import('./linux/stage.ts')).openX11Stage(rect);
    case 'windows':
      return (await import('./windows/stage.ts')).openWindowsStage(rect);
    case 'macos':
      return (await import('./macos/stage.ts')).openMacStage(rect);
    default:
      throw new StudioError('UNSUPPORTED_PLATFORM', NOT_ON_WAYLAND, {});
  }
}

const NOT_ON_WAYLAND =
  'A Wayland desktop lets no program make inputs that others hear from the kernel, nor choose where its window lies.';

/** Whether the person makes the inputs of `doctor --prove`, since no program may (Wayland). */
export async function personProves(): Promise<boolean> {
  try {
    return platformName(await hereWithX()) === 'wayland';
  } catch {
    return false;
  }
}

/** A window over a whole display, for the person's own inputs. See native/wayland/full-window.ts. */
export async function openPersonStage(
  ...[display, draw, patch]: Parameters<typeof import('./wayland/full-window.ts').openFullWindow>
): Promise<FullWindow> {
  return (await import('./wayland/full-window.ts')).openFullWindow(display, draw, patch);
}
