import koffi from 'koffi';
import type { KeyMade } from '../../schemas/key-made.ts';
import { type Composer, openComposer } from '../input/compose.ts';
import { eventMods, type KeymapReader, keyMade, modMasks } from '../input/key-made.ts';
import { keysymToChar } from '../input/keysyms.ts';
import { xkbcommonChar } from '../input/xkb-layout.ts';
import { lazy, type Pointer } from '../memory/memory.ts';

/**
 * What a compositor makes of the keys that go down and up, by its own keymap and by libxkbcommon's rules, which compositors go by
 * themselves: the state (held, latched and locked modifiers, the group) follows the same keys.
 */
export type KeyFollow = {
  /** A key went down; by an X11 keycode. A repeat changes no modifier. */
  press(keycode: number, repeat: boolean): KeyMade;
  /** A key is held from before. */
  hold(keycode: number): void;
  release(keycode: number): void;
  /** The modifier bits of an event now. */
  mods(): number;
  /** Somebody pressed a button: a sequence that was begun is given up. */
  pointed(): void;
  close(): void;
};

type Fn<A extends unknown[], R> = (...args: A) => R;
const REAL_MODS = 0xff;
const [UP, DOWN] = [0, 1];
const PART = { depressed: 1, latched: 2, locked: 4, effective: 8, group: 128 } as const;
const LOCKS = { caps: 2 } as const;

// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
const xkb = lazy(() => {
  const x = koffi.load('libxkbcommon.so.0');
  return {
    stateNew: x.func('void *xkb_state_new(void *keymap)') as Fn<[Pointer], Pointer>,
    stateUnref: x.func('void xkb_state_unref(void *state)') as Fn<[Pointer], void>,
    update: x.func(
      'int xkb_state_update_mask(void *state, uint32 depressed, uint32 latched, uint32 locked, uint32 g1, uint32 g2, uint32 group)',
    ) as Fn<[Pointer, number, number, number, number, number, number], number>,
    key: x.func('int xkb_state_update_key(void *state, uint32 key, int direction)') as Fn<
      [Pointer, number, number],
      number
    >,
    mods: x.func('uint32 xkb_state_serialize_mods(void *state, int parts)') as Fn<[Pointer, number], number>,
    group: x.func('uint32 xkb_state_serialize_layout(void *state, int parts)') as Fn<[Pointer, number], number>,
    sym: x.func('uint32 xkb_state_key_get_one_sym(void *state, uint32 key)') as Fn<[Pointer, number], number>,
    consumed: x.func('uint32 xkb_state_key_get_consumed_mods(void *state, uint32 key)') as Fn<
      [Pointer, number],
      number
    >,
    min: x.func('uint32 xkb_keymap_min_keycode(void *keymap)') as Fn<[Pointer], number>,
    max: x.func('uint32 xkb_keymap_max_keycode(void *keymap)') as Fn<[Pointer], number>,
    ref: x.func('void *xkb_keymap_ref(void *keymap)') as Fn<[Pointer], Pointer>,
    unref: x.func('void xkb_keymap_unref(void *keymap)') as Fn<[Pointer], void>,
    name: x.func('int xkb_keysym_get_name(uint32 keysym, _Out_ uint8 *name, size_t n)') as Fn<
      [number, Uint8Array, number],
      number
    >,
  };
});

/** Follows a keymap from its group on. `locks`: what is locked at the beginning. */
export function followKeys(
  { keymap, group }: { keymap: Pointer; group: number },
  locks: { caps: boolean; num: boolean },
  composer: Composer | null = openComposer(),
): KeyFollow {
  const x = xkb();
  x.ref(keymap);
  const reader = readerOf(keymap, group);
  const state = x.stateNew(keymap);
  const locked = (locks.caps ? LOCKS.caps : 0) | (locks.num ? reader.masks.num : 0);
  x.update(state, 0, 0, locked, 0, 0, group);
  const part = (which: number): number => x.mods(state, which) & REAL_MODS;
  return {
    press(keycode, repeat) {
      const made = keyMade(
        reader,
        keycode,
        {
          mods: part(PART.effective),
          latched: part(PART.latched),
          locked: part(PART.locked),
          group: x.group(state, PART.group),
        },
        composer,
      );
      if (!repeat) x.key(state, keycode, DOWN);
      return made;
    },
    hold: (keycode) => void x.key(state, keycode, DOWN),
    release: (keycode) => void x.key(state, keycode, UP),
    mods: () => eventMods(part(PART.effective), reader.masks),
    pointed: () => composer?.reset(),
    close() {
      x.stateUnref(state);
      reader.close();
      x.unref(keymap);
    },
  };
}

/** A keymap's answers, each in a state of its own. */
function readerOf(keymap: Pointer, group: number): KeymapReader & { close(): void } {
  const x = xkb();
  const scratch = x.stateNew(keymap);
  const held = PART.depressed | PART.latched;
  /** What a press of the key does to modifiers, in the state at hand. */
  function actionNow(keycode: number): { kind: 'set' | 'lock'; mask: number } | null {
    const [heldBefore, lockedBefore] = [x.mods(scratch, held), x.mods(scratch, PART.locked)];
    x.key(scratch, keycode, DOWN);
    const set = x.mods(scratch, held) & ~heldBefore & REAL_MODS;
    const lock = (x.mods(scratch, PART.locked) ^ lockedBefore) & REAL_MODS;
    x.key(scratch, keycode, UP);
    // A lock is held, too, while its key is.
    if (lock !== 0) return { kind: 'lock', mask: lock };
    return set === 0 ? null : { kind: 'set', mask: set };
  }
  const put = (mods: number, inGroup: number): void => void x.update(scratch, mods, 0, 0, 0, 0, inGroup);
  const masks = new Map<number, number>();
  const [first, last] = [x.min(keymap), x.max(keymap)];
  for (let keycode = first; keycode <= last; keycode++) {
    put(0, group);
    const keysym = x.sym(scratch, keycode);
    if (keysym === 0) continue;
    const action = actionNow(keycode);
    if (action) masks.set(keysym, (masks.get(keysym) ?? 0) | action.mask);
  }
  const name = Buffer.alloc(64);
  return {
    masks: modMasks((keysym) => masks.get(keysym) ?? 0),
    answer(keycode, mods, inGroup) {
      put(mods, inGroup);
      const keysym = x.sym(scratch, keycode);
      const consumed = x.consumed(scratch, keycode) & REAL_MODS;
      return { keysym, consumed, action: actionNow(keycode) };
    },
    char: xkbcommonChar() ?? keysymToChar,
    name(keysym) {
      const length = x.name(keysym, name, name.length);
      return length > 0 ? name.toString('utf8', 0, length) : null;
    },
    close: () => x.stateUnref(scratch),
  };
}
