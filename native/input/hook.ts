import {
  EventType,
  type UiohookKeyboardEvent,
  type UiohookMouseEvent,
  type UiohookWheelEvent,
  uIOhook,
  WheelDirection,
} from 'uiohook-napi';
import type { Button } from '../../schemas/events.ts';
import { MOD_BITS } from '../../schemas/key-bits.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import { codeOf } from './keys.ts';

/**
 * The global input hook of Windows and macOS (I1), the one place that knows uiohook-napi. Its thread hands events over in the order
 * in which the OS made them; `time` is the OS's own event time in the hook's unit (milliseconds).
 */
export type HookEvent =
  | { type: 'move'; time: number; x: number; y: number; mods: number }
  | { type: 'down'; time: number; x: number; y: number; mods: number; button: Button }
  | { type: 'up'; time: number; x: number; y: number; mods: number; button: Button }
  | { type: 'wheel'; time: number; x: number; y: number; mods: number; dx: number; dy: number }
  /** `code` null: the hook does not know the key; `hookCode` is its own number. `made` where the system tells. */
  | HookKeyEvent;
export type HookKeyEvent =
  | { type: 'keydown'; time: number; mods: number; code: string | null; hookCode: number; made?: KeyMade }
  | { type: 'keyup'; time: number; mods: number; code: string | null; hookCode: number };

/** The system says that something was pressed or let go, and lost what it was (X11). */
export type HookLoss = { type: 'lost'; time: number };

type UiohookEvent = UiohookKeyboardEvent | UiohookMouseEvent | UiohookWheelEvent;

const BUTTONS: readonly Button[] = ['left', 'right', 'middle', 'back', 'forward'];

function modsOf(event: UiohookEvent): number {
  return (
    (event.shiftKey ? MOD_BITS.shift : 0) |
    (event.ctrlKey ? MOD_BITS.ctrl : 0) |
    (event.altKey ? MOD_BITS.alt : 0) |
    (event.metaKey ? MOD_BITS.meta : 0)
  );
}

/** A hook event from uiohook's; null for those that say nothing new (its own click counting). */
export function toHookEvent(event: UiohookEvent): HookEvent | null {
  const mods = modsOf(event);
  switch (event.type) {
    case EventType.EVENT_MOUSE_MOVED:
      return { type: 'move', time: event.time, x: event.x, y: event.y, mods };
    case EventType.EVENT_MOUSE_PRESSED:
    case EventType.EVENT_MOUSE_RELEASED: {
      const number = Number(event.button);
      const button = BUTTONS[number - 1] ?? `button${number}`;
      const type = event.type === EventType.EVENT_MOUSE_PRESSED ? 'down' : 'up';
      return { type, time: event.time, x: event.x, y: event.y, mods, button };
    }
    case EventType.EVENT_MOUSE_WHEEL: {
      // Rotation is positive towards the user (down) and to the right, on every OS.
      const vertical = event.direction === WheelDirection.VERTICAL;
      const { rotation } = event;
      if (rotation === 0) return null;
      return {
        type: 'wheel',
        time: event.time,
        x: event.x,
        y: event.y,
        mods,
        dx: vertical ? 0 : rotation,
        dy: vertical ? rotation : 0,
      };
    }
    case EventType.EVENT_KEY_PRESSED:
    case EventType.EVENT_KEY_RELEASED: {
      const type = event.type === EventType.EVENT_KEY_PRESSED ? 'keydown' : 'keyup';
      return { type, time: event.time, mods, code: codeOf(event.keycode), hookCode: event.keycode };
    }
    default:
      return null;
  }
}

/**
 * Starts listening; gives back what ends it. Throws what the hook throws when the OS does not let it listen.
 *
 * After the end nothing more is heard, but the hook's thread is left to the end of the process: uiohook's own stop makes this
 * thread wait for that one without a limit. On X11 it first asks a display that may be gone (somebody logs out), on Windows a
 * message can be lost that the other thread should end by; either would keep a recording open for ever.
 */
export function startHook(onEvent: (event: HookEvent) => void): () => void {
  // uiohook emits every event under one name, before its own finer names.
  const hear = (event: UiohookEvent): void => {
    const mapped = toHookEvent(event);
    if (mapped) onEvent(mapped);
  };
  uIOhook.on('input', hear);
  uIOhook.start();
  return () => void uIOhook.off('input', hear);
}
