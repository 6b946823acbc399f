import type { Button } from '../../schemas/events.ts';
import type { KeyMade } from '../../schemas/key-made.ts';

/** A device's report at `us` (CLOCK_MONOTONIC, µs). */
export type DeviceEvent = {
  us: number;
} /** `made`: what the compositor makes of the press. Absent where its keymap is not known. */ & (
  | {
      kind: 'key';
      down: boolean;
      repeat: boolean;
      code: string | null;
      number: number;
      made?: KeyMade;
    }
  | { kind: 'button'; down: boolean; button: Button }
  /** Notches, down and to the right above 0. */
  | { kind: 'wheel'; dx: number; dy: number }
  /** Moved by so much, in the device's own unit. */
  | { kind: 'moved'; by: number }
  /** Absolute: 0 to 1 of the area that it covers. */
  | { kind: 'at'; x: number; y: number }
);

export type PointerSettings = {
  /** The content follows the fingers or the wheel. */
  naturalMouse: boolean;
  naturalTouchpad: boolean;
  tapToClick: boolean;
  leftHanded: boolean;
};
