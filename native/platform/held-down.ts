import type { Button } from '../../schemas/events.ts';

/** How a system is sent a key (false: it has no such key) and a button. */
type Sent = { key(code: string, down: boolean): boolean; button(button: Button, down: boolean): unknown };

/** Keys and buttons that hands hold down, so that all of them can be let go. */
export type HeldDown = {
  holds(code: string): boolean;
  /** Sends a key and remembers whether it is down now. */
  key(code: string, down: boolean): boolean;
  /** Remembers a button that was sent. */
  noteButton(button: Button, down: boolean): void;
  releaseAll(): void;
};

export function heldDown(sent: Sent): HeldDown {
  const keys = new Set<string>();
  const buttons = new Set<Button>();
  const note = <T>(held: Set<T>, one: T, down: boolean): void => void (down ? held.add(one) : held.delete(one));
  return {
    holds: (code) => keys.has(code),
    key(code, down) {
      const isKnown = sent.key(code, down);
      note(keys, code, down && isKnown);
      return isKnown;
    },
    noteButton: (button, down) => note(buttons, button, down),
    releaseAll() {
      for (const code of keys) sent.key(code, false);
      for (const button of buttons) sent.button(button, false);
      keys.clear();
      buttons.clear();
    },
  };
}
