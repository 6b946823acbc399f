import type { Address } from '../bus/gio.ts';
import type { Variant } from '../bus/gvariant.ts';
import { believedBox, cleanText } from './answers.ts';
import { roleWord, stateWords } from './atspi-words.ts';
import { MOST_CALLS, MOST_MS, TooMuch } from './budget.ts';

/** AT-SPI's questions (Linux), one call to the bus each, and what is believed of the answers. */

/** A call to the bus, waiting no longer than `withinMs`. Throws what the bus throws. */
export type AskBus = (to: Address, method: string, args: string, withinMs: number) => readonly Variant[];

/** An object on the bus: its program's name there, and its path. */
export type AtspiRef = { bus: string; path: string };
export type AtspiBox = { x: number; y: number; width: number; height: number };
export type AtspiNode = { ref: AtspiRef; role: string; box: AtspiBox | null };

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const COMPONENT = 'org.a11y.atspi.Component';
const SELECTION = 'org.a11y.atspi.Selection';
const APPLICATION = 'org.a11y.atspi.Application';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const BUS: Address = { name: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', face: 'org.freedesktop.DBus' };
export const REGISTRY: AtspiRef = { bus: 'org.a11y.atspi.Registry', path: '/org/a11y/atspi/accessible/root' };

/** How long roles and places among siblings are believed, ms. */
const REMEMBER_MS = 5000;

const SCREEN = 'uint32 0';

/** The object that a program's windows hang below. */
export const rootOf = (bus: string): AtspiRef => ({ bus, path: REGISTRY.path });
export const isRoot = ({ path }: AtspiRef): boolean => path === REGISTRY.path;

/** Asks within what one question may cost (`begin`); each of the others throws TooMuch beyond it. */
export class AtspiQuestions {
  readonly #call: AskBus;
  readonly #now: () => number;
  readonly #roles = new Map<string, number>();
  readonly #places = new Map<string, number>();
  #rememberedAt = Number.NEGATIVE_INFINITY;
  #calls = 0;
  #mostCalls = MOST_CALLS;
  #longest = 0;
  #deadline = 0;

  constructor(call: AskBus, now: () => number) {
    this.#call = call;
    this.#now = now;
  }

  begin(ms = MOST_MS, calls = MOST_CALLS): void {
    this.#calls = 0;
    this.#mostCalls = calls;
    this.#longest = 0;
    this.#deadline = this.#now() + ms;
    if (this.#now() - this.#rememberedAt < REMEMBER_MS) return;
    this.#rememberedAt = this.#now();
    this.#roles.clear();
    this.#places.clear();
  }

  /** The longest that a single answer took since `begin`, ms. */
  get longest(): number {
    return this.#longest;
  }

  /** Programs on the bus, by their roots. Throws TooMuch where the registry does not say: that is not the same as none. */
  programs(): AtspiRef[] {
    const answer = this.#ask(REGISTRY, ACCESSIBLE, 'GetChildren');
    if (!Array.isArray(answer)) throw new TooMuch();
    return refsOf(answer);
  }

  /** Waits until the bus has handed on what had been sent to it before. */
  settle(): void {
    this.pidOf(BUS.name);
  }

  /** The process of a program; null when the bus does not say. */
  pidOf(bus: string): number | null {
    const ref = { bus: BUS.name, path: BUS.path };
    const pid = this.#ask(ref, BUS.face, 'GetConnectionUnixProcessID', `('${bus}',)`);
    return typeof pid === 'number' ? pid : null;
  }

  box(ref: AtspiRef): AtspiBox | null {
    return toBox(this.#ask(ref, COMPONENT, 'GetExtents', `(${SCREEN},)`));
  }

  children(ref: AtspiRef): AtspiRef[] {
    return refsOf(this.#ask(ref, ACCESSIBLE, 'GetChildren'));
  }

  role(ref: AtspiRef): string {
    return roleWord(this.#remembered(this.#roles, ref, 'GetRole'));
  }

  /** Its place among its siblings; -1 when it is not said. */
  index(ref: AtspiRef): number {
    return Math.max(-1, this.#remembered(this.#places, ref, 'GetIndexInParent'));
  }

  node(ref: AtspiRef): AtspiNode {
    return { ref, role: this.role(ref), box: this.box(ref) };
  }

  states(ref: AtspiRef): string[] {
    const states = this.#ask(ref, ACCESSIBLE, 'GetState');
    return Array.isArray(states) ? stateWords(states.map(Number)) : [];
  }

  /** Hidden elements may have a box, too. */
  isShown(ref: AtspiRef): boolean {
    const states = this.states(ref);
    return states.length === 0 || states.includes('showing');
  }

  selected(ref: AtspiRef): AtspiRef | null {
    return toRef(this.#ask(ref, SELECTION, 'GetSelectedChild', '(0,)'));
  }

  /** The element at the point, by the program's own answer. */
  at(ref: AtspiRef, x: number, y: number): AtspiRef | null {
    return toRef(this.#ask(ref, COMPONENT, 'GetAccessibleAtPoint', `(${x}, ${y}, ${SCREEN})`));
  }

  parent(ref: AtspiRef): AtspiRef | null {
    return toRef(this.#property(ref, ACCESSIBLE, 'Parent'));
  }

  text(ref: AtspiRef, property: 'Name' | 'Description'): string {
    return cleanText(this.#property(ref, ACCESSIBLE, property));
  }

  /** The toolkit that a program was made with. */
  toolkit(ref: AtspiRef): string {
    return cleanText(this.#property(ref, APPLICATION, 'ToolkitName'));
  }

  /** One by one: a program made with Qt 5 crashes when it is asked for all properties at once. */
  #property(ref: AtspiRef, face: string, name: string): Variant | undefined {
    return this.#ask(ref, PROPERTIES, 'Get', `('${face}', '${name}')`);
  }

  /** The same for a while: one question after the other goes down the same way. */
  #remembered(memory: Map<string, number>, ref: AtspiRef, method: string): number {
    const key = ref.bus + ref.path;
    const before = memory.get(key);
    if (before !== undefined) return before;
    const told = this.#ask(ref, ACCESSIBLE, method);
    const value = typeof told === 'number' && Number.isInteger(told) ? told : -1;
    memory.set(key, value);
    return value;
  }

  #ask(ref: AtspiRef, face: string, method: string, args = '()'): Variant | undefined {
    const asked = this.#now();
    const left = this.#deadline - asked;
    if (++this.#calls > this.#mostCalls || left <= 0) throw new TooMuch();
    try {
      return this.#call({ name: ref.bus, path: ref.path, face }, method, args, Math.max(1, Math.ceil(left)))[0];
    } catch (error) {
      if (this.#now() >= this.#deadline) throw new TooMuch();
      if (error instanceof Error) return undefined;
      throw error;
    } finally {
      this.#longest = Math.max(this.#longest, this.#now() - asked);
    }
  }
}

/** Whether these name an object. They go into the text of further calls. */
export const isRef = (bus: string, path: string): boolean =>
  /^[\w.:-]{1,255}$/.test(bus) && /^\/[\w/]{0,1000}$/.test(path) && !path.endsWith('/null');

/** Answers are anybody's: whatever is not what the protocol says counts as not said. */
export function toRef(value: Variant | undefined): AtspiRef | null {
  if (!Array.isArray(value)) return null;
  const [bus, path] = value;
  return typeof bus === 'string' && typeof path === 'string' && isRef(bus, path) ? { bus, path } : null;
}
export function refsOf(value: Variant | undefined): AtspiRef[] {
  return Array.isArray(value) ? value.flatMap((one) => toRef(one) ?? []) : [];
}
const toBox = (value: Variant | undefined): AtspiBox | null => (Array.isArray(value) ? believedBox(value) : null);
