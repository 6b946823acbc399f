import { LRUCache } from 'lru-cache';
import { ELEMENT_DEPTH_LIMIT } from '../../schemas/limits.ts';
import type { AskBus } from './ask-bus.ts';
import { AtspiPrograms } from './atspi-programs.ts';
import {
  type AskedAhead,
  type AtspiBox,
  type AtspiNode,
  AtspiQuestions,
  type AtspiRef,
  isRoot,
  rootOf,
} from './atspi-questions.ts';
import { ACTED_ON, HOLDERS, OPENERS, PARTS } from './atspi-words.ts';
import { TooMuch } from './budget.ts';
import type { ElementWindow, FoundElement } from './contract.ts';
import { GTK_4, mayBeSeen, nameOfGtk4 } from './gtk4.ts';
import { isIn, meant, seenPart } from './meant.ts';

/** Children that are tried one by one where the program's own answer does not serve. */
const MOST_CHILDREN = 48;
/** So many of them are asked at once at first, then twice as many: the first that lies at the point will do. */
const AT_ONCE = 4;
/** The longest that looking for all programs takes, ms. */
const LOOK_MS = 2000;
/** A menu's way up to its window, in case it goes round in a circle. */
const MOST_ABOVE = 16;
/** A word in a button may lie a few steps below it. */
const MOST_OWNERS = 4;
/** So many calls are kept for the description of what was found while others are tried; and so many others are. */
const KEPT_CALLS = 70;
const MOST_OTHERS = 8;
/** Windows of which it is remembered what was met in them. */
const MOST_WAYS = 16;
/** Elements that were met last and may have opened something. */
const MOST_OPENERS = 6;

/**
 * AT-SPI's elements (Linux). A tree is never walked whole: each element is asked which of its children is at the point,
 * and where toolkits are known to answer that wrong, the children are tried by their own boxes. One question has a number
 * of calls and a time; a program that uses them up is asked less often, then not again.
 */
export class AtspiTree {
  readonly #ask: AtspiQuestions;
  readonly #programs: AtspiPrograms;
  readonly #facts = new Map<string, { app: string; toolkit: string }>();
  /** The way to what was met last in each program's windows, and may have opened something. */
  readonly #opened = new LRUCache<string, AtspiRef[]>({ max: MOST_WAYS });
  #openers: AtspiRef[] = [];
  /** The way that was gone last in each window. */
  readonly #ways = new LRUCache<string, AtspiRef[]>({ max: MOST_WAYS });

  constructor(call: AskBus, now: () => number = () => performance.now()) {
    this.#ask = new AtspiQuestions(call, now);
    this.#programs = new AtspiPrograms(this.#ask, now);
  }

  elementAt(x: number, y: number, window: ElementWindow): FoundElement | null {
    this.#ask.begin();
    let bus: string | null = null;
    try {
      bus = this.#programs.find(window.pid);
      if (bus === null || this.#programs.patience.rests(bus)) return null;
      const from = this.#countedFrom(bus, window);
      if (!from) return null;
      const { origin, root } = from;
      const [inside, right, down] = [counted(window, origin), x - origin.x, y - origin.y];
      this.#askLastWay(bus, inside, right, down);
      const told = root ? this.#descend(this.#ask.node(root), right, down) : this.#wayTo(bus, inside, right, down);
      const way = told && this.#smallest(told, right, down);
      const found = way ? this.#describe(bus, way, inside) : null;
      if (found?.bounds) found.bounds = shifted(found.bounds, origin);
      if (way) this.#remember(way, window);
      this.#programs.patience.hasAnswered(bus);
      return found;
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      if (bus !== null) this.#programs.patience.wasSlow(bus, this.#ask.longest);
      return null;
    }
  }

  /** A program's name on the bus; null where it is not there by now, undefined where the bus does not say in time. */
  busOf(pid: number): string | null | undefined {
    this.#ask.begin();
    try {
      return this.#programs.findNow(pid);
    } catch (error) {
      if (error instanceof TooMuch) return undefined;
      throw error;
    }
  }

  /** The process of a program on the bus that was met; null for any other. */
  pidOf(bus: string): number | null {
    return this.#programs.pidOf(bus);
  }

  /** A box as its program tells it, on the screen. `windows`: those that are there; the program's first counts. */
  onScreen(bus: string, box: AtspiBox, windows: readonly ElementWindow[]): AtspiBox {
    this.#ask.begin();
    try {
      const pid = this.#programs.pidOf(bus);
      const window = windows.find((one) => one.pid === pid);
      const from = window ? this.#countedFrom(bus, window) : null;
      return from ? shifted(box, from.origin) : box;
    } catch (error) {
      if (error instanceof TooMuch) return box;
      throw error;
    }
  }

  /** Programs on the bus by their process ids. */
  speaking(): Set<number> {
    this.#ask.begin(LOOK_MS);
    try {
      this.#programs.look();
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
    }
    return this.#programs.pids();
  }

  /**
   * The point of the screen that a program's boxes are relative to, and the element to begin with where that is known. In GTK 4
   * they are relative to the window, without the shadow around it, whatever is asked for. Null for a menu that is not found.
   */
  #countedFrom(bus: string, window: ElementWindow): { origin: Place; root: AtspiRef | null } | null {
    const { popup, bounds } = window;
    if (!bounds || !this.#isGtk4(bus)) return { origin: CORNER, root: null };
    if (popup) return this.#hangingIn(bus, bounds);
    const shadow = window.shadow?.() ?? null;
    if (shadow) return { origin: { x: bounds.x + shadow.left, y: bounds.y + shadow.top }, root: null };
    // Drawn edges are as wide on each side.
    const windows = this.#ask.children(rootOf(bus)).slice(0, MOST_CHILDREN);
    this.#ask.ahead(windows, 'role', 'box');
    const boxes = windows.flatMap((ref) => this.#ask.box(ref) ?? []);
    const { width, height } = boxes.find((box) => isSame({ ...box, x: bounds.x, y: bounds.y }, bounds)) ?? bounds;
    const edge = (outer: number, inner: number): number => Math.max(0, Math.round((outer - inner) / 2));
    return {
      origin: { x: bounds.x + edge(bounds.width, width), y: bounds.y + edge(bounds.height, height) },
      root: null,
    };
  }

  /**
   * A menu of GTK 4 is a child of what it was opened from, or of an element around that. It is known by its size, since the place
   * that GTK reports for it is that of its parent.
   */
  #hangingIn(bus: string, bounds: AtspiBox): { origin: Place; root: AtspiRef } | null {
    const way = this.#opened.get(bus) ?? [];
    const holders = way.toReversed();
    let around = way.at(-1) ?? null;
    for (let depth = 0; around && depth < MOST_OWNERS; depth++) {
      around = this.#ask.parent(around);
      if (around && !isRoot(around)) holders.push(around);
    }
    for (const holder of holders) {
      const children = this.#ask.children(holder).slice(0, MOST_CHILDREN);
      this.#ask.ahead(children, 'box');
      for (const root of children) {
        const box = this.#ask.box(root);
        if (box?.width !== bounds.width || box.height !== bounds.height) continue;
        return { origin: { x: bounds.x - box.x, y: bounds.y - box.y }, root };
      }
    }
    return null;
  }

  /**
   * Most of the way is the one of the last question in this window: all of it is asked at once, before it is known which part of
   * it is of use. Each answer that is waited for alone costs as much as ten.
   */
  #askLastWay(bus: string, window: ElementWindow, x: number, y: number): void {
    const way = this.#ways.get(window.id);
    if (!way || way[0]?.bus !== bus) return;
    const root: AskedAhead[] = window.popup ? [] : [[[rootOf(bus)], 'children']];
    this.#ask.aheadOf([...root, [way, 'role', 'box', { x, y }, 'states', 'index'], [way.slice(0, 1), 'parent']]);
  }

  /** Where the search begins. A menu hangs in the tree where it was opened from, wherever it is shown. */
  #wayTo(bus: string, window: ElementWindow, x: number, y: number): AtspiNode[] | null {
    const ask = this.#ask;
    if (window.popup) {
      for (const opener of this.#openers) {
        if (opener.bus !== bus) continue;
        const child = this.#childAt(ask.node(opener), x, y);
        if (child) return this.#descend(child, x, y);
      }
    }
    const windows = ask.children(rootOf(bus)).slice(0, MOST_CHILDREN);
    ask.ahead(windows, 'role', 'box');
    const roots = windows.map((ref) => ask.node(ref));
    const under = roots.filter(({ box }) => isIn(box, x, y));
    if (window.popup) {
      const own = under.find(({ role, box }) => POPUP_ROLES.has(role) && isSame(box, window.bounds));
      return own ? this.#descend(own, x, y) : this.#openMenu(roots, x, y);
    }
    const root =
      under.find(({ box }) => isSame(box, window.bounds)) ?? under.find(({ ref }) => this.#isShown(ref)) ?? under[0];
    return root ? this.#descend(root, x, y) : null;
  }

  /** From a window down, as far as answers go. */
  #descend(from: AtspiNode, x: number, y: number): AtspiNode[] {
    const way = [from];
    const met = new Set([from.ref.path]);
    while (way.length < ELEMENT_DEPTH_LIMIT) {
      const last = way[way.length - 1]!;
      // What it opens is shown elsewhere.
      if (last.role === 'menu' && way[way.length - 2]?.role === 'menu bar') break;
      const child = this.#childAt(last, x, y);
      if (!child || met.has(child.ref.path)) break;
      met.add(child.ref.path);
      way.push(child);
    }
    // A page that holds nothing at the point was only passed through.
    while (way.length > 1 && !isIn(way[way.length - 1]!.box, x, y)) way.pop();
    return way;
  }

  /**
   * Where a way ends at what only holds others (a table of another page, a pane over the buttons), its program may have led astray: of
   * what else is shown at the point the smallest counts.
   */
  #smallest(way: AtspiNode[], x: number, y: number): AtspiNode[] {
    const last = way[way.length - 1]!;
    if (!HOLDING.has(last.role)) return way;
    let best = way;
    let tried = 0;
    for (let level = way.length - 2; level >= 0; level--) {
      for (const ref of this.#ask.children(way[level]!.ref).slice(0, MOST_CHILDREN)) {
        // What is found must still be described.
        if (this.#ask.callsLeft < KEPT_CALLS || tried === MOST_OTHERS) return best;
        if (ref.path === way[level + 1]!.ref.path || !isIn(this.#ask.box(ref), x, y) || !this.#isShown(ref)) continue;
        tried++;
        const other = this.#descend(this.#ask.node(ref), x, y);
        if (areaOf(other) < areaOf(best)) best = [...way.slice(0, level + 1), ...other];
      }
    }
    return best;
  }

  /** The child at the point; null when there is none. */
  #childAt(parent: AtspiNode, x: number, y: number): AtspiNode | null {
    const ask = this.#ask;
    ask.ahead([parent.ref], { x, y }, 'states');
    const told = ask.at(parent.ref, x, y);
    const isTabs = parent.role === 'page tab list';
    if (told && told.path !== parent.ref.path && !isTabs) {
      // It may well be the one, and then it is asked for its own.
      ask.ahead([told], 'role', 'box', { x, y }, 'states');
      const node = ask.node(told);
      // Some answer with what lies on a page that is not in front.
      if (isIn(node.box, x, y) && this.#isShown(told)) return node;
    }
    // Theirs are made when they are asked for, without end.
    if (ask.states(parent.ref).includes('manages descendants')) return null;
    const children = ask.children(parent.ref).slice(0, MOST_CHILDREN);
    let asked = 0;
    for (const [at, ref] of children.entries()) {
      if (at === asked) {
        asked = 2 * at + AT_ONCE;
        ask.ahead(children.slice(at, asked), 'box');
      }
      if (!isIn(ask.box(ref), x, y)) continue;
      ask.ahead([ref], 'role', { x, y }, 'states');
      if (this.#isShown(ref)) return ask.node(ref);
    }
    if (!isTabs) return null;
    // A tab's own box is its label's: what it shows is in it and yet outside of its box.
    const page = ask.selected(parent.ref);
    return page ? ask.node(page) : null;
  }

  /** A menu that was opened by keys: from a menu bar along what is selected in it. */
  #openMenu(roots: readonly AtspiNode[], x: number, y: number): AtspiNode[] | null {
    for (const root of roots) {
      let item: AtspiRef | null = this.#menuBarOf(root.ref);
      for (let depth = 0; item && depth < 6; depth++) {
        item = this.#ask.selected(item);
        if (!item) break;
        const child = this.#childAt(this.#ask.node(item), x, y);
        if (child) return this.#descend(child, x, y);
      }
    }
    return null;
  }

  #menuBarOf(root: AtspiRef): AtspiRef | null {
    let level = [root];
    for (let depth = 0; depth < 4; depth++) {
      const next = level.flatMap((ref) => this.#ask.children(ref).slice(0, 8)).slice(0, 16);
      const bar = next.find((ref) => this.#ask.role(ref) === 'menu bar');
      if (bar) return bar;
      level = next;
    }
    return null;
  }

  /** Hidden elements may have a box, too. */
  #isShown(ref: AtspiRef): boolean {
    const states = this.#ask.states(ref);
    return states.length === 0 || mayBeSeen(states, () => this.#isGtk4(ref.bus));
  }

  #describe(bus: string, found: AtspiNode[], window: ElementWindow): FoundElement {
    const way = this.#withOwner(found);
    const password = way.findIndex(({ role }) => role === 'password text');
    const end = password >= 0 ? password : meant(way);
    const node = way[end]!;
    const whole = [...this.#above(way[0]!.ref), ...way.slice(0, end + 1)].slice(-ELEMENT_DEPTH_LIMIT);
    this.#ask.ahead(
      whole.map(({ ref }) => ref),
      'index',
    );
    const path = whole.map(({ ref, role }) => ({ role, index: this.#ask.index(ref) }));
    const base = {
      role: node.role,
      bounds: seenPart(node.box, window),
      source: 'atspi' as const,
      states: this.#ask.states(node.ref),
      path,
      ...this.#factsOf(bus),
    };
    // Nothing else is asked of it.
    if (password >= 0) return { ...base, name: '', description: '', withheld: true };
    this.#ask.ahead([node.ref], 'name', 'description');
    const name = this.#ask.text(node.ref, 'name') || this.#labelOf(way.slice(Math.max(0, end - 1), end + 1));
    return {
      ...base,
      name: this.#isGtk4(bus) ? nameOfGtk4(name) : name,
      description: this.#ask.text(node.ref, 'description'),
    };
  }

  /** The name of a field without one: that of its label, or of the label of what it is a part of, such as a combo box. */
  #labelOf(way: readonly AtspiNode[]): string {
    const refs = way.map(({ ref }) => ref).reverse();
    this.#ask.ahead(refs, 'relations');
    for (const ref of refs) {
      const label = this.#ask.labelOf(ref);
      const name = label?.bus === ref.bus ? this.#ask.text(label, 'name').replace(/:$/, '') : '';
      if (name !== '') return name;
    }
    return '';
  }

  /** Chromium answers with the innermost thing at once: what it is a part of is asked of it, as far as it may be one. */
  #withOwner(way: AtspiNode[]): AtspiNode[] {
    const last = way[way.length - 1]!;
    const before = way[way.length - 2];
    const between: AtspiNode[] = [];
    let node = last;
    while (PARTS.has(node.role) && between.length < MOST_OWNERS) {
      const parent = this.#ask.parent(node.ref);
      if (!parent || parent.bus !== last.ref.bus || parent.path === before?.ref.path) return way;
      node = this.#ask.node(parent);
      between.unshift(node);
    }
    return ACTED_ON.has(node.role) ? [...way.slice(0, -1), ...between, last] : way;
  }

  /** From the window down to where the search began. */
  #above(from: AtspiRef): { ref: AtspiRef; role: string }[] {
    const way: { ref: AtspiRef; role: string }[] = [];
    let ref = from;
    for (let depth = 0; depth < MOST_ABOVE; depth++) {
      const parent = this.#ask.parent(ref);
      if (!parent || parent.bus !== from.bus || isRoot(parent)) break;
      way.unshift({ ref: parent, role: this.#ask.role(parent) });
      ref = parent;
    }
    return way;
  }

  #isGtk4(bus: string): boolean {
    return this.#factsOf(bus).toolkit === GTK_4;
  }

  #factsOf(bus: string): { app: string; toolkit: string } {
    const before = this.#facts.get(bus);
    if (before) return before;
    const root = rootOf(bus);
    const read = {
      app: this.#ask.text(root, 'name').slice(0, 200),
      toolkit: this.#ask.text(root, 'toolkit').slice(0, 200),
    };
    this.#facts.set(bus, read);
    return read;
  }

  #remember(way: readonly AtspiNode[], window: ElementWindow): void {
    this.#ways.set(
      window.id,
      way.map(({ ref }) => ref),
    );
    const bus = way[0]?.ref.bus;
    if (bus !== undefined && !window.popup)
      this.#opened.set(
        bus,
        way.map(({ ref }) => ref),
      );
    for (const { ref, role } of way) {
      if (!OPENERS.has(role)) continue;
      const others = this.#openers.filter(({ bus, path }) => bus !== ref.bus || path !== ref.path);
      this.#openers = [ref, ...others].slice(0, MOST_OPENERS);
    }
  }
}

const areaOf = (way: readonly AtspiNode[]): number => {
  const box = way[way.length - 1]?.box;
  return box ? box.width * box.height : Number.POSITIVE_INFINITY;
};

type Place = { x: number; y: number };
const CORNER: Place = { x: 0, y: 0 };
const shifted = (box: AtspiBox, by: Place): AtspiBox => ({ ...box, x: box.x + by.x, y: box.y + by.y });
/** The window with its place counted from `origin`. */
const counted = (window: ElementWindow, origin: Place): ElementWindow =>
  window.bounds ? { ...window, bounds: shifted(window.bounds, { x: -origin.x, y: -origin.y }) } : window;

/** A person presses in one of them, and means something that it holds. */
const HOLDING: ReadonlySet<string> = new Set([
  ...HOLDERS,
  ...['table', 'tree table', 'tree', 'list box', 'page tab list', 'page tab', 'frame', 'window', 'dialog'],
]);

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

/** Frames are told with or without their edges and title. */
const EDGE = 64;
function isSame(a: AtspiBox | null, b: AtspiBox | null): boolean {
  if (!a || !b) return false;
  const near = (one: number, other: number): boolean => Math.abs(one - other) <= EDGE;
  return near(a.x, b.x) && near(a.y, b.y) && near(a.width, b.width) && near(a.height, b.height);
}
