import type { FrontNames, FrontWatch } from '../platform/platform.ts';
import { followTops, ON_TOP } from './tops.ts';
import { followNames, type KnownWindow, type NamedWindow, OWNER, TYPE } from './window-names.ts';
import { focusedId, numbers } from './windows.ts';
import { EVENT_BYTES, openX, x11 } from './x11.ts';

/** Where the window and the atom are in an XPropertyEvent (64-bit). */
const [WINDOW, ATOM] = [32, 40];
const PROPERTY_NOTIFY = 28;
/** ICCCM: WM_STATE of a window that was minimised. */
const ICONIC_STATE = 3;
/** Many a property changes at each key; these tell who is in front and what it is called. */
const ON_ROOT = ['_NET_ACTIVE_WINDOW', '_NET_CLIENT_LIST_STACKING', '_NET_CLIENT_LIST'];
const ON_WINDOWS = ['_NET_WM_NAME', 'WM_NAME', 'WM_CLASS', 'WM_STATE', '_NET_WM_PID', TYPE, OWNER];
/** A dialog of a dialog of a window. */
const MOST_OWNERS = 4;
/**
 * The X server numbers what a program makes from a range of its own, of so many bits where it takes 256 programs, its default. With
 * more programs ranges are smaller, and several count as one here.
 */
const BITS_OF_A_PROGRAM = 21;

const withNames = (all: readonly NamedWindow[]): NamedWindow[] =>
  all.flatMap(({ title, app }) => (title === '' && app === '' ? [] : [{ title, app }]));

/**
 * The windows in front by the X server's own word, on a connection of its own. A look asks for the window that has the
 * keyboard: the answer comes after every event that the server sent before it, so a change that was made before the look
 * is seen by it. Names are read only when something changed, and of each window as soon as it is there: one that is shown for
 * a moment may be gone before the next look.
 */
export function watchFront(name: string | null = null): FrontWatch {
  const x = x11();
  const display = openX(name);
  const root = x.root(display);
  const event = new Uint8Array(EVENT_BYTES);
  const view = new DataView(event.buffer);
  const telling = new Set([...ON_ROOT, ...ON_WINDOWS].map((name) => BigInt(x.atom(display, name, 0))));
  const windows = followNames(display);
  const { of: knownAs } = windows;
  /** The listed applications' windows by the window below the root that they are in; found anew when `clientsFor` changes. */
  let clientsOf = new Map<number, number[]>();
  let clientsFor = '';
  let focus = 0;
  let isOld = true;
  let names: FrontNames = { active: null, focused: null, topmost: null };
  // A window that is gone makes an error, which is passed over (x11.ts).
  const tops = followTops(display, root, (top, isMade) => {
    x.selectInput(display, top, ON_TOP);
    windows.heard(top, isMade);
  });

  function named(window: number): NamedWindow {
    const { title, app } = knownAs(window) ?? { title: '', app: '' };
    return { title, app };
  }
  function findClients(list: readonly number[]): void {
    const now = `${tops.version()} ${list.join()}`;
    if (now === clientsFor) return;
    clientsFor = now;
    clientsOf = new Map();
    for (const client of list) {
      const top = tops.wayTo(client)[0] ?? client;
      clientsOf.set(top, [...(clientsOf.get(top) ?? []), client]);
    }
  }
  const clientsIn = (top: number): number[] => [...new Set([...(clientsOf.get(top) ?? []), ...tops.clientsIn(top)])];
  /** All that is known of a window right below the root: its own name, and those of the applications' windows in it. */
  const knownOf = (top: number): KnownWindow[] => [top, ...clientsIn(top)].flatMap((window) => knownAs(window) ?? []);
  /** Those that a window belongs to: named for a page that is left out, one has dialogs and tooltips that are not named so. */
  function ownersOf(window: number): KnownWindow[] {
    const owners: KnownWindow[] = [];
    let at = knownAs(window)?.owner ?? 0;
    for (let depth = 0; at > 1 && depth < MOST_OWNERS; depth++) {
      const owner = knownAs(at);
      if (owner) owners.push(owner);
      at = owner?.owner ?? 0;
    }
    return owners;
  }
  /** Of a window that no window manager knows and that says of nothing that it belongs to it: its program's other windows. */
  function programOf(top: number, list: readonly number[]): KnownWindow[] {
    if (clientsIn(top).length > 0) return [];
    const owners = ownersOf(top);
    if (owners.length > 0) return owners;
    const own = top >>> BITS_OF_A_PROGRAM;
    return list.flatMap((window) => (window >>> BITS_OF_A_PROGRAM === own ? (knownAs(window) ?? []) : []));
  }
  /** What it shows may be any program's. */
  const isNotified = (top: number): boolean => knownOf(top).some((one) => one.isNotification);
  /** Nobody can say what it showed: it was gone before it was asked, or what was put into it was. */
  function isMissed(top: number): boolean {
    const clients = clientsIn(top);
    return clients.length === 0 ? knownAs(top) === null : clients.some((window) => knownAs(window) === null);
  }

  /** By the server's own order: the window manager's list comes after it. */
  function topmostOf(shown: readonly number[]): number | undefined {
    for (const top of shown.toReversed()) {
      const client = clientsIn(top).find((window) => {
        windows.listen(window);
        return numbers(display, window, 'WM_STATE')[0] !== ICONIC_STATE;
      });
      if (client !== undefined) return client;
    }
    return undefined;
  }

  /** First with the windows that came and went since the last look, then without them. */
  function read(): [FrontNames, FrontNames] {
    const stacking = numbers(display, root, '_NET_CLIENT_LIST_STACKING');
    const list = stacking.length > 0 ? stacking : numbers(display, root, '_NET_CLIENT_LIST');
    findClients(list);
    for (const top of [...tops.all(), ...tops.clients()]) knownAs(top);
    const active = numbers(display, root, '_NET_ACTIVE_WINDOW')[0] ?? 0;
    const [focusTop, client] = tops.wayTo(focus, new Set(list));
    const shown = tops.shown();
    const topmost = topmostOf(shown);
    // A window manager lists a window somewhat later than it shows it.
    const unmanaged = shown.filter((top) => !clientsOf.has(top));
    const inFront = [active, client, topmost].flatMap((window) => (window ? ownersOf(window) : []));
    const typedNow = [tops.grabbing(), client === null && shown.includes(focusTop ?? 0) ? focusTop : null];
    const steady: FrontNames = {
      active: active === 0 ? null : named(active),
      focused: client === null ? null : named(client),
      topmost: topmost === undefined ? null : named(topmost),
      seen: withNames([
        ...unmanaged.flatMap(knownOf).filter(({ isInputOnly }) => !isInputOnly),
        ...unmanaged.flatMap((top) => programOf(top, list)),
        ...inFront,
      ]),
      typed: withNames(typedNow.flatMap((top) => (top === null ? [] : knownOf(top)))),
      missed: unmanaged.some(isMissed) || shown.some(isNotified),
    };
    const { seen, typed } = tops.take();
    const now: FrontNames = {
      ...steady,
      seen: [...(steady.seen ?? []), ...withNames(seen.flatMap((top) => [...knownOf(top), ...programOf(top, list)]))],
      typed: [...(steady.typed ?? []), ...withNames(typed.flatMap(knownOf))],
      missed: steady.missed || [...seen, ...typed].some(isMissed) || seen.some(isNotified),
    };
    forgetGone(list);
    return [now, steady];
  }

  function forgetGone(list: readonly number[]): void {
    tops.prune();
    windows.keepOnly(new Set([...list, ...tops.all(), ...tops.clients()]));
  }

  return {
    look() {
      const focusNow = focusedId(display);
      while (x.pending(display) > 0) {
        x.nextEvent(display, event);
        const type = view.getInt32(0, true) & 0x7f;
        if (type !== PROPERTY_NOTIFY) {
          if (tops.hear(view)) isOld = true;
        } else if (telling.has(view.getBigUint64(ATOM, true))) {
          windows.renamed(Number(view.getBigUint64(WINDOW, true)));
          isOld = true;
        }
      }
      if (focusNow !== focus) isOld = true;
      focus = focusNow;
      if (!isOld) return names;
      isOld = false;
      const [found, steady] = read();
      names = steady;
      return found;
    },
  };
}
