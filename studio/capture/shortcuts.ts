import { StudioError } from '../../schemas/errors.ts';
import { MOD_BITS } from '../../schemas/events.ts';
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
    else if (/^(Escape|Pause|Insert|Home|End|PageUp|PageDown|ScrollLock)$/.test(part)) code = part;
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

type HeldKey<T> = { line: T | null; used: boolean };

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
    for (const code of held.keys()) bits |= MODIFIER_BIT[code] ?? 0;
    return bits;
  }

  return {
    down(code: string, line: T | null): { name: ShortcutName | null; own: T[] } {
      const isModifier = MODIFIER_BIT[code] !== undefined;
      if (held.has(code) && isModifier) return { name: null, own: [] };
      if (ownReleases.has(code)) return { name: null, own: line === null ? [] : [line] };
      const name = isModifier
        ? undefined
        : (Object.keys(shortcuts) as ShortcutName[]).find(
            (n) => shortcuts[n].code === code && shortcuts[n].mods === mods(),
          ); // their names
      if (!name) {
        if (!isModifier) this.used();
        held.set(code, { line, used: false });
        return { name: null, own: [] };
      }
      const own: T[] = [];
      for (const [key, state] of held) {
        if (MODIFIER_BIT[key] === undefined || state.used) continue;
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
