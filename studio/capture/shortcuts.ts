import { StudioError } from '../../schemas/errors.ts';
import { MOD_BITS } from '../../schemas/key-bits.ts';
import type { KeyMade } from '../../schemas/key-made.ts';
import { DEFAULT_SHORTCUTS, type ShortcutName } from '../../schemas/shortcuts.ts';

export { DEFAULT_SHORTCUTS, type ShortcutName };

/** The recorder's own global shortcuts. They are heard while any application has the focus and are never in the data (I4). */
type Shortcut = { mods: number; code: string };
export type Shortcuts = Record<ShortcutName, Shortcut>;

const NAMED_MODS: Readonly<Record<string, number>> = {
  ctrl: MOD_BITS.ctrl,
  control: MOD_BITS.ctrl,
  shift: MOD_BITS.shift,
  alt: MOD_BITS.alt,
  meta: MOD_BITS.meta,
  super: MOD_BITS.meta,
  cmd: MOD_BITS.meta,
  win: MOD_BITS.meta,
};

/** Keys that a shortcut may have by their name. */
const NAMED_KEY = /^(?:F(?:[1-9]|1\d|2[0-4])|Escape|Pause|Insert|Home|End|PageUp|PageDown|ScrollLock)$/;

/** Reads `Ctrl+Shift+F12`. Throws USAGE when it has no modifier, no key, or a word nobody knows. */
export function parseShortcut(text: string): Shortcut {
  let mods = 0;
  let code: string | null = null;
  for (const part of text.split('+').map((p) => p.trim())) {
    const mod = NAMED_MODS[part.toLowerCase()];
    if (mod !== undefined) mods |= mod;
    else if (/^[a-z]$/i.test(part)) code = `Key${part.toUpperCase()}`;
    else if (/^\d$/.test(part)) code = `Digit${part}`;
    else if (/^f([1-9]|1\d|2[0-4])$/i.test(part)) code = part.toUpperCase();
    else if (NAMED_KEY.test(part) && !/^F\d/.test(part)) code = part;
    else
      throw new StudioError('USAGE', `"${part}" in the shortcut "${text}" is no key. Write it like Ctrl+Shift+F12.`, {
        shortcut: text,
      });
  }
  if (code === null || mods === 0 || mods === MOD_BITS.shift) {
    throw new StudioError('USAGE', `The shortcut "${text}" needs Ctrl, Alt or Meta and a key, like Ctrl+Shift+F12.`, {
      shortcut: text,
    });
  }
  return { mods, code };
}

/** Reads all of them; two that are the same are refused. */
export function parseShortcuts(texts: Partial<Record<ShortcutName, string>>): Shortcuts {
  const all = { ...DEFAULT_SHORTCUTS, ...texts };
  const read: Shortcuts = {
    stop: parseShortcut(all.stop),
    pause: parseShortcut(all.pause),
    privacy: parseShortcut(all.privacy),
    mark: parseShortcut(all.mark),
    moment: parseShortcut(all.moment),
    forget: parseShortcut(all.forget),
  };
  const names = Object.keys(read) as ShortcutName[]; // the keys written above
  for (const a of names) {
    const same = names.find((b) => b > a && read[b].code === read[a].code && read[b].mods === read[a].mods);
    if (same)
      throw new StudioError('USAGE', `The shortcuts for ${a} and ${same} are the same (${all[a]}).`, { a, b: same });
  }
  return read;
}

const MODIFIER_BIT: Readonly<Record<string, number>> = {
  ControlLeft: MOD_BITS.ctrl,
  ControlRight: MOD_BITS.ctrl,
  ShiftLeft: MOD_BITS.shift,
  ShiftRight: MOD_BITS.shift,
  AltLeft: MOD_BITS.alt,
  AltRight: MOD_BITS.alt,
  MetaLeft: MOD_BITS.meta,
  MetaRight: MOD_BITS.meta,
};

/** The same by what the system made of a key. */
const MADE_BIT: Readonly<Record<string, number>> = {
  Control: MOD_BITS.ctrl,
  Shift: MOD_BITS.shift,
  Alt: MOD_BITS.alt,
  Meta: MOD_BITS.meta,
  Super: MOD_BITS.meta,
};

/**
 * The key of a shortcut: the letter or digit that the layout has on it, or its name, as people read it off their keys; by its place
 * where the layout has another script or a sign there. Null: by its place.
 */
function madeCode({ key, plain = key }: KeyMade): string | null {
  const sign = [...plain].length === 1 ? plain.toUpperCase() : '';
  if (/^[A-Z]$/.test(sign)) return `Key${sign}`;
  if (/^\d$/.test(sign)) return `Digit${sign}`;
  return [...plain].length > 1 && NAMED_KEY.test(plain) ? plain : null;
}

/** `bit`: of a modifier, whatever key it is; 0 for any other key. */
type HeldKey<T> = { line: T | null; used: boolean; bit: number };

/**
 * Follows the keys and says when a shortcut was pressed, and which raw events were the recorder's: the shortcut's key, its
 * modifiers if nothing else was done with them, and all of their releases. `line` is whatever names the event; null for
 * events that are not written (during a pause).
 */
export function shortcutWatch<T>(shortcuts: Shortcuts) {
  const held = new Map<string, HeldKey<T>>();
  const ownReleases = new Set<string>();

  function mods(): number {
    let bits = 0;
    for (const { bit } of held.values()) bits |= bit;
    return bits;
  }

  return {
    /** `made`: what the system made of the key. It counts over the place: Caps Lock may be Ctrl, and a Ctrl may be latched. */
    down(code: string, line: T | null, made?: KeyMade): { name: ShortcutName | null; own: T[] } {
      const bit = (made ? MADE_BIT[made.key] : MODIFIER_BIT[code]) ?? 0;
      const isModifier = bit !== 0;
      const wanted = (made && madeCode(made)) ?? code;
      const counting = made ? (made.mods ?? []).reduce((bits, name) => bits | (NAMED_MODS[name] ?? 0), 0) : mods();
      if (held.has(code) && isModifier) return { name: null, own: [] };
      if (ownReleases.has(code)) return { name: null, own: line === null ? [] : [line] };
      const name = isModifier
        ? undefined
        : (Object.keys(shortcuts) as ShortcutName[]).find(
            (n) => shortcuts[n].code === wanted && shortcuts[n].mods === counting,
          ); // their names
      if (!name) {
        if (!isModifier) this.used();
        held.set(code, { line, used: false, bit });
        return { name: null, own: [] };
      }
      const own: T[] = [];
      for (const [key, state] of held) {
        if (state.bit === 0 || state.used) continue;
        if (state.line !== null) own.push(state.line);
        state.line = null;
        ownReleases.add(key);
      }
      ownReleases.add(code);
      if (line !== null) own.push(line);
      return { name, own };
    },
    /** Files were rewritten: what names the events changes, or (null) is gone. */
    rename(to: (line: T) => T | null): void {
      for (const state of held.values()) if (state.line !== null) state.line = to(state.line);
    },
    /** The held modifiers did something else: a click, a scroll, another key. */
    used(): void {
      for (const state of held.values()) state.used = true;
    },
    /** True when this release belongs to a shortcut. */
    up(code: string): boolean {
      held.delete(code);
      return ownReleases.delete(code);
    },
  };
}
