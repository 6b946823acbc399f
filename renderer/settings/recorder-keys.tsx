import type { ReactNode } from 'react';
import {
  RECORDER_SHORTCUT_NAMES,
  RECORDER_SHORTCUTS,
  type RecorderShortcut,
  recorderShortcuts,
  shortcutProblem,
} from '../client/recorder-shortcuts.ts';
import { textsSetting, useSettings } from '../client/settings.ts';
import { KeyCapture } from './capture.tsx';
import classes from './page.module.css';

/** The keys that the recorder itself listens for. */
export function RecorderKeys({ onStore }: { onStore: (values: Record<string, unknown>) => void }): ReactNode {
  const all = recorderShortcuts(textsSetting(useSettings(), 'shortcuts'));
  const take = (name: RecorderShortcut, chord: string): string | null => {
    const why = shortcutProblem(name, chord, all);
    if (why === null) onStore({ shortcuts: { ...all, [name]: chord } });
    return why;
  };
  // The names of the table.
  const names = Object.keys(RECORDER_SHORTCUTS) as RecorderShortcut[];
  return (
    <div>
      {names.map((name) => (
        <div key={name} className={classes.keyLine}>
          <span className={classes.keyLabel}>{RECORDER_SHORTCUT_NAMES[name]}</span>
          <KeyCapture label={RECORDER_SHORTCUT_NAMES[name]} chords={[all[name]]} take={(chord) => take(name, chord)} />
        </div>
      ))}
    </div>
  );
}
