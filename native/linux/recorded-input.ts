import type { Button } from '../../schemas/events.ts';
import type { Composer } from '../input/compose.ts';
import type { HookEvent } from '../input/hook.ts';
import { eventMods, keyMade } from '../input/key-made.ts';
import { xKeycodeToCode } from '../input/keys.ts';
import type { Held, KeyboardNews } from './keyboard-state.ts';
import type { ServerKeymap } from './keymap.ts';
import type { Recorded } from './record.ts';

/** Buttons 4 to 7 are the wheel: up, down, left, right. */
const WHEEL: Readonly<Record<number, { dx: number; dy: number }>> = {
  4: { dx: 0, dy: -1 },
  5: { dx: 0, dy: 1 },
  6: { dx: -1, dy: 0 },
  7: { dx: 1, dy: 0 },
};
const BUTTONS: Readonly<Record<number, Button>> = { 1: 'left', 2: 'middle', 3: 'right', 8: 'back', 9: 'forward' };
const WHEEL_BUTTONS = 4;

type Parts = {
  keymap: Pick<ServerKeymap, 'masks' | 'answer' | 'char' | 'name' | 'apply' | 'fetch'>;
  news: Pick<KeyboardNews, 'before' | 'button'>;
  composer: Composer | null;
};

/** Turns what the X server recorded into the person's input; null for what is none. */
export function recordedInput({ keymap, news, composer }: Parts): {
  /** `told`: what was latched and locked before it, where that is known. */
  take(recorded: Recorded, told?: Held | null): HookEvent | null;
} {
  function key(event: Extract<Recorded, { detail: number }>, down: boolean, told: Held | null): HookEvent {
    const { time, detail: keycode, group } = event;
    const mods = eventMods(event.mods, keymap.masks);
    const key = { time, mods, code: xKeycodeToCode(keycode), hookCode: keycode };
    if (!down) return { type: 'keyup', ...key };
    const held = told ?? news.before({ time, keycode, mods: event.mods, group });
    const state = { mods: event.mods, latched: held?.latched ?? null, locked: held?.locked ?? null, group };
    return { type: 'keydown', ...key, made: keyMade(keymap, keycode, state, composer) };
  }

  function pointer(event: Extract<Recorded, { detail: number }>): HookEvent | null {
    const { time, x, y, type } = event;
    const at = { time, x, y, mods: eventMods(event.mods, keymap.masks) };
    if (type === 'move') return { type, ...at };
    const number = news.button(event.detail);
    const wheel = WHEEL[number];
    if (wheel) return type === 'down' ? { type: 'wheel', ...at, ...wheel } : null;
    // The keyboard may belong to another window from now on.
    composer?.reset();
    const button = BUTTONS[number] ?? (`button${number - WHEEL_BUTTONS}` as const);
    return { type: type === 'down' ? 'down' : 'up', ...at, button };
  }

  return {
    take(recorded, told = null) {
      switch (recorded.type) {
        case 'mapping':
          keymap.apply(recorded.first, recorded.width, recorded.keysyms);
          return null;
        case 'keymap':
          keymap.fetch();
          return null;
        case 'keydown':
        case 'keyup':
          return key(recorded, recorded.type === 'keydown', told);
        default:
          return pointer(recorded);
      }
    },
  };
}
