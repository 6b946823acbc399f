import { hasSessionBus } from '../bus/gio.ts';
import { AtspiTree } from '../elements/atspi.ts';
import type { ElementAsker, ElementReadiness, ElementWindow, NamedFinder } from '../elements/contract.ts';
import { elementsShownNow } from '../elements/list.ts';
import { elementsNamed } from '../elements/named.ts';
import { asksForSecret } from '../elements/secret-programs.ts';
import { type Accessibility, findSpeakers, openAccessibility } from './accessibility.ts';
import { hearPrograms, x11Keyboard } from './keyboard-focus.ts';
import { seeScreenKeyboards } from './screen-keyboards.ts';
import { followTerminals } from './terminals.ts';
import { boundsOf, focusedId, nameOf, numbers, parentOf } from './windows.ts';
import { openX, type XDisplay, x11 } from './x11.ts';

/** Elements on X11: the X server says which window is at a place, and the program itself, by AT-SPI, which element of it. */

const BY = 'the accessibility bus';
/** Windows are in windows; a client is at most a few below the root. */
const MOST_NESTED = 8;
const SESSION = 'Start the studio from within a desktop session; without one, with `dbus-run-session -- npm start`.';
const INSTALL =
  'Install it: "apt install at-spi2-core" (Debian, Ubuntu), "dnf install at-spi2-core" (Fedora), then log in again.';

/** Where there is no accessibility bus it is looked for as windows come. Throws NO_LIBRARY, NO_DISPLAY. */
export function openX11Elements(): ElementAsker {
  const display = openX();
  const speakers = findSpeakers(display, hearPrograms);
  const desktop = {
    focusedId: () => focusedId(display),
    windowOf: (id: number) => windowOf(display, id),
    windows: () => windowsOf(display),
  };
  return {
    windowAt: (x, y) => windowAt(display, x, y),
    besides: ({ id, pid }) => (pid > 0 ? windowsOf(display).filter((one) => one.id !== id && one.pid === pid) : []),
    ask(x, y, window) {
      const live = speakers.live();
      return live?.bus.isOpen() ? live.tree.elementAt(x, y, window) : null;
    },
    ...x11Keyboard(desktop, speakers),
    screenKeyboards: seeScreenKeyboards(display).shown,
    missing: speakers.missing,
    isOpen: speakers.isOpen,
    close() {
      speakers.close();
      x11().closeDisplay(display);
    },
  };
}

/**
 * All elements that programs show now and that are `wanted`; null where no program speaks. Throws BusError where there is no
 * accessibility bus.
 */
export function listX11Elements(
  wanted: Parameters<typeof elementsShownNow>[1],
): ReturnType<typeof elementsShownNow> | null {
  const { bus, close } = openAccessibility(false);
  try {
    return new AtspiTree(bus.ask).speaking().size === 0 ? null : elementsShownNow(bus.ask, wanted);
  } finally {
    close();
  }
}

/** Null where no program speaks. Throws BusError where there is no accessibility bus, NO_LIBRARY, NO_DISPLAY. */
export function openX11NamedFinder(): NamedFinder | null {
  const { bus, close } = openAccessibility(false);
  const tree = new AtspiTree(bus.ask);
  if (tree.speaking().size === 0) {
    close();
    return null;
  }
  const display = openX();
  return {
    named(wanted) {
      const { elements, whole } = elementsNamed(bus.ask, wanted);
      const windows = elements.length > 0 ? windowsOf(display) : [];
      const placed = elements.map((one) => ({ ...one, bounds: tree.onScreen(one.bus, one.bounds, windows) }));
      return { elements: placed, whole };
    },
    isAt(x, y, { app, role, name }) {
      const window = windowAt(display, x, y);
      const there = window && tree.elementAt(x, y, window);
      return there?.role === role && there.name === name && there.app === app;
    },
    close() {
      x11().closeDisplay(display);
      close();
    },
  };
}

/** The window of a program that this one is, or lies in: what the window manager manages. */
function windowOf(display: XDisplay, id: number): ElementWindow | null {
  let at = id;
  let named = 0;
  for (let depth = 0; at > 1 && depth < MOST_NESTED; depth++) {
    if (numbers(display, at, 'WM_STATE').length > 0) return describe(display, at, false);
    named = at;
    at = parentOf(display, at) ?? 0;
  }
  // Without a window manager it is the one below the root.
  return at === 0 && named > 1 ? describe(display, named, false) : null;
}

/** What brings the accessibility bus: it is started by the session bus, so that installing it helps only where there is one. */
export const accessibilityRemedy = (session: boolean): string => (session ? INSTALL : SESSION);

/** Which open programs speak. Never throws. */
export function x11ElementReadiness(): ElementReadiness {
  let accessibility: Accessibility | null = null;
  try {
    accessibility = openAccessibility(false);
    const { bus } = accessibility;
    const speaking = new AtspiTree(bus.ask).speaking();
    const display = openX();
    const windows = windowsOf(display);
    x11().closeDisplay(display);
    const terminals = followTerminals();
    // Of a terminal it is known by its echo, of others by their names.
    const isKnown = (window: ElementWindow): boolean =>
      asksForSecret(window, false) || (terminals.of(window.pid) ?? 'unknown') !== 'unknown';
    const names = (some: readonly ElementWindow[]): string[] => [
      ...new Set(some.flatMap(({ app }) => (app === '' ? [] : [app]))),
    ];
    const told = names(windows.filter(({ pid }) => speaking.has(pid)));
    const silent = names(windows.filter((one) => !speaking.has(one.pid) && !isKnown(one)));
    return { ready: true, byDefault: true, by: BY, speaking: told, silent, why: null, fix: null };
  } catch (error) {
    const why = `no accessibility bus answers (${error instanceof Error ? error.message : String(error)})`;
    return { ready: false, by: BY, speaking: [], silent: [], why, fix: accessibilityRemedy(hasSessionBus()) };
  } finally {
    accessibility?.close();
  }
}

/** The window manager's windows. */
function windowsOf(display: XDisplay): ElementWindow[] {
  return numbers(display, x11().root(display), '_NET_CLIENT_LIST').map((window) => describe(display, window, false));
}

function windowAt(display: XDisplay, x: number, y: number): ElementWindow | null {
  const root = x11().root(display);
  let window = root;
  let top: ElementWindow | null = null;
  for (let depth = 0; depth < MOST_NESTED; depth++) {
    const child = [0];
    if (x11().translate(display, root, window, x, y, [0], [0], child) === 0 || !child[0]) break;
    window = child[0];
    // The window manager's frame has no state; what it manages has.
    if (numbers(display, window, 'WM_STATE').length > 0) return spoken(describe(display, window, false));
    top ??= describe(display, window, true);
  }
  return top && spoken(top);
}

function describe(display: XDisplay, window: number, popup: boolean): ElementWindow {
  return {
    id: String(window),
    ...nameOf(display, window),
    popup,
    bounds: boundsOf(display, window),
    shadow() {
      const [left, , top] = numbers(display, window, '_GTK_FRAME_EXTENTS');
      return left === undefined || top === undefined ? null : { left, top };
    },
  };
}

/** Without a process nobody can be asked. */
const spoken = (window: ElementWindow): ElementWindow | null => (window.pid > 0 ? window : null);
