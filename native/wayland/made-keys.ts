import type { DeviceEvent } from './device-event.ts';
import type { KeyFollow } from './follow-keys.ts';
import { type WaylandKeyboard, watchKeyboard } from './keyboard.ts';
import { openWayland } from './wire.ts';

/** X11's keycodes begin so far above the kernel's. */
const EVDEV_TO_X = 8;
/** Keys that count while they are held, also across a change of the layout. */
const HELD = /^(?:Shift|Control|Alt|Meta|Super|Hyper|AltGraph|Level5)$/;

/** Writes at the presses of keys what the compositor makes of them. */
export type MadeKeys = { tell(events: readonly DeviceEvent[]): void; close(): void };

/** Where the compositor does not answer, or not any more, keys stay what their codes say by the layout. */
export function openKeys(
  open: () => Pick<WaylandKeyboard, 'follow' | 'await' | 'changed' | 'close'> = () => watchKeyboard(openWayland()),
): MadeKeys {
  const held = new Set<number>();
  let keyboard: ReturnType<typeof open> | null = null;
  let follow: KeyFollow | null = null;
  const giveUp = (): void => {
    follow?.close();
    keyboard?.close();
    [follow, keyboard] = [null, null];
  };
  const attempt = (what: () => void): void => {
    try {
      what();
    } catch {
      // The compositor is gone: that ends the recording elsewhere, and what was done until then is kept.
      giveUp();
    }
  };
  function one(event: DeviceEvent): void {
    if (event.kind === 'button') follow?.pointed();
    if (event.kind !== 'key') return;
    const keycode = event.number + EVDEV_TO_X;
    if (!follow) {
      // What it is will be known with the keymap; a letter that is held changes nothing.
      if (event.down) held.add(keycode);
      else held.delete(keycode);
      return;
    }
    if (event.down) {
      event.made = follow.press(keycode, event.repeat);
      if (HELD.test(event.made.key)) held.add(keycode);
    } else {
      follow.release(keycode);
      held.delete(keycode);
    }
  }
  attempt(() => {
    keyboard = open();
    follow = keyboard.follow();
  });
  return {
    tell(events) {
      if (!events.some(({ kind }) => kind === 'key' || kind === 'button')) return;
      attempt(() => {
        if (!follow) keyboard?.await();
        if (keyboard?.changed()) {
          follow?.close();
          follow = keyboard.follow();
          for (const keycode of held) follow?.hold(keycode);
        }
        for (const event of events) one(event);
      });
    },
    close: giveUp,
  };
}
