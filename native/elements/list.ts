import type { SeenElement } from '../../schemas/elements.ts';
import { ELEMENT_NAME_LIMIT } from '../../schemas/limits.ts';
import type { Arg } from '../bus/dbus-values.ts';
import type { Variant } from '../bus/gvariant.ts';
import { cleanText } from './answers.ts';
import { type AskBus, askOne } from './ask-bus.ts';
import { type AtspiRef, REGISTRY, refsOf } from './atspi-questions.ts';
import { roleWord, stateWords } from './atspi-words.ts';
import { FIRST_LETTER, GTK_4, hidesLetters, mayBeSeen, nameOfGtk4 } from './gtk4.ts';

/** All elements that programs show at this moment, by AT-SPI, within a number of elements and a time. */

const ACCESSIBLE = 'org.a11y.atspi.Accessible';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const TEXT = 'org.a11y.atspi.Text';
const VALUE = 'org.a11y.atspi.Value';
const APPLICATION = 'org.a11y.atspi.Application';

/** The most elements that are looked at, and the longest that this takes, ms; a single answer. */
export const MOST_LOOKED_AT = 4000;
const MOST_MS = 10_000;
const ANSWER_MS = 1000;
/** The most children of one element; and the deepest level that is looked at. */
const MOST_CHILDREN = 500;
const DEEPEST = 60;
const MOST_TEXT = 10_000;

/** Roles whose text, or number, is their value. What is typed into a field for passwords is never asked. */
const WITH_TEXT: ReadonlySet<string> = new Set(['text', 'entry', 'terminal', 'editbar', 'autocomplete', 'paragraph']);
const WITH_NUMBER: ReadonlySet<string> = new Set([
  ...['slider', 'spin button', 'progress bar', 'level bar', 'dial', 'scroll bar'],
]);

/** `wanted`: those that are told; of all others only their children. */
export function elementsShownNow(
  call: AskBus,
  wanted: (one: Pick<SeenElement, 'role' | 'name'>) => boolean,
  now: () => number = () => performance.now(),
): { elements: SeenElement[]; whole: boolean } {
  const until = now() + MOST_MS;
  const elements: SeenElement[] = [];
  let looked = 0;
  let whole = true;
  /** Undefined: it did not say. */
  function ask({ bus, path }: AtspiRef, face: string, method: string, args: readonly Arg[] = []): Variant | undefined {
    try {
      return askOne(call, { to: { name: bus, path, face }, method, args }, ANSWER_MS)[0];
    } catch (error) {
      if (error instanceof Error) return undefined;
      throw error;
    }
  }
  const property = (ref: AtspiRef, face: string, name: string): Variant | undefined =>
    ask(ref, PROPERTIES, 'Get', [face, name]);

  function toldValue(ref: AtspiRef, role: string): SeenElement['value'] {
    if (WITH_NUMBER.has(role)) {
      const value = property(ref, VALUE, 'CurrentValue');
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    }
    if (!WITH_TEXT.has(role)) return null;
    const text = ask(ref, TEXT, 'GetText', [0, MOST_TEXT]) ?? ask(ref, TEXT, 'GetText', [0, -1]);
    return typeof text === 'string' ? text.slice(0, MOST_TEXT) : null;
  }

  function look(ref: AtspiRef, depth: number, isGtk4: boolean): void {
    if (looked >= MOST_LOOKED_AT || now() > until || depth > DEEPEST) {
      whole = false;
      return;
    }
    looked++;
    const told = ask(ref, ACCESSIBLE, 'GetState');
    const states = Array.isArray(told) ? stateWords(told.map(Number)) : [];
    if (states.length > 0 && !mayBeSeen(states, () => isGtk4)) return;
    const role = roleWord(Number(ask(ref, ACCESSIBLE, 'GetRole') ?? -1));
    // Nothing else is asked of it, nor of its parts.
    const hides = isGtk4 && WITH_TEXT.has(role) && hidesLetters(ask(ref, TEXT, 'GetStringAtOffset', FIRST_LETTER));
    const secret = role === 'password text' || hides;
    const said = secret ? '' : cleanText(property(ref, ACCESSIBLE, 'Name')).slice(0, ELEMENT_NAME_LIMIT);
    const name = isGtk4 ? nameOfGtk4(said) : said;
    if (wanted({ role, name })) elements.push({ role, name, states, value: secret ? null : toldValue(ref, role) });
    // Theirs are made when they are asked for, without end.
    if (!secret && !states.includes('manages descendants')) below(ref, depth, isGtk4);
  }
  function below(ref: AtspiRef, depth: number, isGtk4: boolean): void {
    const children = refsOf(ask(ref, ACCESSIBLE, 'GetChildren'));
    if (children.length > MOST_CHILDREN) whole = false;
    for (const child of children.slice(0, MOST_CHILDREN)) look(child, depth + 1, isGtk4);
  }

  for (const program of refsOf(ask(REGISTRY, ACCESSIBLE, 'GetChildren')))
    below(program, 0, property(program, APPLICATION, 'ToolkitName') === GTK_4);
  return { elements, whole };
}
