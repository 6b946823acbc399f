import type { Arg } from '../bus/dbus-values.ts';
import type { Address } from '../bus/gio.ts';
import type { Variant } from '../bus/gvariant.ts';
import { believedBox, cleanText } from './answers.ts';
import type { AskBus } from './ask-bus.ts';
import { roleWord, stateWords } from './atspi-words.ts';
import { MOST_CALLS, MOST_MS, TooMuch } from './budget.ts';

/** AT-SPI's questions (Linux), one call to the bus each, and what is believed of the answers. */

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

/** One call to an object. */
type Call = { ref: AtspiRef; face: string; method: string; args: readonly Arg[] };
type Point = { x: number; y: number };

/** A relation's kind by its number. */
const LABELLED_BY = 2;
const SCREEN: Arg = { uint32: 0 };
const of = (face: string, method: string, args: readonly Arg[] = []): Omit<Call, 'ref'> => ({ face, method, args });
/** One by one: a program made with Qt 5 crashes when it is asked for all properties at once. */
const property = (face: string, name: string): Omit<Call, 'ref'> => of(PROPERTIES, 'Get', [face, name]);
const CALLS = {
  box: of(COMPONENT, 'GetExtents', [SCREEN]),
  role: of(ACCESSIBLE, 'GetRole'),
  index: of(ACCESSIBLE, 'GetIndexInParent'),
  states: of(ACCESSIBLE, 'GetState'),
  children: of(ACCESSIBLE, 'GetChildren'),
  parent: property(ACCESSIBLE, 'Parent'),
  name: property(ACCESSIBLE, 'Name'),
  description: property(ACCESSIBLE, 'Description'),
  toolkit: property(APPLICATION, 'ToolkitName'),
  relations: of(ACCESSIBLE, 'GetRelationSet'),
  selected: of(SELECTION, 'GetSelectedChild', [0]),
} as const;
type What = keyof typeof CALLS;
/** These objects, and what each of them is asked for. */
export type AskedAhead = [refs: readonly AtspiRef[], ...what: (What | Point)[]];
const callOf = (ref: AtspiRef, what: What | Point): Call => ({
  ref,
  ...(typeof what === 'string' ? CALLS[what] : of(COMPONENT, 'GetAccessibleAtPoint', [what.x, what.y, SCREEN])),
});
const keyOf = ({ ref, face, method, args }: Call): string => `${ref.bus}${ref.path} ${face}.${method} ${args.join()}`;
/** One question after the other goes down the same way. */
const KEPT: ReadonlySet<string> = new Set<string>([CALLS.role.method, CALLS.index.method]);

/** The object that a program's windows hang below. */
export const rootOf = (bus: string): AtspiRef => ({ bus, path: REGISTRY.path });
export const isRoot = ({ path }: AtspiRef): boolean => path === REGISTRY.path;

/**
 * Asks within what one question may cost (`begin`); each of the others throws TooMuch beyond it. Within one question nothing is
 * asked twice: what was asked `ahead` together costs no way to the program of its own any more.
 */
export class AtspiQuestions {
  readonly #call: AskBus;
  readonly #now: () => number;
  /** Answers of this question, and those that are believed for longer. Undefined: it was not said. */
  readonly #said = new Map<string, Variant | undefined>();
  readonly #kept = new Map<string, Variant | undefined>();
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
    this.#said.clear();
    if (this.#now() - this.#rememberedAt < REMEMBER_MS) return;
    this.#rememberedAt = this.#now();
    this.#kept.clear();
  }

  /** The longest that a single answer took since `begin`, ms. */
  get longest(): number {
    return this.#longest;
  }

  /** How many calls this question may still make. */
  get callsLeft(): number {
    return this.#mostCalls - this.#calls;
  }

  /** Asks for all of this at once, as far as calls are left. */
  ahead(...asked: AskedAhead): void {
    this.aheadOf([asked]);
  }
  aheadOf(asked: readonly AskedAhead[]): void {
    this.#askAll(asked.flatMap(([refs, ...what]) => refs.flatMap((ref) => what.map((one) => callOf(ref, one)))));
  }

  /** Programs on the bus, by their roots. Throws TooMuch where the registry does not say: that is not the same as none. */
  programs(): AtspiRef[] {
    const answer = this.#ask(REGISTRY, 'children');
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
    const pid = this.#answer({ ref, ...of(BUS.face, 'GetConnectionUnixProcessID', [bus]) });
    return typeof pid === 'number' ? pid : null;
  }

  box(ref: AtspiRef): AtspiBox | null {
    return toBox(this.#ask(ref, 'box'));
  }

  children(ref: AtspiRef): AtspiRef[] {
    return refsOf(this.#ask(ref, 'children'));
  }

  role(ref: AtspiRef): string {
    return roleWord(toNumber(this.#ask(ref, 'role')));
  }

  /** Its place among its siblings; -1 when it is not said. */
  index(ref: AtspiRef): number {
    return Math.max(-1, toNumber(this.#ask(ref, 'index')));
  }

  node(ref: AtspiRef): AtspiNode {
    this.ahead([ref], 'role', 'box');
    return { ref, role: this.role(ref), box: this.box(ref) };
  }

  states(ref: AtspiRef): string[] {
    const states = this.#ask(ref, 'states');
    return Array.isArray(states) ? stateWords(states.map(Number)) : [];
  }

  selected(ref: AtspiRef): AtspiRef | null {
    return toRef(this.#ask(ref, 'selected'));
  }

  /** The element at the point, by the program's own answer. */
  at(ref: AtspiRef, x: number, y: number): AtspiRef | null {
    return toRef(this.#ask(ref, { x, y }));
  }

  parent(ref: AtspiRef): AtspiRef | null {
    return toRef(this.#ask(ref, 'parent'));
  }

  /** The element that its program says is its label, such as the words beside a field; null when it names none. */
  labelOf(ref: AtspiRef): AtspiRef | null {
    const relations = this.#ask(ref, 'relations');
    if (!Array.isArray(relations)) return null;
    for (const relation of relations) {
      if (!Array.isArray(relation) || relation[0] !== LABELLED_BY) continue;
      const [label] = refsOf(relation[1]);
      if (label) return label;
    }
    return null;
  }

  text(ref: AtspiRef, which: 'name' | 'description' | 'toolkit'): string {
    return cleanText(this.#ask(ref, which));
  }

  #ask(ref: AtspiRef, what: What | Point): Variant | undefined {
    return this.#answer(callOf(ref, what));
  }

  #answer(call: Call): Variant | undefined {
    this.#askAll([call]);
    const key = keyOf(call);
    return this.#kept.has(key) ? this.#kept.get(key) : this.#said.get(key);
  }

  #askAll(wanted: readonly Call[]): void {
    const calls = new Map<string, Call>();
    for (const call of wanted) {
      const key = keyOf(call);
      if (!this.#said.has(key) && !this.#kept.has(key)) calls.set(key, call);
    }
    if (calls.size === 0) return;
    const asked = this.#now();
    const left = this.#deadline - asked;
    const may = [...calls].slice(0, Math.max(0, this.#mostCalls - this.#calls));
    if (may.length === 0 || left <= 0) throw new TooMuch();
    this.#calls += may.length;
    const questions = may.map(([, { ref, face, method, args }]) => ({
      to: { name: ref.bus, path: ref.path, face },
      method,
      args,
    }));
    const answers = this.#call(questions, Math.max(1, Math.ceil(left)));
    const [took, isLate] = [this.#now() - asked, this.#now() >= this.#deadline];
    // One that did not come took all of it.
    this.#longest = Math.max(this.#longest, isLate ? took : took / may.length);
    if (isLate && answers.some((answer) => answer instanceof Error)) throw new TooMuch();
    for (const [at, [key, { method }]] of may.entries()) {
      const answer = answers[at];
      const said = answer instanceof Error ? undefined : answer?.[0];
      (KEPT.has(method) ? this.#kept : this.#said).set(key, said);
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
const toNumber = (value: Variant | undefined): number =>
  typeof value === 'number' && Number.isInteger(value) ? value : -1;
const toBox = (value: Variant | undefined): AtspiBox | null => (Array.isArray(value) ? believedBox(value) : null);
