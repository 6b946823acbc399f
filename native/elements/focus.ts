import { LRUCache } from 'lru-cache';
import type { AskBus } from './ask-bus.ts';
import { type AtspiRef, isRef } from './atspi-questions.ts';
import { askFocus, NoAnswer } from './focus-questions.ts';

/**
 * Which object has the keyboard, by AT-SPI, as far as that is told: programs say when the focus moves, and where the caret is
 * in the text that is being typed. Only when neither was heard of a program its window is searched, within bounds.
 */
export type FocusFollower = {
  /** A signal of a program: its focus moved onto the object or off it, or a caret moved in it. */
  heard(bus: string, path: string, what: 'focused' | 'left' | 'caret'): void;
  /** Changes whenever the keyboard may be somewhere else by what was heard. */
  version(): number;
  /** Changes when the focus moved by what was heard. A caret only shows where it is. */
  moves(): number;
  /** Whether the object that has the keyboard in this program is a field for passwords. `bus`: null for one that is not there. */
  kindIn(bus: string | null): FocusKind;
  /** Why the last `kindIn` was `password`. */
  why(): 'field' | 'was-field';
  /** Whether letters of a field for passwords can be read on the screen now; null: there is none, or nobody says. */
  isShown(): boolean | null;
  /** A signal of a program: this object has another role now. */
  roleChanged(bus: string, path: string): void;
  /** The longest that the program took for a single answer of the last `kindIn`, ms. */
  slowest(): number;
  /** The object that has the keyboard in this program, where it is a field that is written in and none for passwords. */
  fieldIn(bus: string): string | null;
  /** The object that any program told of last. Nobody is asked: that it has the focus is not looked up, which open menus deny. */
  last(): AtspiRef | null;
  /** Whether this is a part of a menu, or gone, as menus of some toolkits are once something was chosen. */
  isMenu(ref: AtspiRef): boolean;
};

/**
 * `open`: no field for passwords, or nobody tells (the program is silent, or says of nothing that it has the focus).
 * `unanswered`: the program speaks, but did not answer in time. `resting`: it is not to be asked again so soon, and nothing was
 * heard that would tell.
 */
export type FocusKind = 'password' | 'open' | 'unanswered' | 'resting';

/** A program is searched again after so many times as long as it took: a window that tells nothing is not kept busy. */
const REST = 4;
/** The longest such rest, ms. */
const MOST_REST_MS = 1000;
/** Programs whose last focus is remembered. */
const MOST_PROGRAMS = 200;

const MENUS: ReadonlySet<string> = new Set([
  ...['menu', 'menu bar', 'popup menu', 'menu item', 'check menu item', 'radio menu item', 'tear off menu item'],
]);

const nothing = (): null => null;
const yes = (): boolean => true;

export function followFocus(call: AskBus, now: () => number = () => performance.now()): FocusFollower {
  const { inTime, slowest, roleOf, statesOf, secretOf, isLastShown, roleChanged, search } = askFocus(call, now);
  /** The last object that was told of each program, the program that told last first. */
  const told = new LRUCache<string, string>({ max: MOST_PROGRAMS });
  /** Until when programs are not searched again, for what kind of field it is and for one that is written in. */
  const resting = {
    kind: new LRUCache<string, number>({ max: MOST_PROGRAMS }),
    field: new LRUCache<string, number>({ max: MOST_PROGRAMS }),
  };
  let version = 0;
  let moves = 0;
  let last: AtspiRef | null = null;
  let why: 'field' | 'was-field' = 'field';

  /** Searches a program for its focus; throws NoAnswer while it must not be searched again yet, whatever the last search found. */
  function searchAgain(bus: string, wanted: keyof typeof resting): AtspiRef | null {
    const began = now();
    if (began < (resting[wanted].get(bus) ?? began)) throw new NoAnswer(true);
    try {
      return search(bus);
    } finally {
      const took = now() - began;
      resting[wanted].set(bus, began + took + Math.min(took * REST, MOST_REST_MS));
    }
  }
  /** The object reported last, if it still says that it has the focus. */
  function focusIn(bus: string, wanted: keyof typeof resting): AtspiRef | null {
    const path = told.peek(bus);
    if (path !== undefined) {
      const ref = { bus, path };
      const states = statesOf(ref);
      if (states?.includes('focused')) return ref;
      told.delete(bus);
    }
    const found = searchAgain(bus, wanted);
    if (found) told.set(bus, found.path);
    return found;
  }

  return {
    heard(bus, path, what) {
      if (!isRef(bus, path)) return;
      if (what !== 'caret') moves++;
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
      // What a search found before is old now: where the told object does not say itself that it has the focus (some programs
      // tell before they have moved it), it is searched for, however soon.
      if (what !== 'caret') resting.kind.delete(bus);
      version++;
    },
    version: () => version,
    moves: () => moves,
    kindIn: (bus) =>
      inTime<FocusKind>(
        ({ isResting }) => (isResting ? 'resting' : 'unanswered'),
        () => {
          // A program in a box of its own may be known by another process: then the last that told counts.
          const focus = bus === null ? lastTold() : focusIn(bus, 'kind');
          const secret = focus && secretOf(focus);
          if (secret) why = secret;
          return secret ? 'password' : 'open';
        },
      ),
    why: () => why,
    isShown: () => inTime(nothing, isLastShown),
    roleChanged(bus, path) {
      if (isRef(bus, path)) roleChanged({ bus, path });
    },
    slowest,
    fieldIn: (bus) =>
      inTime(nothing, () => {
        const focus = focusIn(bus, 'field');
        return focus && isWritten(focus) ? focus.path : null;
      }),
    last: () => last,
    isMenu: (ref) =>
      inTime(yes, () => {
        const role = roleOf(ref);
        return role === null || MENUS.has(role);
      }),
  };

  function isWritten(ref: AtspiRef): boolean {
    const states = statesOf(ref);
    // A terminal's text is changed by what its programs print, not only by what is typed.
    return states?.includes('editable') === true && roleOf(ref) !== 'terminal' && secretOf(ref) === null;
  }

  function lastTold(): AtspiRef | null {
    const [last] = told.entries();
    if (!last) return null;
    const ref = { bus: last[0], path: last[1] };
    return statesOf(ref)?.includes('focused') ? ref : null;
  }
}
