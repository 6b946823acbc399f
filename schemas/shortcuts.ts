/** The recorder's own global shortcuts (I4), as they are until a person changes them. */
export const DEFAULT_SHORTCUTS = {
  moment: 'Ctrl+Shift+F7',
  forget: 'Ctrl+Shift+F8',
  mark: 'Ctrl+Shift+F9',
  pause: 'Ctrl+Shift+F10',
  privacy: 'Ctrl+Shift+F11',
  stop: 'Ctrl+Shift+F12',
} as const;
/** How much is forgotten at once, minutes, until a person says otherwise; and what can be said. */
export const FORGET_MINUTES = { usual: 2, least: 1, most: 60 } as const;
export type ShortcutName = keyof typeof DEFAULT_SHORTCUTS;
