import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import koffi from 'koffi';
import { usLayout } from '../../schemas/us-layout.ts';
import { openBus } from '../bus/gio.ts';
import { keysymToChar } from '../input/keysyms.ts';
import { layoutOf, xkbcommonChar } from '../input/xkb-layout.ts';
import type { Pointer } from '../memory/memory.ts';
import type { KeyboardWatch } from '../platform/platform.ts';
import { followKeys, type KeyFollow } from './follow-keys.ts';
import type { KeyRepeats } from './pointer-track.ts';
import { isGnome, readSetting } from './settings.ts';
import { closeFd, uints, type WaylandClient } from './wire.ts';

/**
 * The keyboard's layout on Wayland: the keymap that the compositor hands to every client (wl_keyboard), and its active group,
 * which it tells only the program in front. So GNOME's and KDE's own word is asked for the group; elsewhere it is the first.
 */
export type WaylandKeyboard = KeyboardWatch & {
  repeats(): KeyRepeats | null;
  /** Follows the keys by the keymap and the group that are active now; null where they are not known. */
  follow(): KeyFollow | null;
  /**
   * Waits a moment for the keymap where there was none yet: a seat has a keyboard from its first device on, and a key may be heard
   * before the compositor told of that. Blocks; not again at once where none came.
   */
  await(): void;
};

type Fn<A extends unknown[], R> = (...args: A) => R;

const SEAT = 'wl_seat';
const KEYBOARD = 2;
const XKB_V1 = 1;
const LEVEL3 = 0x80;
const NUM_LOCK = 0x10;
const INPUT_SOURCES = 'org.gnome.desktop.input-sources';
const KDE = { name: 'org.kde.keyboard', path: '/Layouts', face: 'org.kde.KeyboardLayouts' };
const LEDS = '/sys/class/leds';
const ASK_EVERY_MS = 300;
/** So long is a keymap waited for, and so long not again, ms. */
const AWAIT_MS = 200;
const AWAIT_AGAIN_MS = 5000;
const LOOK_MS = 5;
const PROT_READ = 1;
const MAP_PRIVATE = 2;

let loaded: ReturnType<typeof bind> | null = null;
// Casts: koffi's functions are untyped; the C text in the call is what the type repeats.
function bind() {
  const x = koffi.load('libxkbcommon.so.0');
  const c = koffi.load('libc.so.6');
  const context = (x.func('void *xkb_context_new(int flags)') as Fn<[number], Pointer>)(0);
  const RuleNames = koffi.struct({
    rules: 'const char *',
    model: 'const char *',
    layout: 'const char *',
    variant: 'const char *',
    options: 'const char *',
  });
  const mods = 'uint32 depressed, uint32 latched, uint32 locked, uint32 g1, uint32 g2, uint32 group';
  return {
    context,
    fromText: x.func('void *xkb_keymap_new_from_string(void *context, const char *text, int format, int flags)') as Fn<
      [Pointer, string, number, number],
      Pointer | null
    >,
    fromNames: x.func('xkb_keymap_new_from_names', 'void *', ['void *', koffi.pointer(RuleNames), 'int']) as Fn<
      [Pointer, object, number],
      Pointer | null
    >,
    unref: x.func('void xkb_keymap_unref(void *keymap)') as Fn<[Pointer], void>,
    layoutName: x.func('const char *xkb_keymap_layout_get_name(void *keymap, uint32 group)') as Fn<
      [Pointer, number],
      string | null
    >,
    stateNew: x.func('void *xkb_state_new(void *keymap)') as Fn<[Pointer], Pointer>,
    stateUnref: x.func('void xkb_state_unref(void *state)') as Fn<[Pointer], void>,
    update: x.func(`int xkb_state_update_mask(void *state, ${mods})`) as Fn<
      [Pointer, number, number, number, number, number, number],
      number
    >,
    sym: x.func('uint32 xkb_state_key_get_one_sym(void *state, uint32 key)') as Fn<[Pointer, number], number>,
    consumed: x.func('uint32 xkb_state_key_get_consumed_mods(void *state, uint32 key)') as Fn<
      [Pointer, number],
      number
    >,
    mmap: c.func('void *mmap(void *at, size_t n, int protection, int flags, int fd, long offset)') as Fn<
      [null, number, number, number, number, number],
      Pointer
    >,
    munmap: c.func('int munmap(void *at, size_t n)') as Fn<[Pointer, number], number>,
  };
}

/** A keymap, its active group, and its name where it is known by one. */
export type ActiveKeymap = { keymap: Pointer; group: number; id: string | null };

/**
 * `de+nodeadkeys`, as GNOME writes it, as a keymap with the person's options (`ctrl:nocaps`); null where there is none of that
 * name.
 */
function keymapOf(source: string): ActiveKeymap | null {
  loaded ??= bind();
  const [layout = '', variant = ''] = source.split('+');
  const options = gnomeOptions();
  const names = { rules: null, model: null, layout, variant: variant || null, options: options || null };
  const keymap = loaded.fromNames(loaded.context, names, 0);
  return keymap ? { keymap, group: 0, id: variant ? `${layout}(${variant})` : layout } : null;
}

function gnomeOptions(): string {
  const value = readSetting(INPUT_SOURCES, 'xkb-options');
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(',') : '';
}

/** The layout of a keymap's group (I2). */
function layoutFrom({ keymap, group, id }: ActiveKeymap): ReturnType<typeof layoutOf> {
  loaded ??= bind();
  const xkb = loaded;
  const name = xkb.layoutName(keymap, group) ?? 'unknown';
  const state = xkb.stateNew(keymap);
  try {
    return layoutOf({
      group,
      level3: LEVEL3,
      numLock: NUM_LOCK,
      translate(keycode, mods) {
        xkb.update(state, mods & 0xff, 0, 0, 0, 0, (mods >> 13) & 3);
        return { keysym: xkb.sym(state, keycode), consumed: xkb.consumed(state, keycode) };
      },
      char: xkbcommonChar() ?? keysymToChar,
      id: id ?? name,
      name,
    });
  } finally {
    xkb.stateUnref(state);
  }
}

/** Lock keys by the keyboards' lights, which the compositor sets. */
function readLocks(folder: string = LEDS): { caps: boolean; num: boolean } {
  const lit = (name: string): boolean => {
    try {
      return readdirSync(folder).some(
        (one) => one.endsWith(`::${name}`) && readFileSync(join(folder, one, 'brightness'), 'utf8').trim() !== '0',
      );
    } catch {
      return false;
    }
  };
  return { caps: lit('capslock'), num: lit('numlock') };
}

export function watchKeyboard(client: WaylandClient): WaylandKeyboard {
  let shared: Pointer | null = null;
  let repeats: KeyRepeats | null = null;
  let news = false;
  let has = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  let awaitedAt = Number.NEGATIVE_INFINITY;
  let bus: ReturnType<typeof openBus> | null | undefined;

  function takeKeymap(fd: number, bytes: number): void {
    loaded ??= bind();
    const at = bytes > 0 && bytes < 2 ** 24 ? loaded.mmap(null, bytes, PROT_READ, MAP_PRIVATE, fd, 0) : -1n;
    closeFd(fd);
    if (at === -1n || at === 0xffffffffffffffffn) return;
    const keymap = loaded.fromText(loaded.context, koffi.decode(at, 'char', -1) as string, XKB_V1, 0); // NUL-terminated
    loaded.munmap(at, bytes);
    if (!keymap) return;
    if (shared) loaded.unref(shared);
    shared = keymap;
    news = true;
  }

  for (const [name, { face, version }] of client.globals()) {
    if (face !== SEAT || has) continue;
    const seat = client.bind(name, Math.min(version, 5), ({ opcode, args }) => {
      if (opcode !== 0 || !(args.uint() & KEYBOARD) || has) return;
      has = true;
      const keyboard = client.object((event) => {
        if (event.opcode === 0) {
          const format = event.args.uint();
          const fd = event.fd();
          if (format === XKB_V1) takeKeymap(fd, event.args.uint());
          else closeFd(fd);
        } else if (event.opcode === 5) {
          const [rate, delay] = [event.args.int(), event.args.int()];
          repeats = rate > 0 ? { delayUs: delay * 1000, everyUs: Math.round(1_000_000 / rate) } : null;
        }
      });
      client.send(seat, 1, uints(keyboard));
    });
  }
  client.roundtrip();
  client.roundtrip();

  /** GNOME: the sources in the order in which they were used, the active one first. */
  function gnomeSource(): string | null {
    if (!isGnome()) return null;
    for (const key of ['mru-sources', 'sources']) {
      const value = readSetting(INPUT_SOURCES, key);
      const [first] = Array.isArray(value) ? value : [];
      const [kind, name] = Array.isArray(first) ? first : [];
      if (kind === 'xkb' && typeof name === 'string') return name;
    }
    return null;
  }
  function kdeGroup(): number {
    if (!/kde/i.test(process.env.XDG_CURRENT_DESKTOP ?? '')) return 0;
    try {
      bus ??= openBus();
      const [group] = bus.call(KDE, 'getLayout', '()', 500).value;
      return typeof group === 'number' ? group & 3 : 0;
    } catch {
      return 0;
    }
  }
  const which = (): string => {
    const source = gnomeSource();
    return source === null ? String(kdeGroup()) : `${source} ${gnomeOptions()}`;
  };
  let active = which();

  /** What is made of the keymap and the group that are active now; null where they are not known. */
  function withKeymap<T>(make: (keymap: ActiveKeymap) => T): T | null {
    try {
      active = which();
      news = false;
      const source = gnomeSource();
      const named = source === null ? null : keymapOf(source);
      if (!named) return shared ? make({ keymap: shared, group: kdeGroup(), id: null }) : null;
      try {
        return make(named);
      } finally {
        loaded?.unref(named.keymap);
      }
    } catch {
      return null;
    }
  }

  return {
    read() {
      const locks = readLocks();
      // Without libxkbcommon: said by the layout's source.
      return { layout: withKeymap(layoutFrom) ?? usLayout(), locks };
    },
    changed() {
      client.turn(0);
      if (news) return true;
      const now = performance.now();
      if (now - askedAt < ASK_EVERY_MS) return false;
      askedAt = now;
      return which() !== active;
    },
    repeats: () => repeats,
    await() {
      const began = performance.now();
      if (shared || began - awaitedAt < AWAIT_AGAIN_MS) return;
      awaitedAt = began;
      const pause = new Int32Array(new SharedArrayBuffer(4));
      for (;;) {
        client.roundtrip();
        if (shared || performance.now() - began > AWAIT_MS) return;
        Atomics.wait(pause, 0, 0, LOOK_MS);
      }
    },
    follow: () => withKeymap((keymap) => followKeys(keymap, readLocks())),
    close: () => bus?.close(),
  };
}
