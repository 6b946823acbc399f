import type { FrontNames, FrontWatch } from '../platform/platform.ts';
import { nameOf, numbers } from './windows.ts';
import { openX, x11 } from './x11.ts';

/** XEvent is 192 bytes; in XPropertyEvent (64-bit) the atom is at 40. */
const EVENT_BYTES = 192;
const ATOM = 40;
const PROPERTY_NOTIFY = 28;
const PROPERTY_CHANGE_MASK = 1 << 22;
/** ICCCM: WM_STATE of a window that is on the screen. */
const NORMAL_STATE = 1;
/** Windows stand in windows in windows: a window manager's frame, a client, a toolkit's own focus window. */
const MOST_PARENTS = 16;
/** Many a property changes at each key; these tell who is in front and what it is called. */
const ON_ROOT = ['_NET_ACTIVE_WINDOW', '_NET_CLIENT_LIST_STACKING', '_NET_CLIENT_LIST'];
const ON_WINDOWS = ['_NET_WM_NAME', 'WM_NAME', 'WM_CLASS', 'WM_STATE'];

/**
 * The windows in front by the X server's own word, on a connection of its own. A look asks for the window that has the
 * keyboard: the answer comes after every event that the server sent before it, so a change that was made before the look
 * is seen by it. Names are read only when something changed.
 */
export function watchFront(): FrontWatch {
  const x = x11();
  const display = openX();
  const root = x.root(display);
  const event = new Uint8Array(EVENT_BYTES);
  const view = new DataView(event.buffer);
  const telling = new Set([...ON_ROOT, ...ON_WINDOWS].map((name) => BigInt(x.atom(display, name, 0))));
  const heard = new Set<number>();
  let focus = 0;
  let isOld = true;
  let names: FrontNames = { active: null, focused: null, topmost: null };
  x.selectInput(display, root, PROPERTY_CHANGE_MASK);

  function listen(window: number): void {
    if (heard.has(window)) return;
    // A window that is gone makes an error, which is passed over (x11.ts).
    x.selectInput(display, window, PROPERTY_CHANGE_MASK);
    heard.add(window);
  }
  function named(window: number): { title: string; app: string } {
    // Before it is read, so that no change falls in between.
    listen(window);
    const { title, app } = nameOf(display, window);
    return { title, app };
  }
  /** The application's window that `window` is or is in; null where the window manager knows none. */
  function clientOf(window: number, clients: ReadonlySet<number>): number | null {
    let at = window;
    for (let i = 0; i < MOST_PARENTS && at > 1 && at !== root; i++) {
      if (clients.has(at)) return at;
      const [parent, children] = [[0], [null as bigint | null]];
      if (x.queryTree(display, at, [0], parent, children, [0]) === 0) return null;
      if (children[0]) x.free(children[0]);
      at = parent[0] ?? 0;
    }
    return null;
  }
  function read(): FrontNames {
    const stacking = numbers(display, root, '_NET_CLIENT_LIST_STACKING');
    const list = stacking.length > 0 ? stacking : numbers(display, root, '_NET_CLIENT_LIST');
    const clients = new Set(list);
    for (const window of heard) if (!clients.has(window)) heard.delete(window);
    const active = numbers(display, root, '_NET_ACTIVE_WINDOW')[0] ?? 0;
    const client = clientOf(focus, clients);
    const topmost = stacking.toReversed().find((window) => {
      listen(window);
      return numbers(display, window, 'WM_STATE')[0] === NORMAL_STATE;
    });
    return {
      active: active === 0 ? null : named(active),
      focused: client === null ? null : named(client),
      topmost: topmost === undefined ? null : named(topmost),
    };
  }

  return {
    look() {
      const now = [0];
      x.inputFocus(display, now, [0]);
      while (x.pending(display) > 0) {
        x.nextEvent(display, event);
        const type = view.getInt32(0, true) & 0x7f;
        if (type === PROPERTY_NOTIFY && telling.has(view.getBigUint64(ATOM, true))) isOld = true;
      }
      if (now[0] !== focus) isOld = true;
      focus = now[0] ?? 0;
      if (isOld) {
        isOld = false;
        names = read();
      }
      return names;
    },
  };
}
