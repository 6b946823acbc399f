import { openQuickBus, type QuickBus } from '../bus/dbus.ts';
import { type Bus, BusError, openBus } from '../bus/gio.ts';
import { AtspiTree } from '../elements/atspi.ts';
import { textOfProperty } from './windows.ts';
import { type XDisplay, x11 } from './x11.ts';

/** The accessibility bus: found where it is, started where there is a session bus that can, looked for again while there is none. */

const A11Y = { name: 'org.a11y.Bus', path: '/org/a11y/bus' };
const PROPERTIES = { ...A11Y, face: 'org.freedesktop.DBus.Properties' };
/** Starting the accessibility bus where nobody has used it yet takes a moment, ms. */
const START_MS = 20_000;
/** It is looked for again so often at most, ms; where nothing has changed on the screen, less often. */
const AGAIN_MS = 300;
const AGAIN_IDLE_MS = 3000;

export type Accessibility = {
  bus: QuickBus;
  /** It was started before, by somebody else. */
  ran: boolean;
  close(): void;
};

/**
 * Connects to the accessibility bus; with `used` it says on the session bus that it is used, so that Qt, Chromium and
 * LibreOffice speak, and `close` takes that back. Never says that a screen reader runs: that would start one, aloud. Throws BusError.
 */
export function openAccessibility(used: boolean): Accessibility {
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

/** The answer; undefined where the bus refuses. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BusError) return undefined;
    throw error;
  }
}

/**
 * Says on the session bus at `address` that elements are asked for, for programs that are started after it. Throws BusError where
 * there is no accessibility bus.
 */
export function askBusForElements(address: string): void {
  const session = openBus(address);
  try {
    session.call(PROPERTIES, 'Set', "('org.a11y.Status', 'IsEnabled', <true>)", START_MS);
  } finally {
    session.close();
  }
}

/** The bus that the display itself names: at-spi2-core writes it on the root window, also where there is no session bus to ask. */
function openNamedByDisplay(display: XDisplay): Accessibility | null {
  const address = textOfProperty(display, x11().root(display), 'AT_SPI_BUS');
  if (!address) return null;
  const bus = openQuickBus(address);
  return { bus, ran: true, close: () => bus.close() };
}

/** Those that speak by the accessibility bus; `live` is null as long as there is none. */
export type Speakers<T> = {
  live(): T | null;
  /** Looks for the bus where there is none. `changed`: another window is in front than before. */
  look(changed: boolean): void;
  /** Why there is none; null where there is one. */
  missing(): string | null;
  /** False once it was there and is gone. */
  isOpen(): boolean;
  close(): void;
};

/** `open` makes of the bus what is asked; where it throws BusError the bus counts as not there. */
export function findSpeakers<T>(
  display: XDisplay,
  open: (bus: QuickBus, tree: AtspiTree) => T,
  now: () => number = () => performance.now(),
): Speakers<T> {
  let accessibility: Accessibility | null = null;
  let live: T | null = null;
  let why: string | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function openOne(): Accessibility {
    try {
      return openAccessibility(true);
    } catch (error) {
      if (!(error instanceof BusError)) throw error;
      const named = openNamedByDisplay(display);
      if (named) return named;
      throw error;
    }
  }
  function look(): void {
    lookedAt = now();
    let found: Accessibility | null = null;
    try {
      found = openOne();
      const tree = new AtspiTree(found.bus.ask);
      // The first question would have to find out.
      tree.speaking();
      live = open(found.bus, tree);
      [accessibility, why] = [found, null];
    } catch (error) {
      found?.close();
      if (!(error instanceof BusError)) throw error;
      why = error.message;
    }
  }
  look();
  return {
    live: () => live,
    look(changed) {
      if (live === null && now() - lookedAt >= (changed ? AGAIN_MS : AGAIN_IDLE_MS)) look();
    },
    missing: () => why,
    isOpen: () => accessibility?.bus.isOpen() ?? true,
    close: () => accessibility?.close(),
  };
}
