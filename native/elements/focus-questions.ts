import { LRUCache } from 'lru-cache';
import type { Arg } from '../bus/dbus-values.ts';
import type { Variant } from '../bus/gvariant.ts';
import { believedBox } from './answers.ts';
import { type AskBus, askOne } from './ask-bus.ts';
import { type AtspiBox, type AtspiRef, refsOf, toRef } from './atspi-questions.ts';
import { roleWord, stateWords } from './atspi-words.ts';
import { FIRST_LETTER, GTK_4, hidesLetters, mayBeSeen } from './gtk4.ts';

/** The questions of focus.ts to one program, each of which ends in time. */

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const TEXT = 'org.a11y.atspi.Text';
const APPLICATION = 'org.a11y.atspi.Application';
const ROOT = '/org/a11y/atspi/accessible/root';
/** Programs of which it is kept what they are made with. */
const MOST_TOOLKITS = 200;
/** The longest that a program may take for one answer, and for all of a question's, ms: a search has many, a busy machine slow ones. */
export const FOCUS_MS = 300;
const QUESTION_MS = 900;
/** The most objects that a search asks. */
export const MOST_SEARCHED = 60;
const MOST_CHILDREN = 24;
/** A field may be made of parts, of which one has the focus. */
const MOST_ABOVE = 2;
/** How long it is believed that an object is no such part, ms: at each key the same would be asked. */
const REMEMBER_MS = 5000;
/** Objects that are known to be no part of a field for passwords. */
const MOST_PLAIN = 200;
/** Fields for passwords that were met. */
const MOST_FIELDS = 1000;
/** A field made anew in place of another (Firefox does, where letters are to be shown) lies where that lay, px. */
const SAME_PLACE = 3;
const COMPONENT = 'org.a11y.atspi.Component';
/** Counted from the window. */
const IN_WINDOW: readonly Arg[] = [{ uint32: 1 }];

/** The program did not answer in time, or (`isResting`) is not to be asked again so soon. */
export class NoAnswer extends Error {
  readonly isResting: boolean;
  constructor(isResting = false) {
    super(isResting ? 'not asked again so soon' : 'no answer in time');
    this.isResting = isResting;
  }
}

export function askFocus(call: AskBus, now: () => number) {
  /** Objects found to be no part of a password field, and when. */
  const plain = new LRUCache<string, number>({ max: MOST_PLAIN });
  /** Fields for passwords that were met, and where they lay in their windows: once one, always one in this recording. */
  const fields = new LRUCache<string, { ref: AtspiRef; box: AtspiBox | null }>({ max: MOST_FIELDS });
  /** Fields that changed their role, as those do whose letters are shown. */
  const changed = new LRUCache<string, true>({ max: MOST_FIELDS });
  let lastField: AtspiRef | null = null;
  const toolkits = new LRUCache<string, string>({ max: MOST_TOOLKITS });
  let deadline = 0;
  let slowest = 0;

  /** The result of `look` within the time of one question; `otherwise` when there is no answer. */
  function inTime<T>(otherwise: (no: NoAnswer) => T, look: () => T): T {
    slowest = 0;
    deadline = now() + QUESTION_MS;
    try {
      return look();
    } catch (error) {
      if (error instanceof NoAnswer) return otherwise(error);
      throw error;
    }
  }

  /** Undefined: the program answered that it cannot. Throws NoAnswer. */
  function ask({ bus, path }: AtspiRef, face: string, method: string, args: readonly Arg[] = []): Variant | undefined {
    const asked = now();
    const left = Math.min(deadline - asked, FOCUS_MS);
    if (left <= 0) throw new NoAnswer();
    try {
      return askOne(call, { to: { name: bus, path, face }, method, args }, Math.max(1, Math.ceil(left)))[0];
    } catch (error) {
      if (now() - asked >= left) throw new NoAnswer();
      if (error instanceof Error) return undefined;
      throw error;
    } finally {
      slowest = Math.max(slowest, now() - asked);
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
  function isMadeWith(toolkit: string, bus: string): boolean {
    const before = toolkits.get(bus);
    if (before !== undefined) return before === toolkit;
    const said = ask({ bus, path: ROOT }, PROPERTIES, 'Get', [APPLICATION, 'ToolkitName']);
    if (typeof said !== 'string') return false;
    toolkits.set(bus, said);
    return said === toolkit;
  }
  /** Not kept: an empty field shows nothing. */
  function hidesItsLetters(ref: AtspiRef): boolean {
    return isMadeWith(GTK_4, ref.bus) && hidesLetters(ask(ref, TEXT, 'GetStringAtOffset', FIRST_LETTER));
  }
  /** `field`: a field for passwords, or a part of one. `was-field`: it was one before, and its letters may be shown now. */
  function secretOf(ref: AtspiRef): 'field' | 'was-field' | null {
    const key = ref.bus + ref.path;
    const role = roleOf(ref);
    // Its own role may change: letters can be shown.
    if (role === 'password text' || hidesItsLetters(ref)) return remember(ref);
    if (fields.has(key) || (changed.has(key) && role !== null && WRITTEN.has(role))) {
      lastField = ref;
      return 'was-field';
    }
    if (now() - (plain.get(key) ?? Number.NEGATIVE_INFINITY) < REMEMBER_MS) return null;
    let at: AtspiRef | null = ref;
    for (let up = 0; at && up < MOST_ABOVE; up++) {
      at = toRef(ask(at, PROPERTIES, 'Get', [ACCESSIBLE, 'Parent']));
      if (!at || at.path === ROOT) break;
      if (roleOf(at) === 'password text') return remember(ref);
      if (fields.has(at.bus + at.path)) return 'was-field';
    }
    if (role !== null && WRITTEN.has(role) && liesWhereOneWas(ref)) {
      fields.set(key, { ref, box: null });
      lastField = ref;
      return 'was-field';
    }
    plain.set(key, now());
    return null;
  }
  function remember(ref: AtspiRef): 'field' {
    const key = ref.bus + ref.path;
    lastField = ref;
    if (!fields.get(key)?.box) fields.set(key, { ref, box: boxOf(ref) });
    return 'field';
  }
  const boxOf = (ref: AtspiRef): AtspiBox | null => {
    const said = ask(ref, COMPONENT, 'GetExtents', IN_WINDOW);
    return Array.isArray(said) ? believedBox(said) : null;
  };
  /** Not a field of this path, but one at the place of one. */
  function liesWhereOneWas(ref: AtspiRef): boolean {
    const boxes = [...fields.values()].flatMap((one) => (one.ref.bus === ref.bus && one.box ? [one.box] : []));
    const box = boxes.length > 0 ? boxOf(ref) : null;
    return box !== null && boxes.some((one) => isNear(one, box));
  }
  /** Whether the letters of the field for passwords that was met last can be read on the screen now; null: nobody says. */
  function isLastShown(): boolean | null {
    if (!lastField) return null;
    const role = roleOf(lastField);
    const states = role === null ? null : statesOf(lastField);
    if (role === null || states === null) {
      lastField = null;
      return null;
    }
    if (role === 'password text' || hidesItsLetters(lastField)) return false;
    const { bus } = lastField;
    const letters = ask(lastField, PROPERTIES, 'Get', [TEXT, 'CharacterCount']);
    return typeof letters === 'number' && letters > 0 && mayBeSeen(states, () => isMadeWith(GTK_4, bus));
  }

  /** The object that says it has the focus, where it is among the first of the program's window. */
  function search(bus: string): AtspiRef | null {
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
      if (!states || states.includes('manages descendants')) continue;
      if (!mayBeSeen(states, () => isMadeWith(GTK_4, bus))) continue;
      const children = refsOf(ask(ref, ACCESSIBLE, 'GetChildren'));
      for (const child of children.slice(0, MOST_CHILDREN)) queue.push(child);
    }
    return null;
  }

  return {
    inTime,
    slowest: () => slowest,
    roleOf,
    statesOf,
    secretOf,
    isLastShown,
    /** A program told that this object has another role now. */
    roleChanged: ({ bus, path }: AtspiRef): void => void changed.set(bus + path, true),
    search,
  };
}

/** Roles of fields that one writes in. */
const WRITTEN: ReadonlySet<string> = new Set(['text', 'entry', 'password text', 'editbar']);

const isNear = (one: AtspiBox, other: AtspiBox): boolean =>
  (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) <= SAME_PLACE);
