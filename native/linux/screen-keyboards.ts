import type { Rect } from '../../schemas/events.ts';
import { isScreenKeyboard } from '../elements/screen-keyboard-names.ts';
import { attributesOf, boundsOf, childrenOf, nameOf, numbers } from './windows.ts';
import { type XDisplay, x11 } from './x11.ts';

/** Where on-screen keyboards are seen on this display; with what they open (the letters of a key that is held). */
export type SeenKeyboards = { shown(): Rect[] };

/** ICCCM: the field of WM_HINTS that says whether `input` is told, and where that is. */
const [HINTS_INPUT, INPUT_AT] = [1, 1];
/** Windows that want no keyboard, and are none. */
const PANELS = [
  'DOCK',
  'DESKTOP',
  'SPLASH',
  'NOTIFICATION',
  'TOOLTIP',
  'MENU',
  'DROPDOWN_MENU',
  'POPUP_MENU',
  'COMBO',
  'DND',
];
/** A window gets its name and its hints before it is shown, but not before it is made, ms. */
const SETTLES_MS = 2000;
/** The X server numbers what a program makes from a range of its own (see front.ts). */
const BITS_OF_A_PROGRAM = 21;

export function seeScreenKeyboards(display: XDisplay, now: () => number = () => performance.now()): SeenKeyboards {
  const x = x11();
  const root = x.root(display);
  const panels = PANELS.map((name) => x.atom(display, `_NET_WM_WINDOW_TYPE_${name}`, 0));
  /** `isOne` null: not known by now. */
  const known = new Map<number, { isOne: boolean | null; since: number }>();

  function isOne(window: number): boolean | null {
    const bounds = boundsOf(display, window);
    if (!bounds) return null;
    const { title, app } = nameOf(display, window);
    const hints = numbers(display, window, 'WM_HINTS');
    // Some take the keyboard by themselves: they say no to the window manager's giving it alone.
    const takes = numbers(display, window, 'WM_PROTOCOLS').includes(x.atom(display, 'WM_TAKE_FOCUS', 0));
    const refuses = ((hints[0] ?? 0) & HINTS_INPUT) !== 0 && hints[INPUT_AT] === 0 && !takes;
    const isPanel = numbers(display, window, '_NET_WM_WINDOW_TYPE').some((type) => panels.includes(type));
    if (isScreenKeyboard({ title, app, refuses, isPanel, ...bounds })) return true;
    return numbers(display, window, 'WM_STATE').length > 0 ? false : null;
  }
  function judged(window: number): boolean {
    const before = known.get(window);
    if (before && (before.isOne !== null || now() - before.since > SETTLES_MS)) return before.isOne === true;
    const found = isOne(window);
    known.set(window, { isOne: found, since: before?.since ?? now() });
    return found === true;
  }

  return {
    shown() {
      const tops = childrenOf(display, root);
      const all = new Set([...tops, ...numbers(display, root, '_NET_CLIENT_LIST')]);
      for (const window of known.keys()) if (!all.has(window)) known.delete(window);
      const seen = (window: number): boolean => attributesOf(display, window)?.isViewable === true;
      const found = [...all].filter((window) => judged(window) && seen(window));
      const programs = new Set(found.map((window) => window >>> BITS_OF_A_PROGRAM));
      const opened = tops.filter((top) => programs.has(top >>> BITS_OF_A_PROGRAM) && seen(top));
      return [...new Set([...found, ...opened])].flatMap((window) => boundsOf(display, window) ?? []);
    },
  };
}
