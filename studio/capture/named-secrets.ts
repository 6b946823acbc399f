import type { ElementWindow, KeyboardFocus } from '../../native/elements/contract.ts';
import { judgeWindow } from './front.ts';

/**
 * Windows whose application or title holds one of a person's own words count as those that ask for secrets: all that is typed into
 * them is withheld. They are in the pictures, where `--exclude` leaves those out, too. No program is asked about them.
 */
export function withNamedSecrets(focus: KeyboardFocus, words: readonly string[]): KeyboardFocus {
  if (words.length === 0) return focus;
  let isNamed = false;
  const holdsOne = (window: ElementWindow | null): boolean =>
    window !== null && judgeWindow(window, { exclude: words, only: [] }) === 'left-out';
  return {
    turn: focus.turn,
    version: focus.version,
    ...(focus.moves && { moves: focus.moves }),
    window: focus.window,
    kindIn(window) {
      isNamed = holdsOne(window);
      return isNamed ? 'password' : focus.kindIn(window);
    },
    slowest: () => (isNamed ? 0 : (focus.slowest?.() ?? 0)),
    why: () => (isNamed ? 'program' : (focus.why?.() ?? 'field')),
    silent: () => (isNamed ? null : (focus.silent?.() ?? null)),
    ...(focus.isShown && { isShown: focus.isShown }),
  };
}
