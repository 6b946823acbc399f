import type { Button } from '../../schemas/events.ts';
import type { DeviceEvent, PointerSettings } from './device-event.ts';
import { BTN } from './evdev-codes.ts';

/** libinput's: longer, or farther than this share of the pad, is no tap. */
const TAP_US = 180_000;
const TAP_SHARE = 0.03;
/** Share of the pad's height that two fingers move for one notch of a wheel. */
const NOTCH_SHARE = 0.05;

const FINGERS: Readonly<Record<number, number>> = {
  [BTN.toolFinger]: 1,
  [BTN.toolTwo]: 2,
  [BTN.toolThree]: 3,
  [BTN.toolFour]: 4,
  [BTN.toolFive]: 5,
};

/** The effect of fingers on a pad: they move the pointer, turn the wheel, or tap. */
export class Touchpad {
  readonly #settings: () => PointerSettings;
  readonly #button: (us: number, name: Button, down: boolean) => DeviceEvent;
  #fingers = 0;
  /** A touch of the pad, from the first finger on it. */
  #touch: { us: number; most: number; farthest: number; clicked: boolean } | null = null;
  #last: { x: number; y: number } | null = null;

  constructor(settings: () => PointerSettings, button: (us: number, name: Button, down: boolean) => DeviceEvent) {
    this.#settings = settings;
    this.#button = button;
  }

  /** A button was pressed or released: this touch is no tap. */
  clicked(): void {
    if (this.#touch) this.#touch.clicked = true;
  }

  /** So many fingers touch it, or one more or less (BTN_TOOL_*, BTN_TOUCH). */
  tool(us: number, code: number, down: boolean, out: DeviceEvent[]): void {
    const count = FINGERS[code];
    if (count !== undefined && down) {
      this.#fingers = count;
      this.#last = null;
      if (this.#touch) this.#touch.most = Math.max(this.#touch.most, count);
    } else if (count !== undefined && count === this.#fingers) this.#fingers = 0;
    if (code !== BTN.touch) return;
    if (down) this.#touch = { us, most: Math.max(1, this.#fingers), farthest: 0, clicked: false };
    else this.#lifted(us, out);
    this.#last = null;
  }

  /** The first finger is there now. */
  moved(us: number, at: { x: number; y: number }, out: DeviceEvent[]): void {
    const before = this.#last;
    this.#last = at;
    if (!this.#touch || !before) return;
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    this.#touch.farthest += Math.hypot(dx, dy);
    if (this.#fingers === 2) {
      // Fingers up, content up: that is natural, and scrolls down.
      const sign = this.#settings().naturalTouchpad ? -1 : 1;
      out.push({ us, kind: 'wheel', dx: (sign * dx) / NOTCH_SHARE, dy: (sign * dy) / NOTCH_SHARE });
    } else if (this.#fingers <= 1 && (dx !== 0 || dy !== 0))
      out.push({ us, kind: 'moved', by: Math.hypot(dx, dy) * 1000 });
  }

  /** The last finger left the pad: a tap is a click, as the desktop takes it. */
  #lifted(us: number, out: DeviceEvent[]): void {
    const tap = this.#touch;
    this.#touch = null;
    if (!tap || tap.clicked || !this.#settings().tapToClick) return;
    if (us - tap.us > TAP_US || tap.farthest > TAP_SHARE || tap.most > 3) return;
    const name = (['left', 'right', 'middle'] as const)[tap.most - 1] ?? 'left';
    out.push(this.#button(tap.us, name, true), this.#button(us, name, false));
  }
}
