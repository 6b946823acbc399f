import { DEFAULT_SHORTCUTS, FORGET_MINUTES, type ShortcutName } from '../../schemas/shortcuts.ts';
import { tr } from '../language/tr.ts';

/** The recorder's own keys, heard while any application has the focus (studio/capture); the setting `shortcuts`. */
export const RECORDER_SHORTCUTS = DEFAULT_SHORTCUTS;
export type RecorderShortcut = ShortcutName;

export const RECORDER_SHORTCUT_NAMES: Readonly<Record<RecorderShortcut, string>> = {
  moment: tr('Mark this moment'),
  forget: tr('Forget what was recorded last'),
  mark: tr('Mark a subtask boundary'),
  pause: tr('Pause / resume'),
  privacy: tr('Privacy pause / resume'),
  stop: tr('Stop recording'),
};

/** All as they are now: the user's where there is one. */
export function recorderShortcuts(chosen: Readonly<Record<string, string>>): Record<RecorderShortcut, string> {
  const { forget, mark, moment, pause, privacy, stop } = RECORDER_SHORTCUTS;
  return {
    forget: chosen.forget ?? forget,
    mark: chosen.mark ?? mark,
    moment: chosen.moment ?? moment,
    pause: chosen.pause ?? pause,
    privacy: chosen.privacy ?? privacy,
    stop: chosen.stop ?? stop,
  };
}

/** `Forget the last 2 minutes`: the words of the button. */
export function forgetLabel(minutes: number = FORGET_MINUTES.usual): string {
  return tr('Forget the last {minutes, plural, one {minute} other {# minutes}}', { minutes });
}

/** Keys that the recorder can listen for: a letter, a digit, F1 to F24 or one of these, with Ctrl, Alt or Meta. */
const KEY = /^(?:[A-Z]|\d|F(?:[1-9]|1\d|2[0-4])|Escape|Pause|Insert|Home|End|PageUp|PageDown|ScrollLock)$/;

/** Why the recorder cannot take this key, in words; null when it can. */
export function shortcutProblem(
  name: RecorderShortcut,
  chord: string,
  all: Readonly<Record<RecorderShortcut, string>>,
): string | null {
  const parts = chord.split('+');
  const key = parts.at(-1) ?? '';
  if (!parts.slice(0, -1).some((part) => part === 'Ctrl' || part === 'Alt' || part === 'Meta'))
    return tr('{chord} needs Ctrl, Alt or Meta: alone it would be typed into what you record.', { chord });
  if (!KEY.test(key))
    return tr('The recorder cannot listen for {key}. Take a letter, a digit or one of F1 to F24.', { key });
  // The names written above.
  const other = (Object.keys(all) as RecorderShortcut[]).find((one) => one !== name && all[one] === chord);
  return other
    ? tr('{chord} is already “{other}”. Choose another key.', { chord, other: RECORDER_SHORTCUT_NAMES[other] })
    : null;
}
