import type { Button } from '../../schemas/events.ts';
import { codeToXKeycode } from '../input/keys.ts';
import { type XDisplay, x11, xtst } from './x11.ts';

/** Input that programs take for a person's: XTEST on a connection. Each call returns when the server has it. */
export type Xtest = {
  move(x: number, y: number): void;
  button(button: Button, down: boolean): void;
  /** Wheel notches in one go; dy > 0 scrolls down, dx > 0 to the right (A10). */
  wheel(dx: number, dy: number): void;
  /** A physical key by its W3C code. False where this system has no such key; nothing is done then. */
  key(code: string, down: boolean): boolean;
};

/** X's numbers of buttons; 4 to 7 are the wheel. */
const BUTTONS: Record<string, number> = { left: 1, middle: 2, right: 3, back: 8, forward: 9 };
const WHEEL = { up: 4, down: 5, left: 6, right: 7 };

const numberOf = (button: Button): number => BUTTONS[button] ?? Number(/^button(\d+)$/.exec(button)?.[1] ?? 1);

export function xtestOn(display: XDisplay): Xtest {
  const t = xtst();
  const send = (): void => void x11().sync(display, 0);
  const turn = (number: number, notches: number): void => {
    for (let n = Math.abs(Math.round(notches)); n > 0; n--)
      for (const down of [1, 0]) t.button(display, number, down, 0);
  };
  return {
    move(x, y) {
      t.motion(display, -1, x, y, 0);
      send();
    },
    button(button, down) {
      t.button(display, numberOf(button), down ? 1 : 0, 0);
      send();
    },
    wheel(dx, dy) {
      turn(dy > 0 ? WHEEL.down : WHEEL.up, dy);
      turn(dx > 0 ? WHEEL.right : WHEEL.left, dx);
      send();
    },
    key(code, down) {
      const number = codeToXKeycode(code);
      if (number !== null) t.key(display, number, down ? 1 : 0, 0);
      send();
      return number !== null;
    },
  };
}
