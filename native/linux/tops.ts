import type { Rect } from '../../schemas/events.ts';
import { attributesOf, boundsOf, boxAt, childrenOf, parentOf } from './windows.ts';
import { type XDisplay, x11 } from './x11.ts';

/**
 * The windows right below the root, also those that no window manager knows (launchers, menus, lockers), followed by the
 * server's events: what was mapped, raised or given the keyboard is known however shortly it was so. Nothing is asked for
 * that the events tell.
 */
export type Tops = {
  /** Takes in an event of the server's. True when other windows may be seen or typed into than before. */
  hear(event: DataView): boolean;
  /** Those that were mapped or raised, and those that got the keyboard, since this was asked last. */
  take(): { seen: number[]; typed: number[] };
  /** Forgets what was in windows that are gone. */
  prune(): void;
  /** Changes with the windows that there are, and with what is in them. */
  version(): number;
  /** From the bottom to the top. */
  all(): readonly number[];
  /** Those of which something is on the screen, from the bottom to the top. */
  shown(): number[];
  /** The one that holds the keyboard by a grab; null where nobody does, or the root does. */
  grabbing(): number | null;
  /** Windows of applications that were put into this one, as far as that was told. */
  clientsIn(top: number): number[];
  /** All windows that were put into another. */
  clients(): number[];
  /** The one that `window` is or is in, and the one of `these` that it is or is in. */
  wayTo(window: number, these?: ReadonlySet<number>): [top: number | null, one: number | null];
};

/** XEvents on 64-bit machines: where which field is. */
const AT = { sendEvent: 16, event: 32, window: 40, mode: 40, detail: 44, parent: 48, place: 48, box: 48, above: 72 };
const FOCUS_IN = 9;
const FOCUS_OUT = 10;
const CREATE = 16;
const DESTROY = 17;
const UNMAP = 18;
const MAP = 19;
const REPARENT = 21;
const CONFIGURE = 22;
const CIRCULATE = 26;
const [BY_GRAB, BY_UNGRAB] = [1, 2];
/** Details from here on: the focus follows the pointer, and the window itself is not it. */
const BY_POINTER = 5;
const PROPERTY_CHANGE = 1 << 22;
const FOCUS_CHANGE = 1 << 21;
/** Of the windows in it, and of itself: it gets another size. */
const [SUBSTRUCTURE, STRUCTURE] = [1 << 19, 1 << 17];
const ON_ROOT = PROPERTY_CHANGE | FOCUS_CHANGE | SUBSTRUCTURE | STRUCTURE;
/** What has to be selected on each window below the root. */
export const ON_TOP = PROPERTY_CHANGE | FOCUS_CHANGE;

/** Windows stand in windows in windows: a window manager's frame, a client, a toolkit's own focus window. */
const MOST_PARENTS = 16;

/** `onNew` is called with each window that comes right below the root; `isMade`: it was made just now. */
export function followTops(display: XDisplay, root: number, onNew: (top: number, isMade: boolean) => void): Tops {
  const x = x11();
  /** From the bottom to the top. */
  let order: number[] = [];
  const boxes = new Map<number, Rect>();
  const mapped = new Set<number>();
  const holders = new Map<number, number>();
  let seen = new Set<number>();
  let typed = new Set<number>();
  let grab: number | null = null;
  let version = 0;

  x.selectInput(display, root, ON_ROOT);
  let screen = boundsOf(display, root);
  for (const top of childrenOf(display, root)) {
    onNew(top, true);
    const found = attributesOf(display, top);
    order.push(top);
    if (!found) continue;
    boxes.set(top, found.box);
    if (found.isMapped) mapped.add(top);
  }

  function remove(window: number): void {
    order = order.filter((one) => one !== window);
    boxes.delete(window);
    mapped.delete(window);
    if (grab === window) grab = null;
  }
  function add(window: number, isMade: boolean): void {
    remove(window);
    order.push(window);
    onNew(window, isMade);
  }
  /** True when it is higher than it was. */
  function stackAbove(window: number, sibling: number): boolean {
    const before = order.indexOf(window);
    const rest = order.filter((one) => one !== window);
    const below = rest.indexOf(sibling);
    const at = below < 0 && sibling !== 0 ? rest.length : below + 1;
    order = [...rest.slice(0, at), window, ...rest.slice(at)];
    return before >= 0 && at > before;
  }
  function see(window: number): boolean {
    if (!mapped.has(window)) return false;
    seen.add(window);
    return true;
  }
  function isShown(top: number): boolean {
    const box = boxes.get(top) ?? attributesOf(display, top)?.box;
    if (!mapped.has(top) || !box || !screen) return false;
    return box.x < screen.width && box.y < screen.height && box.x + box.width > 0 && box.y + box.height > 0;
  }
  function wayTo(window: number, these?: ReadonlySet<number>): [number | null, number | null] {
    let at = window;
    let one: number | null = null;
    for (let i = 0; i < MOST_PARENTS && at > 1 && at !== root; i++) {
      if (one === null && these?.has(at)) one = at;
      const parent = parentOf(display, at);
      if (parent === root) return [at, one];
      at = parent ?? 0;
    }
    return [null, one];
  }
  function hearFocus(type: number, view: DataView): boolean {
    const window = Number(view.getBigUint64(AT.event, true));
    const mode = view.getInt32(AT.mode, true);
    if (view.getInt32(AT.detail, true) >= BY_POINTER) return false;
    if (mode === BY_UNGRAB) grab = null;
    if (type !== FOCUS_IN) return true;
    if (mode === BY_GRAB) grab = window;
    // What a window manager keeps beside the screen has the keyboard when nobody else has.
    const isTypedInto = mode === BY_GRAB || !order.includes(window) || isShown(window);
    if (window !== root && isTypedInto) typed.add(window);
    return true;
  }

  return {
    hear(view) {
      const type = view.getInt32(0, true) & 0x7f;
      // What another program sends in the server's name is not believed.
      if (view.getInt32(AT.sendEvent, true) !== 0) return false;
      if (type === FOCUS_IN || type === FOCUS_OUT) return hearFocus(type, view);
      if (Number(view.getBigUint64(AT.event, true)) !== root) return false;
      const window = Number(view.getBigUint64(AT.window, true));
      if (type === CREATE) {
        version++;
        add(window, true);
        boxes.set(window, boxAt(view, AT.box));
      }
      if (type === DESTROY) {
        version++;
        remove(window);
      }
      if (type === UNMAP) mapped.delete(window);
      if (type === MAP) {
        mapped.add(window);
        return see(window);
      }
      if (type === REPARENT) {
        const parent = Number(view.getBigUint64(AT.parent, true));
        version++;
        if (parent === root) {
          holders.delete(window);
          add(window, false);
          seen.add(window); // What it was in may have been shown.
        } else {
          remove(window);
          // Some put it into a window of their own within the frame.
          holders.set(window, wayTo(parent)[0] ?? parent);
          // A window manager takes it in to show it.
          seen.add(window);
        }
        return true;
      }
      if (type === CONFIGURE && window === root) {
        screen = boxAt(view, AT.box);
        return true;
      }
      if (type === CONFIGURE) {
        const wasShown = isShown(window);
        boxes.set(window, boxAt(view, AT.box));
        const isHigher = stackAbove(window, Number(view.getBigUint64(AT.above, true)));
        return (isHigher || (!wasShown && isShown(window))) && see(window);
      }
      if (type === CIRCULATE) {
        const isUp = view.getInt32(AT.place, true) === 0;
        return stackAbove(window, isUp ? (order.at(-1) ?? 0) : 0) && see(window);
      }
      return type === CREATE || type === DESTROY || type === UNMAP;
    },
    take() {
      const taken = { seen: [...seen], typed: [...typed] };
      [seen, typed] = [new Set(), new Set()];
      return taken;
    },
    prune() {
      for (const [client, holder] of holders) if (!order.includes(holder)) holders.delete(client);
    },
    version: () => version,
    all: () => order,
    shown: () => order.filter(isShown),
    grabbing: () => (grab === root ? null : grab),
    clients: () => [...holders.keys()],
    clientsIn: (top) => [...holders].flatMap(([client, holder]) => (holder === top ? [client] : [])),
    wayTo,
  };
}
