import { ELEMENT_DEPTH_LIMIT, ELEMENT_NAME_LIMIT } from '../../schemas/elements.ts';
import type { Address } from '../bus/gio.ts';
import type { Variant } from '../bus/gvariant.ts';
import { ACTED_ON, OPENERS, PARTS, roleWord, stateWords } from './atspi-words.ts';
import type { ElementWindow, FoundElement } from './contract.ts';

/**
 * AT-SPI's questions (Linux). A tree is never walked whole: each element is asked which of its children lies at the point,
 * and where toolkits are known to answer that wrong, the children are tried by their own boxes. One question has a number
 * of calls and a time; a program that uses them up is asked less often, then not again.
 */

/** A call to the bus, waiting no longer than `withinMs`. Throws what the bus throws. */
export type AskBus = (to: Address, method: string, args: string, withinMs: number) => readonly Variant[];

/** An object on the bus: its program's name there, and its path. */
type Ref = { bus: string; path: string };
type Box = { x: number; y: number; width: number; height: number };
type Node = { ref: Ref; role: string; box: Box | null };

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const COMPONENT = 'org.a11y.atspi.Component';
const SELECTION = 'org.a11y.atspi.Selection';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const BUS: Address = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', face: 'org.freedesktop.DBus' };
const REGISTRY: Ref = { bus: 'org.a11y.atspi.Registry', path: '/org/a11y/atspi/accessible/root' };

/** The most that one question may cost. */
export const MOST_CALLS = 150;
const MOST_MS = 400;
/** Children that are tried one by one where the program's own answer does not serve. */
const MOST_CHILDREN = 48;
/** A program that was too slow is left alone for so long, ms; twice as long each time, and for good after the last. */
const REST_MS = 500;
/** A single answer that took so long, ms. */
const HANGS_MS = 200;
/** How long roles and places among siblings are believed, ms. */
const REMEMBER_MS = 5000;
const MOST_SLOW = 6;
/** The longest that looking for all programs takes, ms. */
const LOOK_MS = 2000;
/** How often it is looked for programs that have come since, ms. */
const LOOK_AGAIN_MS = 500;
/** A menu's way up to its window, in case it goes round in a circle. */
const MOST_ABOVE = 16;
/** A word in a button may lie a few steps below it. */
const MOST_OWNERS = 4;
/** Elements that were met last and may have opened something. */
const MOST_OPENERS = 6;

const SCREEN = 'uint32 0';

/** A question ran out of calls or time. */
class TooMuch extends Error {}

export type AtspiTree = {
  elementAt(x: number, y: number, window: ElementWindow): FoundElement | null;
  /** Programs on the bus by their process ids. */
  speaking(): Set<number>;
  /** A program's name on the bus; null where it is not there, undefined where the bus does not say in time. */
  busOf(pid: number): string | null | undefined;
};

export function atspiTree(call: AskBus, now: () => number = () => performance.now()): AtspiTree {
  const programs = new Map<number, string>();
  const known = new Set<string>();
  const slow = new Map<string, { times: number; until: number }>();
  const facts = new Map<string, { app: string; toolkit: string }>();
  let openers: Ref[] = [];
  let looked = Number.NEGATIVE_INFINITY;
  const roles = new Map<string, number>();
  const places = new Map<string, number>();
  let rememberedAt = Number.NEGATIVE_INFINITY;
  let calls = 0;
  let longest = 0;
  let deadline = 0;

  function begin(ms = MOST_MS): void {
    calls = 0;
    longest = 0;
    deadline = now() + ms;
    if (now() - rememberedAt < REMEMBER_MS) return;
    rememberedAt = now();
    roles.clear();
    places.clear();
  }
  function ask(ref: Ref, face: string, method: string, args = '()'): Variant | undefined {
    const asked = now();
    const left = deadline - asked;
    if (++calls > MOST_CALLS || left <= 0) throw new TooMuch();
    try {
      return call({ name: ref.bus, path: ref.path, face }, method, args, Math.max(1, Math.ceil(left)))[0];
    } catch (error) {
      if (now() >= deadline) throw new TooMuch();
      if (error instanceof Error) return undefined;
      throw error;
    } finally {
      longest = Math.max(longest, now() - asked);
    }
  }

  function find(pid: number): string | null {
    const name = programs.get(pid);
    if (name !== undefined) return name;
    if (now() - looked < LOOK_AGAIN_MS) return null;
    look();
    return programs.get(pid) ?? null;
  }
  function look(): void {
    looked = now();
    const refs = refsOf(ask(REGISTRY, ACCESSIBLE, 'GetChildren'));
    const there = new Set(refs.map(({ bus }) => bus));
    for (const [pid, bus] of programs) if (!there.has(bus)) programs.delete(pid);
    for (const bus of known) if (!there.has(bus)) known.delete(bus);
    for (const { bus } of refs) {
      if (known.has(bus)) continue;
      const pid = ask({ bus: BUS.name, path: BUS.path }, BUS.face, 'GetConnectionUnixProcessID', `('${bus}',)`);
      // Not before it has answered: it is asked again otherwise.
      known.add(bus);
      if (typeof pid === 'number') programs.set(pid, bus);
    }
  }

  const boxOf = (ref: Ref): Box | null => toBox(ask(ref, COMPONENT, 'GetExtents', `(${SCREEN},)`));
  const childrenOf = (ref: Ref): Ref[] => refsOf(ask(ref, ACCESSIBLE, 'GetChildren'));
  /** The same for a while: one question after the other goes down the same way. */
  function remembered(memory: Map<string, number>, ref: Ref, method: string): number {
    const key = ref.bus + ref.path;
    const before = memory.get(key);
    if (before !== undefined) return before;
    const told = ask(ref, ACCESSIBLE, method);
    const value = typeof told === 'number' && Number.isInteger(told) ? told : -1;
    memory.set(key, value);
    return value;
  }
  const roleOf = (ref: Ref): string => roleWord(remembered(roles, ref, 'GetRole'));
  const indexOf = (ref: Ref): number => Math.max(-1, remembered(places, ref, 'GetIndexInParent'));
  const nodeOf = (ref: Ref): Node => ({ ref, role: roleOf(ref), box: boxOf(ref) });
  function statesOf(ref: Ref): string[] {
    const states = ask(ref, ACCESSIBLE, 'GetState');
    return Array.isArray(states) ? stateWords(states.map(Number)) : [];
  }
  /** Hidden elements may have a box, too. */
  function isShown(ref: Ref): boolean {
    const states = statesOf(ref);
    return states.length === 0 || states.includes('showing');
  }
  const selectedOf = (ref: Ref): Ref | null => toRef(ask(ref, SELECTION, 'GetSelectedChild', '(0,)'));

  /** The child at the point; null when there is none. */
  function childAt(parent: Node, x: number, y: number): Node | null {
    const told = toRef(ask(parent.ref, COMPONENT, 'GetAccessibleAtPoint', `(${x}, ${y}, ${SCREEN})`));
    const isTabs = parent.role === 'page tab list';
    if (told && told.path !== parent.ref.path && !isTabs) {
      const node = nodeOf(told);
      if (isIn(node.box, x, y)) return node;
    }
    // Theirs are made when they are asked for, without end.
    if (statesOf(parent.ref).includes('manages descendants')) return null;
    const tried = childrenOf(parent.ref).slice(0, MOST_CHILDREN);
    for (const ref of tried) {
      const box = boxOf(ref);
      if (isIn(box, x, y) && isShown(ref)) return { ref, role: roleOf(ref), box };
    }
    if (!isTabs) return null;
    // A tab's own box is its label's: what it shows is in it and yet outside of its box.
    const page = selectedOf(parent.ref);
    return page ? nodeOf(page) : null;
  }

  /** From a window down, as far as answers go. */
  function descend(from: Node, x: number, y: number): Node[] {
    const way = [from];
    const met = new Set([from.ref.path]);
    while (way.length < ELEMENT_DEPTH_LIMIT) {
      const child = childAt(way[way.length - 1]!, x, y);
      if (!child || met.has(child.ref.path)) break;
      met.add(child.ref.path);
      way.push(child);
    }
    // A page that holds nothing at the point was only passed through.
    while (way.length > 1 && !isIn(way[way.length - 1]!.box, x, y)) way.pop();
    return way;
  }

  /** Where the search begins. A menu hangs in the tree where it was opened from, wherever it is shown. */
  function wayTo(bus: string, window: ElementWindow, x: number, y: number): Node[] | null {
    if (window.popup) {
      for (const opener of openers) {
        if (opener.bus !== bus) continue;
        const child = childAt(nodeOf(opener), x, y);
        if (child) return descend(child, x, y);
      }
    }
    const roots = childrenOf({ bus, path: REGISTRY.path }).slice(0, MOST_CHILDREN).map(nodeOf);
    const under = roots.filter(({ box }) => isIn(box, x, y));
    if (window.popup) {
      const own = under.find(({ role, box }) => POPUP_ROLES.has(role) && isSame(box, window.bounds));
      const way = own ? descend(own, x, y) : null;
      return way ?? openMenu(roots, x, y) ?? null;
    }
    const root =
      under.find(({ box }) => isSame(box, window.bounds)) ?? under.find(({ ref }) => isShown(ref)) ?? under[0];
    return root ? descend(root, x, y) : null;
  }

  /** A menu that was opened by keys: from a menu bar along what is selected in it. */
  function openMenu(roots: readonly Node[], x: number, y: number): Node[] | null {
    for (const root of roots) {
      let item: Ref | null = menuBarOf(root.ref);
      for (let depth = 0; item && depth < 6; depth++) {
        item = selectedOf(item);
        if (!item) break;
        const child = childAt(nodeOf(item), x, y);
        if (child) return descend(child, x, y);
      }
    }
    return null;
  }
  function menuBarOf(root: Ref): Ref | null {
    let level = [root];
    for (let depth = 0; depth < 4; depth++) {
      const next = level.flatMap((ref) => childrenOf(ref).slice(0, 8)).slice(0, 16);
      const bar = next.find((ref) => roleOf(ref) === 'menu bar');
      if (bar) return bar;
      level = next;
    }
    return null;
  }

  function factsOf(bus: string): { app: string; toolkit: string } {
    const before = facts.get(bus);
    if (before) return before;
    const root = { bus, path: REGISTRY.path };
    const get = (face: string, name: string): string =>
      textOf(ask(root, PROPERTIES, 'Get', `('${face}', '${name}')`)).slice(0, 200);
    const read = { app: get(ACCESSIBLE, 'Name'), toolkit: get('org.a11y.atspi.Application', 'ToolkitName') };
    facts.set(bus, read);
    return read;
  }

  /** From the window down to where the search began. */
  function above(from: Ref): { ref: Ref; role: string }[] {
    const way: { ref: Ref; role: string }[] = [];
    let ref = from;
    for (let depth = 0; depth < MOST_ABOVE; depth++) {
      const parent = toRef(ask(ref, PROPERTIES, 'Get', `('${ACCESSIBLE}', 'Parent')`));
      if (!parent || parent.bus !== from.bus || parent.path === REGISTRY.path) break;
      way.unshift({ ref: parent, role: roleOf(parent) });
      ref = parent;
    }
    return way;
  }

  /** Chromium answers with the innermost thing at once: what it is a part of is asked of it, as far as it may be one. */
  function withOwner(way: Node[]): Node[] {
    const last = way[way.length - 1]!;
    const before = way[way.length - 2];
    const between: Node[] = [];
    let node = last;
    while (PARTS.has(node.role) && between.length < MOST_OWNERS) {
      const parent = toRef(ask(node.ref, PROPERTIES, 'Get', `('${ACCESSIBLE}', 'Parent')`));
      if (!parent || parent.bus !== last.ref.bus || parent.path === before?.ref.path) return way;
      node = nodeOf(parent);
      between.unshift(node);
    }
    return ACTED_ON.has(node.role) ? [...way.slice(0, -1), ...between, last] : way;
  }

  function describe(bus: string, found: Node[], window: ElementWindow): FoundElement {
    const way = withOwner(found);
    const password = way.findIndex(({ role }) => role === 'password text');
    const end = password >= 0 ? password : meant(way);
    const node = way[end]!;
    const path = [...above(way[0]!.ref), ...way.slice(0, end + 1)]
      .slice(-ELEMENT_DEPTH_LIMIT)
      .map(({ ref, role }) => ({ role, index: indexOf(ref) }));
    const base = {
      role: node.role,
      bounds: seenPart(node.box, window),
      source: 'atspi' as const,
      states: statesOf(node.ref),
      path,
      ...factsOf(bus),
    };
    // Nothing else is asked of it.
    if (password >= 0) return { ...base, name: '', description: '', withheld: true };
    // One by one: a program made with Qt 5 crashes when it is asked for all properties at once.
    const told = (what: string): string => textOf(ask(node.ref, PROPERTIES, 'Get', `('${ACCESSIBLE}', '${what}')`));
    return { ...base, name: told('Name'), description: told('Description') };
  }

  function remember(way: readonly Node[]): void {
    for (const { ref, role } of way) {
      if (!OPENERS.has(role)) continue;
      openers = [ref, ...openers.filter(({ bus, path }) => bus !== ref.bus || path !== ref.path)].slice(
        0,
        MOST_OPENERS,
      );
    }
  }

  return {
    elementAt(x, y, window) {
      begin();
      let bus: string | null = null;
      try {
        bus = find(window.pid);
        if (bus === null) return null;
        const late = slow.get(bus);
        if (late && (late.times >= MOST_SLOW || now() < late.until)) return null;
        const way = wayTo(bus, window, x, y);
        const found = way ? describe(bus, way, window) : null;
        if (way) remember(way);
        slow.delete(bus);
        return found;
      } catch (error) {
        if (!(error instanceof TooMuch)) throw error;
        if (bus !== null) {
          // Many short answers that together take too long are a busy machine's; one that does not come is a program's.
          const times = (slow.get(bus)?.times ?? 0) + (longest >= HANGS_MS ? 1 : 0);
          slow.set(bus, { times, until: now() + (times === 0 ? 0 : REST_MS * 2 ** (times - 1)) });
        }
        return null;
      }
    },
    busOf(pid) {
      begin();
      try {
        return find(pid);
      } catch (error) {
        if (error instanceof TooMuch) return undefined;
        throw error;
      }
    },
    speaking() {
      begin(LOOK_MS);
      try {
        look();
      } catch (error) {
        if (!(error instanceof TooMuch)) throw error;
      }
      return new Set(programs.keys());
    },
  };
}

const POPUP_ROLES: ReadonlySet<string> = new Set([
  'window',
  'menu',
  'popup menu',
  'tool tip',
  'dialog',
  'list',
  'list box',
  'frame',
]);

/** The element that a person would say was pressed: what is acted on, where only a part of it was hit. */
function meant(way: readonly Node[]): number {
  const last = way.length - 1;
  if (ACTED_ON.has(way[last]!.role)) return last;
  for (let at = last; at > 0 && PARTS.has(way[at]!.role); at--) if (ACTED_ON.has(way[at - 1]!.role)) return at - 1;
  return last;
}

const isIn = (box: Box | null, x: number, y: number): boolean =>
  box !== null && x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

/** The part of an element's box inside its window: the box of a scrolled page reaches far beyond it. */
function seenPart(box: Box | null, { popup, bounds }: ElementWindow): Box | null {
  if (!box || !bounds || popup) return box;
  const [x, y] = [Math.max(box.x, bounds.x), Math.max(box.y, bounds.y)];
  const width = Math.min(box.x + box.width, bounds.x + bounds.width) - x;
  const height = Math.min(box.y + box.height, bounds.y + bounds.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : box;
}

/** Frames are told with or without their edges and title. */
const EDGE = 64;
function isSame(a: Box | null, b: Box | null): boolean {
  if (!a || !b) return false;
  const near = (one: number, other: number): boolean => Math.abs(one - other) <= EDGE;
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}

/** Answers are anybody's: whatever is not what the protocol says counts as not said. */
function toRef(value: Variant | undefined): Ref | null {
  if (!Array.isArray(value)) return null;
  const [bus, path] = value;
  if (typeof bus !== 'string' || typeof path !== 'string' || path.endsWith('/null')) return null;
  // They go into the text of further calls.
  return /^[\w.:-]{1,255}$/.test(bus) && /^\/[\w/]{0,1000}$/.test(path) ? { bus, path } : null;
}
function refsOf(value: Variant | undefined): Ref[] {
  return Array.isArray(value) ? value.flatMap((one) => toRef(one) ?? []) : [];
}
const FARTHEST = 100_000;
function toBox(value: Variant | undefined): Box | null {
  if (!Array.isArray(value)) return null;
  const [x, y, width, height] = value;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof width !== 'number' || typeof height !== 'number')
    return null;
  const isPlace = [x, y, width, height].every((n) => Number.isInteger(n) && Math.abs(n) <= FARTHEST);
  return isPlace && width > 0 && height > 0 ? { x, y, width, height } : null;
}
/** Signs that no name has, and space around it, are cut off. */
function textOf(value: Variant | undefined): string {
  if (typeof value !== 'string') return '';
  return value
    .slice(0, 4 * ELEMENT_NAME_LIMIT)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, ELEMENT_NAME_LIMIT);
}
