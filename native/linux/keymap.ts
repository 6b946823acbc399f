import koffi from 'koffi';
import { type KeymapReader, type ModMasks, modMasks } from '../input/key-made.ts';
import { keysymToChar } from '../input/keysyms.ts';
import { xkbcommonChar } from '../input/xkb-layout.ts';
import type { Pointer } from '../memory/memory.ts';
import { ALL_MAP_COMPONENTS, CORE_KEYBOARD, xkbLibrary } from './xkb-library.ts';

/**
 * The X server's keymap as Xlib keeps it, kept up to date by the requests that change it: `apply` does what the server did for a
 * program that maps a character onto a spare key just for one press.
 */
export type ServerKeymap = KeymapReader & {
  /** Fetches the whole of it. False: the server did not give it. */
  fetch(): boolean;
  /** ChangeKeyboardMapping: `width` keysyms for each of the keycodes from `first` on. */
  apply(first: number, width: number, keysyms: readonly number[]): void;
  /**
   * Whether the server keeps a press to itself instead of handing it to programs, by the key's action: a switch of the console, a
   * key that stands for another. With `mouseKeys` on also keys that move the pointer.
   */
  keeps(keycode: number, mods: number, group: number, mouseKeys: boolean): boolean;
  close(): void;
};

/** XKB.h, actions. */
const SA = { setMods: 1, latchMods: 2, lockMods: 3, movePointer: 7, pointerDefault: 10 } as const;
const ACTION_BYTES = 8;

/** The two levels of a group. */
const PAIR = 2;
const UNICODE = 0x1000000;

/**
 * Xlib gives a letter that stands alone its other case, the server does so only for its own keysyms and not for Unicode's: those are
 * given twice.
 */
function asServer(keysyms: readonly number[]): number[] {
  const row = keysyms.length < PAIR ? [...keysyms, 0] : [...keysyms];
  for (let i = 0; i + 1 < row.length; i += PAIR) {
    const [first = 0, second = 0] = row.slice(i);
    if (first >= UNICODE && second === 0) row[i + 1] = first;
  }
  return row;
}

type KeyMap = { groupInfo: number; width: number; offset: number };
/** What is read of a description once, until it changes. */
type Read = { masks: ModMasks; min: number; max: number; keyOf(keycode: number): KeyMap; actionOf: ActionReader };
type Action = { kind: 'set' | 'lock'; mask: number; type: number } | { kind: 'other'; mask: 0; type: number } | null;
type ActionReader = (keycode: number, at: number) => Action;

export function openKeymap(display: Pointer): ServerKeymap {
  const x = xkbLibrary();
  const char = xkbcommonChar() ?? keysymToChar;
  let description: Pointer | null = null;
  let read: Read | null = null;

  const known = (): Read => {
    if (description === null) throw new Error('The keymap was not fetched.');
    read ??= readDescription(description);
    return read;
  };

  return {
    get masks() {
      return known().masks;
    },
    char,
    name: (keysym) => x.keysymName(keysym),
    answer(keycode, mods, group) {
      if (description === null) return { keysym: 0, consumed: 0 };
      const found = x.translate(description, keycode, mods | (group << 13));
      if (found.keysym === 0) return found;
      const action = actionFor(description, known(), keycode, group, found.keysym);
      return {
        ...found,
        action: action === null || action.kind === 'other' ? null : { kind: action.kind, mask: action.mask },
      };
    },
    keeps(keycode, mods, group, mouseKeys) {
      if (description === null) return false;
      const { keysym } = x.translate(description, keycode, mods | (group << 13));
      const type = actionFor(description, known(), keycode, group, keysym)?.type ?? 0;
      return type > SA.pointerDefault || (type >= SA.movePointer && mouseKeys);
    },
    fetch() {
      const next = x.getMap(display, ALL_MAP_COMPONENTS, CORE_KEYBOARD);
      if (next === null) return false;
      if (description !== null) x.free(description);
      [description, read] = [next, null];
      return true;
    },
    apply(first, width, keysyms) {
      if (description === null || width === 0) return;
      const { min, max } = known();
      const count = Math.floor(keysyms.length / width);
      if (first < min || first + count - 1 > max) return;
      const rows = Array.from({ length: count }, (_, i) => asServer(keysyms.slice(i * width, (i + 1) * width)));
      const wide = Math.max(width, PAIR);
      // The call takes a table that begins with the keyboard's first key.
      const table = new BigUint64Array((max - min + 1) * wide);
      rows.forEach((row, i) => {
        for (const [n, keysym] of row.entries()) table[(first - min + i) * wide + n] = BigInt(keysym);
      });
      x.update(description, first, count, wide, table, null);
      read = null;
    },
    close() {
      if (description !== null) x.free(description);
      description = null;
    },
  };
}

function readDescription(description: Pointer): Read {
  const x = xkbLibrary();
  const { min_key_code: min, max_key_code: max, server, map } = koffi.decode(description, x.Description);
  const client = koffi.decode(map, x.ClientMap);
  const acts = koffi.decode(server, x.ServerMap);
  const modmap = new Uint8Array(koffi.view(client.modmap, max + 1)).slice();
  const keyOf = (keycode: number): KeyMap => {
    const { group_info, width, offset } = koffi.decode(client.key_sym_map, keycode * koffi.sizeof(x.SymMap), x.SymMap);
    return { groupInfo: group_info, width, offset };
  };
  const actionOf: ActionReader = (keycode, at) => {
    const first: number = koffi.decode(acts.key_acts, keycode * 2, 'uint16');
    if (first === 0) return null;
    const [type = 0, , mask = 0] = new Uint8Array(koffi.view(acts.acts, (first + at + 1) * ACTION_BYTES)).subarray(
      (first + at) * ACTION_BYTES,
    );
    if (type === SA.lockMods) return { kind: 'lock', mask, type };
    return type === SA.setMods || type === SA.latchMods
      ? { kind: 'set', mask, type }
      : { kind: 'other', mask: 0, type };
  };
  const masks = modMasks(maskReader({ min, max, keyOf, actionOf }, modmap, client.syms));
  return { masks, min, max, keyOf, actionOf };
}

/**
 * The keysym's real modifiers: those that its keys set. A key's modifier map alone says nothing of a keysym: with `altwin:meta_alt`
 * a key is Alt in one layout and level 3 in the next. It stands in where no key has an action.
 */
function maskReader(
  { min, max, keyOf, actionOf }: Omit<Read, 'masks'>,
  modmap: Uint8Array,
  syms: Pointer,
): (keysym: number) => number {
  const [set, mapped] = [new Map<number, number>(), new Map<number, number>()];
  for (let keycode = min; keycode <= max; keycode++) {
    const { groupInfo, width, offset } = keyOf(keycode);
    for (let i = 0; i < (groupInfo & 0xf) * width; i++) {
      const keysym = Number(koffi.decode(syms, (offset + i) * 8, 'ulong'));
      const action = actionOf(keycode, i);
      if (action && action.kind !== 'other') set.set(keysym, (set.get(keysym) ?? 0) | action.mask);
      mapped.set(keysym, (mapped.get(keysym) ?? 0) | (modmap[keycode] ?? 0));
    }
  }
  return (keysym) => set.get(keysym) ?? mapped.get(keysym) ?? 0;
}

/** The action of the level that gave `keysym`. */
function actionFor(
  description: Pointer,
  { keyOf, actionOf }: Read,
  keycode: number,
  group: number,
  keysym: number,
): Action {
  const { groupInfo, width, offset } = keyOf(keycode);
  const groups = groupInfo & 0xf;
  if (groups === 0 || width === 0) return actionOf(keycode, 0);
  const x = xkbLibrary();
  const { syms } = koffi.decode(koffi.decode(description, x.Description).map, x.ClientMap);
  const from = Math.min(group, groups - 1) * width;
  for (let level = 0; level < width; level++) {
    if (Number(koffi.decode(syms, (offset + from + level) * 8, 'ulong')) === keysym)
      return actionOf(keycode, from + level);
  }
  return null;
}
