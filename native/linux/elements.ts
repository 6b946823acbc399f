import { openQuickBus, type QuickBus } from '../bus/dbus.ts';
import type { Arg } from '../bus/dbus-values.ts';
import { type Bus, BusError, hasSessionBus, openBus } from '../bus/gio.ts';
import { askOne } from '../elements/ask-bus.ts';
import { AtspiTree } from '../elements/atspi.ts';
import type {
  ElementAsker,
  ElementReadiness,
  ElementWindow,
  KeyboardFocus,
  NamedFinder,
} from '../elements/contract.ts';
import { followFocus } from '../elements/focus.ts';
import { elementsShownNow } from '../elements/list.ts';
import { elementsNamed } from '../elements/named.ts';
import { heardTexts } from '../elements/texts.ts';
import { boundsOf, focusedId, nameOf, numbers, parentOf } from './windows.ts';
import { openX, type XDisplay, x11 } from './x11.ts';

/** Elements on X11: the X server says which window is at a place, and the program itself, by AT-SPI, which element of it. */

const BY = 'the accessibility bus';
const A11Y = { name: 'org.a11y.Bus', path: '/org/a11y/bus' };
const PROPERTIES = { ...A11Y, face: 'org.freedesktop.DBus.Properties' };
/** Starting the accessibility bus where nobody has used it yet takes a moment, ms. */
const START_MS = 20_000;
/** Windows are in windows; a client is at most a few below the root. */
const MOST_NESTED = 8;
const SESSION = 'Start the studio from within a desktop session; without one, with `dbus-run-session -- npm start`.';
const INSTALL =
  'Install it: "apt install at-spi2-core" (Debian, Ubuntu), "dnf install at-spi2-core" (Fedora), then log in again.';

type Accessibility = {
  bus: QuickBus;
  /** It was started before, by somebody else. */
  ran: boolean;
  close(): void;
};

/**
 * Connects to the accessibility bus; with `used` it says on the session bus that it is used, so that Qt, Chromium and
 * LibreOffice speak, and `close` takes that back. Never says that a screen reader runs: that would start one, aloud. Throws BusError.
 */
function openAccessibility(used: boolean): Accessibility {
  const session = openBus();
  let isSetHere = false;
  const setUsed = (yes: boolean): void =>
    void quietly(() => session.call(PROPERTIES, 'Set', `('org.a11y.Status', 'IsEnabled', <${yes}>)`, START_MS));
  const leave = (): void => {
    if (isSetHere) setUsed(false);
    session.close();
  };
  try {
    const ran = accessibilityRuns(session);
    const isUsed = (): boolean =>
      session.call(PROPERTIES, 'Get', "('org.a11y.Status', 'IsEnabled')", START_MS).value[0] === true;
    isSetHere = used && !(ran && (quietly(isUsed) ?? true));
    // Before anything else is asked: Qt 5 looks once whether the bus is used, in the moment in which it is started.
    if (isSetHere) setUsed(true);
    const [address] = session.call({ ...A11Y, face: 'org.a11y.Bus' }, 'GetAddress', '()', START_MS).value;
    if (typeof address !== 'string' || address === '') throw new BusError('', 'The accessibility bus has no address.');
    const bus = openQuickBus(address);
    return {
      bus,
      ran,
      close() {
        bus.close();
        leave();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/** Whether the accessibility bus was started: GTK's programs do that, and most desktops. */
function accessibilityRuns(session: Bus): boolean {
  const bus = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', face: 'org.freedesktop.DBus' };
  return session.call(bus, 'NameHasOwner', `('${A11Y.name}',)`, START_MS).value[0] === true;
}

/** The same for a session that is not connected to. Throws BusError without a session bus. */
function accessibilityRunsHere(): boolean {
  const session = openBus();
  try {
    return accessibilityRuns(session);
  } finally {
    session.close();
  }
}

/** The answer; undefined where the bus refuses. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BusError) return undefined;
    throw error;
  }
}

/**
 * Null where the accessibility bus does not run and is not to be started. Throws BusError where there is none, NO_LIBRARY,
 * NO_DISPLAY.
 */
export function openX11Elements({ start }: { start: boolean }): ElementAsker | null {
  if (!start && !accessibilityRunsHere()) return null;
  const display = openX();
  const accessibility = openAccessibility(true);
  const { bus } = accessibility;
  const tree = new AtspiTree(bus.ask);
  // The first question would have to find out.
  tree.speaking();
  return {
    windowAt: (x, y) => windowAt(display, x, y),
    besides: (window) => windowsOf(display).filter(({ id, pid }) => id !== window.id && pid === window.pid),
    ask: (x, y, window) => (bus.isOpen() ? tree.elementAt(x, y, window) : null),
    ...keyboard(display, bus, tree),
    isOpen: () => bus.isOpen(),
    close() {
      accessibility.close();
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

/**
 * Says on the session bus at `address` that elements are asked for, for programs that are started after it. Throws BusError where
 * there is no accessibility bus.
 */
export function askForElements(address: string): void {
  const session = openBus(address);
  try {
    session.call(PROPERTIES, 'Set', "('org.a11y.Status', 'IsEnabled', <true>)", START_MS);
  } finally {
    session.close();
  }
}

const REGISTRY = {
  name: 'org.a11y.atspi.Registry',
  path: '/org/a11y/atspi/registry',
  face: 'org.a11y.atspi.Registry',
};
const EVENTS = 'org.a11y.atspi.Event.Object';
/** Programs tell only what somebody has asked the registry for. */
const WANTED = ['object:state-changed:focused', 'object:text-caret-moved', 'object:text-changed'];

/** Throws BusError when the registry takes no wishes: then nothing would be told. */
function keyboard(display: XDisplay, bus: QuickBus, tree: AtspiTree): Pick<ElementAsker, 'focus' | 'texts'> {
  const follower = followFocus(bus.ask);
  const any = { sender: null, path: null, face: EVENTS };
  bus.subscribe({ ...any, member: 'StateChanged', first: 'focused' }, ([, on], { name, path }) =>
    follower.heard(name, path, on === 1 ? 'focused' : 'left'),
  );
  bus.subscribe({ ...any, member: 'TextCaretMoved' }, (_, { name, path }) => follower.heard(name, path, 'caret'));
  const texts = heardTexts();
  bus.subscribe({ ...any, member: 'TextChanged' }, (values, { name, path }) => texts.heard(name, path, values));
  for (const event of WANTED) {
    // Before 2.36 (2021) the registry took the name alone.
    const register = (...more: Arg[]): unknown =>
      askOne(bus.ask, { to: REGISTRY, method: 'RegisterEvent', args: [event, ...more] }, START_MS);
    if (!quietly(() => register([], ''))) register();
  }
  let focused = 0;
  let moves = 0;
  /** Whether the program that told last is known by its windows: one that hangs then has the keyboard only where they have it. */
  function tellsByItsWindow(): boolean {
    const teller = follower.last();
    const pid = teller && tree.pidOf(teller.bus);
    return pid === null || windowsOf(display).some((window) => window.pid === pid);
  }
  const focus: KeyboardFocus = {
    turn(closely) {
      bus.turn();
      if (!closely) return;
      const now = focusedId(display);
      if (now !== focused) moves++;
      focused = now;
    },
    version: () => follower.version() + moves,
    moves: () => follower.moves() + moves,
    window: () => keyboardWindow(display),
    kindIn(window) {
      if (!bus.isOpen()) return 'open';
      const program = window === null ? null : tree.busOf(window.pid);
      if (program === undefined) return 'unanswered';
      const kind = follower.kindIn(program);
      return program === null && kind === 'unanswered' && tellsByItsWindow() ? 'open' : kind;
    },
    slowest: follower.slowest,
  };
  return {
    focus,
    texts: {
      changes: texts.take,
      fieldIn(window) {
        const program = bus.isOpen() ? tree.busOf(window.pid) : null;
        const path = program ? follower.fieldIn(program) : null;
        return program && path !== null ? { bus: program, path } : null;
      },
      lastFocus: follower.last,
      isMenu: (place) => !bus.isOpen() || follower.isMenu(place),
    },
  };
}

/** The window that has the keyboard: what has it may be in what the window manager manages. */
function keyboardWindow(display: XDisplay): ElementWindow | null {
  let at = focusedId(display);
  for (let depth = 0; at > 1 && depth < MOST_NESTED; depth++) {
    if (numbers(display, at, 'WM_STATE').length > 0) return spoken(describe(display, at, false));
    at = parentOf(display, at) ?? 0;
  }
  return null;
}

/** What brings the accessibility bus: it is started by the session bus, so that installing it helps only where there is one. */
export const accessibilityRemedy = (session: boolean): string => (session ? INSTALL : SESSION);

/** Which open programs speak. Never throws. */
export function x11ElementReadiness(): ElementReadiness {
  let accessibility: Accessibility | null = null;
  try {
    accessibility = openAccessibility(false);
    const { bus, ran: byDefault } = accessibility;
    const speaking = new AtspiTree(bus.ask).speaking();
    const display = openX();
    const windows = windowsOf(display);
    x11().closeDisplay(display);
    const names = (speaks: boolean): string[] => [
      ...new Set(windows.filter(({ pid, app }) => app !== '' && speaking.has(pid) === speaks).map(({ app }) => app)),
    ];
    return { ready: true, byDefault, by: BY, speaking: names(true), silent: names(false), why: null, fix: null };
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
