import { isBusy, isRunning, type RecorderNow } from './recorder-state.ts';

/** The recorder's shortcuts as schemas/shortcuts.ts has them; the user's own come with the settings. */
export const SHORTCUTS = ['stop', 'pause', 'privacy', 'mark', 'moment', 'forget'] as const;
export type ShortcutName = (typeof SHORTCUTS)[number];
/** Until the user's are known; a test compares them with schemas/shortcuts.ts. */
export const DEFAULT_KEYS: Readonly<Record<ShortcutName, string>> = {
  moment: 'Ctrl+Shift+F7',
  forget: 'Ctrl+Shift+F8',
  mark: 'Ctrl+Shift+F9',
  pause: 'Ctrl+Shift+F10',
  privacy: 'Ctrl+Shift+F11',
  stop: 'Ctrl+Shift+F12',
};

const MODIFIERS: Readonly<Record<string, string>> = {
  ctrl: 'Control',
  control: 'Control',
  shift: 'Shift',
  alt: 'Alt',
  meta: 'Super',
  super: 'Super',
  cmd: 'Super',
  win: 'Super',
};
const KEYS: Readonly<Record<string, string>> = { ScrollLock: 'Scrolllock' };

/** `Ctrl+Shift+F12` as Electron writes it; null for a key that Electron cannot register (Pause). */
export function acceleratorOf(chord: string): string | null {
  const parts = chord.split('+').map((part) => part.trim());
  const key = parts.at(-1) ?? '';
  const modifiers = parts.slice(0, -1).map((part) => MODIFIERS[part.toLowerCase()]);
  if (modifiers.length === 0 || modifiers.some((one) => one === undefined)) return null;
  const named = /^(?:Insert|Home|End|PageUp|PageDown|Escape|ScrollLock)$/.test(key);
  if (!named && !/^(?:[A-Z\d]|F(?:[1-9]|1\d|2[0-4]))$/i.test(key)) return null;
  return [...modifiers, KEYS[key] ?? (named ? key : key.toUpperCase())].join('+');
}

/**
 * The host's answer to a global shortcut.
 * `start`: nothing is recorded, and the stop key starts. `check`: the capture process hears the key itself, marks it as its
 * own (I4) and acts; whether it did is looked at a moment later. `nothing`: there is nothing to be done.
 */
export function shortcutAct(name: ShortcutName, now: RecorderNow | null): 'start' | 'check' | 'nothing' {
  if (!isBusy(now)) return name === 'stop' ? 'start' : 'nothing';
  return isRunning(now) ? 'check' : 'nothing';
}

export type RecorderCommand =
  | { type: 'stop' }
  | { type: 'mark'; kind: 'subtask' | 'moment' }
  | { type: 'forget' }
  | { type: 'pause' | 'resume'; reason: 'user' | 'privacy' | 'suspend' };

/**
 * The act that is still to be asked of the recorder a moment after a shortcut was pressed: nothing when the capture process
 * has heard it; the command itself where the system gave the key to the host alone.
 */
export function stillWanted(name: ShortcutName, before: RecorderNow, now: RecorderNow | null): RecorderCommand | null {
  if (!isRunning(now) || now.recording !== before.recording) return null;
  if (name === 'stop') return { type: 'stop' };
  if (name === 'mark' || name === 'moment') {
    const kind = name === 'mark' ? 'subtask' : 'moment';
    return now.marks > before.marks || now.paused !== null ? null : { type: 'mark', kind };
  }
  // Heard: it is being done, or done, or refused in words.
  if (name === 'forget')
    return now.paused === 'forgotten' || now.forgotten > before.forgotten || now.notForgotten > before.notForgotten
      ? null
      : { type: 'forget' };
  if (now.paused !== before.paused) return null;
  const reason = name === 'pause' ? 'user' : 'privacy';
  return { type: before.paused === reason ? 'resume' : 'pause', reason };
}
