import type { ElementLine } from '../../schemas/elements.ts';
import type { Rect, WithheldWhy } from '../../schemas/events.ts';
import type { FocusKind } from './focus.ts';
import type { elementsNamed, NamedElement } from './named.ts';

/** The element at a place, as its program answered. Px of the virtual desktop. */
export type FoundElement = Pick<ElementLine, 'name' | 'role' | 'bounds'> &
  Required<Pick<ElementLine, 'source' | 'description' | 'states' | 'path' | 'app' | 'toolkit'>> &
  Pick<ElementLine, 'withheld' | 'automationId' | 'className'>;

/** A window that an element can be in. */
export type ElementWindow = {
  id: string;
  pid: number;
  title: string;
  app: string;
  /** A menu, a list that opens, a tooltip: no window of the window manager's. */
  popup: boolean;
  bounds: { x: number; y: number; width: number; height: number } | null;
  /** How much of its bounds is a shadow that its program draws around it (GTK), px; null: none that is known. Asks the system. */
  shadow?(): { left: number; top: number } | null;
};

/** Asks the programs for their elements. Every call is bounded in time; none throws for what a program does. */
export type ElementAsker = {
  /** The window at a place; null where there is none whose program is known. */
  windowAt(x: number, y: number): ElementWindow | null;
  /** The other windows of the same program. */
  besides(window: ElementWindow): ElementWindow[];
  /** The element of this window at a place; null when its program does not say. */
  ask(x: number, y: number, window: ElementWindow): FoundElement | null;
  focus: KeyboardFocus;
  /** Where on-screen keyboards are seen now, px of the virtual desktop. Absent: this system does not say. */
  screenKeyboards?(): Rect[];
  texts: FieldTexts;
  /** Why programs cannot be asked by now, though they may be later; null: they can. Absent: null. */
  missing?(): string | null;
  /** False when there is nobody left to ask: the bus is gone. */
  isOpen(): boolean;
  close(): void;
};

/** Where the keyboard is. */
export type KeyboardFocus = {
  /**
   * Takes in what programs have told since. Never waits for one. `closely`: also which window has the keyboard, which has to be
   * asked for.
   */
  turn(closely: boolean): void;
  /** Changes when a program told that the focus moved, or another window got it. */
  version(): number;
  /** Changes when the focus moved, not when it is only told where it is. Absent: as `version`. */
  moves?(): number;
  /** The window that has the keyboard; null where the system names none. Its process may be unknown (0). */
  window(): ElementWindow | null;
  /** The kind of field that has the keyboard in this window. Takes a limited time. */
  kindIn(window: ElementWindow | null): FocusKind;
  /** The longest that the program took for a single answer of the last `kindIn`, ms. Absent: all of it was one answer. */
  slowest?(): number;
  /** Why the last `kindIn` was `password`. Absent: `field`. */
  why?(): SecretWhy;
  /** The program of the last `kindIn` where it does not tell of its fields, so that one for passwords is not known. */
  silent?(): string | null;
  /** Whether letters of a field for passwords can be read on the screen now; null: there is none, or nobody says. */
  isShown?(): boolean | null;
};

/**
 * How it is known that a secret is typed: a field for passwords, one that was (its letters may be shown now), a program that asks
 * for secrets, a terminal whose program hides what is typed.
 */
export type SecretWhy = Exclude<WithheldWhy, 'on-screen' | 'unanswered'>;

/** A change of a text, as its program told it. Places and lengths in characters. */
export type TextChange = { bus: string; path: string; at: number; removed: number; inserted: string };

/** The text that arrives in fields: typed, completed, or composed by an input method. */
export type FieldTexts = {
  /**
   * The changes that all programs told of since the last call, in whichever field; null when there were too many to look at.
   * `focus.turn` takes them in.
   */
  changes(): TextChange[] | null;
  /**
   * The object that has the keyboard in this window, where it is a field that a person writes in and none for passwords; null
   * otherwise, and where its program does not say. Takes a limited time.
   */
  fieldIn(window: ElementWindow): FieldPlace | null;
  /** The field that had the keyboard, by the programs' last reports; null before the first. No program is asked. */
  lastFocus(): FieldPlace | null;
  /** Whether this is a part of a menu, or gone as menus are once something was chosen. Takes a limited time. */
  isMenu(place: FieldPlace): boolean;
};

/** Finds an element again by its name. Blocks while it asks; every call is bounded. None throws for what a program does. */
export type NamedFinder = {
  /** The elements that are called so and are shown now. */
  named: (wanted: NamedElement) => ReturnType<typeof elementsNamed>;
  /** Whether it is what a press at this place would meet: nothing is over it. */
  isAt(x: number, y: number, wanted: NamedElement): boolean;
  close(): void;
};

/** An object on the accessibility bus: its program's name there, and its path. */
export type FieldPlace = { bus: string; path: string };

/** Whether programs of this machine can be asked for their elements. `why`: what is missing, `fix`: what to do about it. */
export type ElementReadiness = {
  ready: boolean;
  /** They are asked where nobody chose. */
  byDefault?: boolean;
  /** Who answers for them: `the accessibility bus`, `UI Automation`. */
  by: string;
  /** Open programs that speak, and those that do not. */
  speaking: string[];
  silent: string[];
  why: string | null;
  fix: string | null;
};
