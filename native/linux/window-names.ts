import { attributesOf, nameOf, numbers } from './windows.ts';
import { type XDisplay, x11 } from './x11.ts';

/** What windows are called, read when it may have changed, and of each window as soon as it is there. */

export type NamedWindow = { title: string; app: string };
/** `owner`: the window that it is a dialog, a menu or a tooltip of; 0: none said. */
export type KnownWindow = NamedWindow & { isInputOnly: boolean; isNotification: boolean; owner: number };

const PROPERTY_CHANGE_MASK = 1 << 22;
export const TYPE = '_NET_WM_WINDOW_TYPE';
export const OWNER = 'WM_TRANSIENT_FOR';
const NOTIFICATION = '_NET_WM_WINDOW_TYPE_NOTIFICATION';
/** Show what other programs hand them, some without saying of their windows that they are such. */
const NOTIFIERS =
  /^(?:dunst|notification-daemon|notify-osd|xfce4-notifyd|mate-notification-daemon|deadd-notification-center|twmnd?)$/i;

export type WindowNames = {
  /** A window's name now, or its last one when it is gone; null when it was gone before its name was ever read. */
  of(window: number): KnownWindow | null;
  /** Changes of it are told from now on. */
  listen(window: number): void;
  /** It is listened to already. `isMade`: its number may have been another's. */
  heard(window: number, isMade: boolean): void;
  /** Its name may have changed. */
  renamed(window: number): void;
  /** Forgets all but these. */
  keepOnly(there: ReadonlySet<number>): void;
};

export function followNames(display: XDisplay): WindowNames {
  const x = x11();
  const root = x.root(display);
  const notification = x.atom(display, NOTIFICATION, 0);
  const heard = new Set<number>();
  const known = new Map<number, KnownWindow>();
  /** Those whose name may have changed. */
  const renamed = new Set<number>();

  function listen(window: number): void {
    if (heard.has(window)) return;
    x.selectInput(display, window, PROPERTY_CHANGE_MASK);
    heard.add(window);
  }
  function knownAs(window: number): KnownWindow | null {
    const before = known.get(window) ?? null;
    if (before && !renamed.has(window)) return before;
    // Before it is read, so that no change falls in between.
    listen(window);
    const { title, app } = nameOf(display, window);
    const attributes = attributesOf(display, window);
    // It went while it was read: what was read is a part of its name at most.
    if (!attributes) {
      if (before === null || (before.title === '' && before.app === '')) return null;
      return { ...before, title: title || before.title, app: app || before.app };
    }
    const isNotification = numbers(display, window, TYPE).includes(notification) || NOTIFIERS.test(app);
    const owner = numbers(display, window, OWNER)[0] ?? 0;
    const now = { title, app, isInputOnly: attributes.isInputOnly, isNotification, owner: owner === root ? 0 : owner };
    known.set(window, now);
    renamed.delete(window);
    return now;
  }
  return {
    of: knownAs,
    listen,
    heard(window, isMade) {
      heard.add(window);
      if (isMade) known.delete(window);
      renamed.add(window);
    },
    renamed: (window) => void renamed.add(window),
    keepOnly(there) {
      for (const window of heard) {
        if (there.has(window)) continue;
        heard.delete(window);
        known.delete(window);
        renamed.delete(window);
      }
    },
  };
}
