import type { ElementLine } from '../../schemas/elements.ts';
import type { Rect } from '../../schemas/events.ts';
import { ELEMENT_DEPTH_LIMIT } from '../../schemas/limits.ts';
import { Budget, TooMuch } from './budget.ts';
import type { ElementWindow, FoundElement } from './contract.ts';
import { meant, seenPart } from './meant.ts';
import { Patience } from './patience.ts';

/** Elements of systems that answer with the innermost thing at a place at once: UI Automation, MSAA (Windows), AX (macOS). */

/** The kind of an element: its role in AT-SPI's words, and whether it is a field for passwords. */
export type ToldKind = { role: string; password: boolean };
/** An element as its program told it; states in AT-SPI's words, the box in physical px. */
export type ToldElement = { box: Rect | null; name: string; description: string; states: string[] } & Pick<
  ElementLine,
  'toolkit' | 'automationId' | 'className'
>;

/** The calls of one system. Each may throw TooMuch; none throws for what a program does. `R`: an element there. */
export type UpwardTree<R> = {
  source: NonNullable<ElementLine['source']>;
  /** The innermost element at a place. */
  at(x: number, y: number, window: ElementWindow): R | null;
  kind(element: R): ToldKind;
  /** Of the one element that counts. A field for passwords has no name and no description. */
  read(element: R, kind: ToldKind): ToldElement;
  /** What it lies in; null for the window itself, and where nothing is told. */
  parent(element: R, window: ElementWindow): R | null;
  /** Whether the outermost element that was told is this window, or a part of its program where windows have no numbers. */
  isOf(outermost: R, window: ElementWindow): boolean;
  /** Its place among its siblings; -1 when that is not told, or takes longer than `hasTime` allows. */
  place(element: R, hasTime: () => boolean): number;
  release(element: R): void;
};

/** Places among siblings cost a call each: they are asked for as long as the whole answer takes no longer, ms. */
const PLACES_MS = 25;

/** Asks within what one question may cost; a program that uses that up is asked less often, then not again. */
export class UpwardElements<R> {
  readonly #tree: UpwardTree<R>;
  readonly #budget: Budget;
  readonly #patience: Patience;

  constructor(tree: (budget: Budget) => UpwardTree<R>, now: () => number = () => performance.now()) {
    this.#budget = new Budget(now);
    this.#patience = new Patience(now);
    this.#tree = tree(this.#budget);
  }

  /** The element of this window at a place; null when its program does not say. */
  elementAt(x: number, y: number, window: ElementWindow): FoundElement | null {
    const program = String(window.pid);
    if (this.#patience.rests(program)) return null;
    this.#budget.begin();
    const held: R[] = [];
    try {
      const way = this.#wayTo(x, y, window, held);
      const found = way && this.#describe(way, window);
      this.#patience.hasAnswered(program);
      return found;
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      this.#patience.wasSlow(program, this.#budget.longest);
      return null;
    } finally {
      for (const element of held) this.#tree.release(element);
    }
  }

  /** From the window down to the innermost element; null when what is there is another window's. `held`: to be released. */
  #wayTo(x: number, y: number, window: ElementWindow, held: R[]): R[] | null {
    const way: R[] = [];
    let element = this.#tree.at(x, y, window);
    // Trees that go round in a circle end here, too.
    while (element !== null && way.length < ELEMENT_DEPTH_LIMIT) {
      held.push(element);
      way.unshift(element);
      element = this.#tree.parent(element, window);
    }
    if (element !== null) held.push(element);
    const outermost = way[0];
    return outermost !== undefined && element === null && this.#tree.isOf(outermost, window) ? way : null;
  }

  #describe(way: readonly R[], window: ElementWindow): FoundElement {
    const kinds = way.map((element) => this.#tree.kind(element));
    const password = kinds.findIndex(({ password }) => password);
    const end = password >= 0 ? password : meant(kinds);
    const told = this.#tree.read(way[end]!, kinds[end]!);
    const { box, name, description, states, toolkit = '', automationId, className } = told;
    const hasTime = (): boolean => this.#budget.isWithin(PLACES_MS);
    // The element's own place first: it is worth the most.
    const places = way
      .slice(0, end + 1)
      .reverse()
      .map((element) => (hasTime() ? this.#tree.place(element, hasTime) : -1))
      .reverse();
    const base = {
      role: kinds[end]!.role,
      bounds: seenPart(box, window),
      source: this.#tree.source,
      states,
      path: places.map((index, at) => ({ role: kinds[at]!.role, index })),
      app: window.app.slice(0, 200),
      toolkit,
      ...(automationId ? { automationId } : {}),
      ...(className ? { className } : {}),
    };
    // Its name is let go of: nothing of such a field is kept.
    if (password >= 0) return { ...base, name: '', description: '', withheld: true };
    return { ...base, name, description };
  }
}
