/** The recorder's own global shortcuts (I4), as they are until a person changes them. */
export const DEFAULT_SHORTCUTS = {
  mark: 'Ctrl+Shift+F9',
  pause: 'Ctrl+Shift+F10',
  privacy: 'Ctrl+Shift+F11',
  stop: 'Ctrl+Shift+F12',
} as const;
export type ShortcutName = keyof typeof DEFAULT_SHORTCUTS;
