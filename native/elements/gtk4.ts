import type { Arg } from '../bus/dbus-values.ts';

/**
 * What GTK 4 tells otherwise than others by AT-SPI: places count from the corner of a window (atspi.ts), of nothing but windows it
 * is said that they are shown, and names are made up.
 */

/** What programs made with it say that they are made with; those of GTK 3 say `gtk`. */
export const GTK_4 = 'GTK';

/** Whether an element with these states may be seen. `isGtk4`: only asked where it matters. */
export const mayBeSeen = (states: readonly string[], isGtk4: () => boolean): boolean =>
  states.includes('showing') || (states.includes('visible') && isGtk4());

/** What has no name is called by its class, and a button's name is made of its label and again of the label in it: `7 7`. */
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
 * Whether this is what a field that hides its letters shows of the first one. Of one that is no password entry, but was made to
 * hide them, it is said that it is any field, and its text is told; where a letter is asked for as a string (`GetStringAtOffset`),
 * what stands for it is told.
 */
export const hidesLetters = (first: unknown): boolean => typeof first === 'string' && HIDING.test(first);
