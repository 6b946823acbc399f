import type { KeyMade } from '../../schemas/key-made.ts';
import { markOf } from '../input/dead-keys.ts';
import type { HookEvent } from '../input/hook.ts';
import { MODIFIERS, nameByPlace } from '../input/named-keys.ts';
import type { WindowsApi } from './api.ts';
import type { Handle } from './api-types.ts';
import { virtualKeyOf } from './layout.ts';
import { ASYNC_DOWN, DOWN, KEEP_STATE, TOGGLED, VK } from './virtual-keys.ts';

/** The system's own state counts again where it was read so long after the last key, ms, by when that key is surely in it. */
const QUIET_MS = 500;
/** The states of the keys that are kept, looked at every `LOOK_MS`: a hook that is heard seconds late still finds an older one. */
const KEPT = 16;
export const LOOK_MS = 200;

const SIDES: Readonly<Record<string, readonly [side: number, either: number]>> = {
  ShiftLeft: [VK.leftShift, VK.shift],
  ShiftRight: [VK.rightShift, VK.shift],
  ControlLeft: [VK.leftControl, VK.control],
  ControlRight: [VK.rightControl, VK.control],
  AltLeft: [VK.leftMenu, VK.menu],
  AltRight: [VK.rightMenu, VK.menu],
};
const HOLDABLE: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(SIDES).map(([code, [side]]) => [code, side])),
  MetaLeft: VK.leftMeta,
  MetaRight: VK.rightMeta,
  CapsLock: VK.capital,
  NumLock: VK.numLock,
};

type Calls = Pick<
  WindowsApi,
  'ToUnicodeEx' | 'MapVirtualKeyExW' | 'GetKeyState' | 'GetAsyncKeyState' | 'GetTickCount' | 'PeekMessageW'
>;
export type WindowsKeys = {
  take(event: KeyEvent, hkl: Handle): KeyMade | null;
  /** Looks at which keys are held and which locks are on. Cheap; called every `LOOK_MS`. */
  look(): void;
};
type KeyEvent = Extract<HookEvent, { type: 'keydown' | 'keyup' }>;
type Locks = { caps: boolean; num: boolean };
/** The state of the keys at some moment between `from` and `to`, ms as `GetTickCount` counts. */
type KeysSeen = { from: number; to: number; locks: Locks; held: readonly string[] };

/** From `before` to `after`, ms; negative where it is the other way round. The counter starts again after 49.7 days. */
const elapsedMs = (before: number, after: number): number => (after - before) | 0;

/**
 * What Windows makes of each key: ToUnicodeEx with the keys that are held and the locks that are on at that press, and with the
 * flag that leaves a dead key to the program that gets it.
 */
export function followWindowsKeys(api: Calls): WindowsKeys {
  let held = new Set<string>();
  let locks: Locks = { caps: false, num: false };
  let last: number | null = null;
  let seen: KeysSeen[] = [];

  function look(): void {
    const from = api.GetTickCount();
    // A thread's view of the lock keys follows its messages: let it catch up.
    api.PeekMessageW(0);
    const on = (vk: number): boolean => (api.GetKeyState(vk) & TOGGLED) !== 0;
    const state = {
      locks: { caps: on(VK.capital), num: on(VK.numLock) },
      held: Object.keys(HOLDABLE).filter((code) => (api.GetAsyncKeyState(HOLDABLE[code]!) & ASYNC_DOWN) !== 0),
    };
    seen = [...seen.slice(1 - KEPT), { from, ...state, to: api.GetTickCount() }];
  }

  /**
   * A program may have set a lock, and a key may have been let go where no hook sees it (a password asked for by Windows, a locked
   * session): what was seen between the last key and this one is what this one meets. A state that is read when a key is heard may
   * already have that key in it.
   */
  function catchUp(time: number): void {
    const known = seen.findLast(
      ({ from, to }) => elapsedMs(to, time) > 0 && (last === null || elapsedMs(last, from) > QUIET_MS),
    );
    if (known) ({ locks, held } = { locks: known.locks, held: new Set(known.held) });
    last = time;
  }

  /** The 256 key states, with or without modifiers. */
  function state(codes: Iterable<string>, caps: boolean): Uint8Array {
    const keys = new Uint8Array(256);
    for (const code of codes) for (const vk of SIDES[code] ?? []) keys[vk] = DOWN;
    if (caps) keys[VK.capital] = TOGGLED;
    if (locks.num) keys[VK.numLock] = TOGGLED;
    return keys;
  }

  function made({ code, hookCode }: KeyEvent, hkl: Handle): KeyMade {
    const [shift, meta] = [has('Shift'), has('Meta')];
    const { vk, scan } = virtualKeyOf(api, { hookCode, code, hkl, digits: locks.num && !shift });
    const translate = (keys: Uint8Array) =>
      vk === 0 ? { result: 0, text: '' } : api.ToUnicodeEx(vk, scan, keys, KEEP_STATE, hkl);
    const answer = translate(state(held, locks.caps));
    const alone = charOf(translate(state([], false)));
    const char = charOf(answer);
    const isDead = answer.result < 0 && answer.text !== '';
    // AltGr comes as the left Ctrl and the right Alt; to programs any Ctrl and Alt together are AltGr.
    const altGr = held.has('ControlLeft') && held.has('AltRight');
    const [ctrl, alt] = [has('Control') && !altGr, has('Alt') && !altGr];
    const named = code === 'AltRight' && held.has('ControlLeft') ? 'AltGraph' : nameByPlace(code);
    const key = isDead ? 'Dead' : (char ?? named ?? alone ?? 'Unidentified');
    const plain = alone ?? named ?? key;
    const { caps, num } = locks;
    const names = (all: Readonly<Record<string, boolean>>) => Object.keys(all).filter((name) => all[name]);
    const mods = names({ shift, ctrl, alt, meta, level3: altGr, caps, num });
    const locked = names({ caps, num });
    return {
      key,
      ...(plain !== key && { plain }),
      ...(char !== null && !meta && ctrl === alt && { text: char }),
      ...(isDead && { dead: { dead: markOf(answer.text), alone: answer.text } }),
      ...(mods.length > 0 && { mods }),
      ...(locked.length > 0 && { locked }),
    };
  }
  const has = (name: string): boolean => [...held].some((code) => MODIFIERS[code] === name);

  return {
    look,
    take(event, hkl) {
      const { code } = event;
      catchUp(event.time);
      if (event.type === 'keyup') {
        if (code !== null) held.delete(code);
        return null;
      }
      const isRepeat = code !== null && held.has(code);
      const found = made(event, hkl);
      if (code === 'CapsLock' && !isRepeat) locks = { ...locks, caps: !locks.caps };
      if (code === 'NumLock' && !isRepeat) locks = { ...locks, num: !locks.num };
      if (code !== null && (MODIFIERS[code] || /Lock$/.test(code))) held.add(code);
      return found;
    },
  };
}

/** The characters of an answer; control characters are none. */
function charOf({ result, text }: { result: number; text: string }): string | null {
  return result > 0 && /^[^\u0000-\u001f\u007f]+$/.test(text) ? text : null;
}
