import { LRUCache } from 'lru-cache';
import type { Variant } from '../bus/gvariant.ts';
import { type AskBus, type AtspiRef, isRef, refsOf, toRef } from './atspi-questions.ts';
import { roleWord, stateWords } from './atspi-words.ts';

/**
 * Which object has the keyboard, by AT-SPI, as far as that is told: programs say when the focus moves, and where the caret is
 * in the text that is being typed. Only when neither was heard of a program its window is searched, within bounds.
 */
export type FocusFollower = {
  /** A signal of a program: its focus moved onto the object or off it, or a caret moved in it. */
  heard(bus: string, path: string, what: 'focused' | 'left' | 'caret'): void;
  /** Changes whenever the keyboard may be somewhere else by what was heard. */
  version(): number;
  /** Whether the object that has the keyboard in this program is a field for passwords. `bus`: null for one that is not there. */
  kindIn(bus: string | null): FocusKind;
  /** The object that has the keyboard in this program, where it is a field that is written in and none for passwords. */
  fieldIn(bus: string): string | null;
  /** The object that any program told of last. Nobody is asked: that it has the focus is not looked up, which open menus deny. */
  last(): AtspiRef | null;
  /** Whether this is a part of a menu, or gone, as menus of some toolkits are once something was chosen. */
  isMenu(ref: AtspiRef): boolean;
};

/**
 * `open`: no field for passwords, or nobody tells (the program is silent, or says of nothing that it has the focus).
 * `unanswered`: the program speaks, but did not answer in time.
 */
export type FocusKind = 'password' | 'open' | 'unanswered';

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const ROOT = '/org/a11y/atspi/accessible/root';
/** The longest that one question may take, ms. */
export const FOCUS_MS = 300;
/** The most objects that a search asks, and how often a window that told nothing is searched, ms. */
export const MOST_SEARCHED = 60;
const SEARCH_AGAIN_MS = 1000;
const MOST_CHILDREN = 24;
/** A field may be made of parts, of which one has the focus. */
const MOST_ABOVE = 2;
/** How long it is believed that an object is no such part, ms: at each key the same would be asked. */
const REMEMBER_MS = 5000;
/** Programs whose last focus is remembered. */
const MOST_PROGRAMS = 200;

const MENUS: ReadonlySet<string> = new Set([
  ...['menu', 'menu bar', 'popup menu', 'menu item', 'check menu item', 'radio menu item', 'tear off menu item'],
]);

class NoAnswer extends Error {}

export function followFocus(call: AskBus, now: () => number = () => performance.now()): FocusFollower {
  /** The last object that was told of each program, the program that told last first. */
  const told = new LRUCache<string, string>({ max: MOST_PROGRAMS });
  const searched = new LRUCache<string, number>({ max: MOST_PROGRAMS });
  /** Objects found to be no part of a password field, and when. */
  const plain = new LRUCache<string, number>({ max: MOST_PROGRAMS });
  let version = 0;
  let deadline = 0;
  let last: AtspiRef | null = null;

  /** Undefined: the program answered that it cannot. Throws NoAnswer. */
  function ask({ bus, path }: AtspiRef, face: string, method: string, args = '()'): Variant | undefined {
    const left = deadline - now();
    if (left <= 0) throw new NoAnswer();
    try {
      return call({ name: bus, path, face }, method, args, Math.max(1, Math.ceil(left)))[0];
    } catch (error) {
      if (now() >= deadline) throw new NoAnswer();
      if (error instanceof Error) return undefined;
      throw error;
    }
  }
  function roleOf(ref: AtspiRef): string | null {
    const role = ask(ref, ACCESSIBLE, 'GetRole');
    return typeof role === 'number' ? roleWord(role) : null;
  }
  function statesOf(ref: AtspiRef): string[] | null {
    const states = ask(ref, ACCESSIBLE, 'GetState');
    return Array.isArray(states) ? stateWords(states.map(Number)) : null;
  }
  function isPassword(ref: AtspiRef): boolean {
    // Its own role may change: letters can be shown.
    if (roleOf(ref) === 'password text') return true;
    const key = ref.bus + ref.path;
    if (now() - (plain.get(key) ?? Number.NEGATIVE_INFINITY) < REMEMBER_MS) return false;
    let at: AtspiRef | null = ref;
    for (let up = 0; at && up < MOST_ABOVE; up++) {
      at = toRef(ask(at, PROPERTIES, 'Get', `('${ACCESSIBLE}', 'Parent')`));
      if (!at || at.path === ROOT) break;
      if (roleOf(at) === 'password text') return true;
    }
    plain.set(key, now());
    return false;
  }

  /** The object that says it has the focus, where it is among the first of the program's window. */
  function search(bus: string): AtspiRef | null {
    const before = searched.get(bus);
    if (before !== undefined && now() - before < SEARCH_AGAIN_MS) return null;
    searched.set(bus, now());
    const windows = refsOf(ask({ bus, path: ROOT }, ACCESSIBLE, 'GetChildren')).slice(0, MOST_CHILDREN);
    const met = new Set<string>();
    // One that is active has the keyboard; it is searched alone.
    const active = windows.find((ref) => statesOf(ref)?.includes('active'));
    const queue = active ? [active] : [...windows];
    for (let ref = queue.shift(); ref && met.size < MOST_SEARCHED; ref = queue.shift()) {
      if (ref.bus !== bus || met.has(ref.path)) continue;
      met.add(ref.path);
      const states = statesOf(ref);
      if (states?.includes('focused')) return ref;
      // Theirs are made when they are asked for, without end; what is hidden has no focus.
      if (!states || states.includes('manages descendants') || !states.includes('showing')) continue;
      const children = refsOf(ask(ref, ACCESSIBLE, 'GetChildren'));
      for (const child of children.slice(0, MOST_CHILDREN)) queue.push(child);
    }
    return null;
  }

  /** The object reported last, if it still says that it has the focus. */
  function focusIn(bus: string): AtspiRef | null {
    const path = told.peek(bus);
    if (path !== undefined) {
      const ref = { bus, path };
      const states = statesOf(ref);
      if (states?.includes('focused')) return ref;
      told.delete(bus);
    }
    const found = search(bus);
    if (found) told.set(bus, found.path);
    return found;
  }

  return {
    heard(bus, path, what) {
      if (!isRef(bus, path)) return;
      if (what !== 'left') last = { bus, path };
      else if (last?.bus === bus && last.path === path) last = null;
      if (what === 'left') {
        if (told.peek(bus) !== path) return;
        told.delete(bus);
      } else {
        // A caret may move where nobody types; it counts where nothing else is known.
        if (what === 'caret' && told.has(bus)) return;
        told.set(bus, path);
      }
      version++;
    },
    version: () => version,
    kindIn: (bus) =>
      inTime<FocusKind>(bus === null ? 'open' : 'unanswered', () => {
        // A program in a box of its own may be known by another process: then the last that told counts.
        const focus = bus === null ? lastTold() : focusIn(bus);
        return focus && isPassword(focus) ? 'password' : 'open';
      }),
    fieldIn: (bus) =>
      inTime(null, () => {
        const focus = focusIn(bus);
        return focus && isWritten(focus) ? focus.path : null;
      }),
    last: () => last,
    isMenu: (ref) =>
      inTime(true, () => {
        const role = roleOf(ref);
        return role === null || MENUS.has(role);
      }),
  };

  /** The result of `look` within the time of one question; `otherwise` when the program does not answer in time. */
  function inTime<T>(otherwise: T, look: () => T): T {
    deadline = now() + FOCUS_MS;
    try {
      return look();
    } catch (error) {
      if (error instanceof NoAnswer) return otherwise;
      throw error;
    }
  }

  function isWritten(ref: AtspiRef): boolean {
    const states = statesOf(ref);
    // A terminal's text is changed by what its programs print, not only by what is typed.
    return states?.includes('editable') === true && roleOf(ref) !== 'terminal' && !isPassword(ref);
  }

  function lastTold(): AtspiRef | null {
    const [last] = told.entries();
    if (!last) return null;
    const ref = { bus: last[0], path: last[1] };
    return statesOf(ref)?.includes('focused') ? ref : null;
  }
}
