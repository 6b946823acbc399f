import { ELEMENT_DEPTH_LIMIT } from '../../schemas/limits.ts';
import type { AskBus } from './ask-bus.ts';
import { type AtspiBox, AtspiQuestions, type AtspiRef, rootOf } from './atspi-questions.ts';
import { HOLDERS } from './atspi-words.ts';
import { TooMuch } from './budget.ts';
import { GTK_4, mayBeSeen, nameOfGtk4 } from './gtk4.ts';

/** The most calls of one search; and the most children of one element that are looked at. */
export const MOST_NAMED_CALLS = 1500;
const MOST_NAMED_MS = 2000;
const MOST_CHILDREN = 200;

/** An element by its program's own word, its role and name, and the roles from its window down to it, its own last. */
export type NamedElement = { app: string; role: string; name: string; way: readonly string[] };

/**
 * The elements that are shown now and are called so, by AT-SPI. Only where their way leads: of each element those children are
 * followed that have the next role of the way, or that only hold others, which may be put in or left out. `whole`: everything
 * there was looked at, within a number of calls and a time. Nothing but its role is asked of a field for passwords. One that
 * itself only holds others is not looked for. Boxes are as their program (`bus`) tells them.
 */
export function elementsNamed(
  call: AskBus,
  { app, role, name, way }: NamedElement,
  now: () => number = () => performance.now(),
): { elements: { bus: string; bounds: AtspiBox; states: string[] }[]; whole: boolean } {
  if (HOLDERS.has(role)) return { elements: [], whole: false };
  const ask = new AtspiQuestions(call, now);
  // Holders need not be the same ones; the element's own role must come at the end.
  const roles = [...way.slice(0, -1).filter((one) => !HOLDERS.has(one)), role];
  const elements: { bus: string; bounds: AtspiBox; states: string[] }[] = [];
  const met = new Set<string>();
  let whole = true;

  function take(ref: AtspiRef): void {
    const isGtk4 = (): boolean => ask.text(rootOf(ref.bus), 'toolkit') === GTK_4;
    const said = ask.text(ref, 'name');
    if (said !== name && !(isGtk4() && nameOfGtk4(said) === name)) return;
    const states = ask.states(ref);
    const bounds = mayBeSeen(states, isGtk4) ? ask.box(ref) : null;
    if (bounds) elements.push({ bus: ref.bus, bounds, states });
  }
  /** `passed`: roles of the way that lie above. */
  function below(ref: AtspiRef, passed: number, depth: number): void {
    const children = ask.children(ref);
    if (children.length > MOST_CHILDREN || depth > ELEMENT_DEPTH_LIMIT) whole = false;
    if (depth > ELEMENT_DEPTH_LIMIT) return;
    for (const child of children.slice(0, MOST_CHILDREN)) {
      const key = child.bus + child.path;
      if (met.has(key)) continue;
      met.add(key);
      const its = ask.role(child);
      const isNext = its === roles[passed];
      if (its === 'password text' || !(isNext || HOLDERS.has(its))) continue;
      if (isNext && passed === roles.length - 1) take(child);
      // Those of a table are made when they are asked for, without end.
      else if (isNext && ask.states(child).includes('manages descendants')) whole = false;
      else below(child, isNext ? passed + 1 : passed, depth + 1);
    }
  }

  ask.begin(MOST_NAMED_MS, MOST_NAMED_CALLS);
  try {
    for (const program of ask.programs()) {
      const root = rootOf(program.bus);
      if (ask.text(root, 'name').slice(0, 200) === app) below(root, 0, 0);
    }
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    whole = false;
  }
  return { elements, whole };
}
