import type { Arg } from '../bus/dbus-values.ts';

/**
 * How GTK 4 differs from other toolkits in AT-SPI. Boxes are relative to the window (atspi.ts deals with that), only windows have
 * the state "showing", and elements without a name get one that nobody wrote.
 */

/** The toolkit's name in GTK 4 programs; GTK 3 programs report `gtk`. */
export const GTK_4 = 'GTK';

/** Whether an element with these states may be seen. `isGtk4`: only asked where it matters. */
export const mayBeSeen = (states: readonly string[], isGtk4: () => boolean): boolean =>
  states.includes('showing') || (states.includes('visible') && isGtk4());

/**
 * The name without what GTK 4 adds: an element without a name reports its class (`GtkMenuButton`), and a button its label twice
 * (`7 7`).
 */
export function nameOfGtk4(name: string): string {
  if (/^(?:Gtk|Adw)[A-Z]\w*$/.test(name)) return '';
  const half = name.slice(0, (name.length - 1) / 2);
  return name === `${half} ${half}` ? half : name;
}

/** Arguments of `GetStringAtOffset`: the letter at the beginning. */
export const FIRST_LETTER: readonly Arg[] = [0, { uint32: 0 }];
/** Shown in place of letters. */
const HIDING = /^[•●⬤∙∗*]/u;

/**
 * Whether a field hides its letters, by its first letter as `GetStringAtOffset` gives it. An entry that hides its letters but is
 * no GtkPasswordEntry has the role of any text field and gives its text to `GetText`; only `GetStringAtOffset` gives the dot that is
 * on the screen.
 */
export const hidesLetters = (first: unknown): boolean => typeof first === 'string' && HIDING.test(first);
