/** The recorder's own shortcuts as a user has them by default, for `chord(...)`. They never become actions (I4). */
export const SHORTCUTS = {
  stop: ['ctrl', 'shift', 'F12'],
  privacy: ['ctrl', 'shift', 'F11'],
  pause: ['ctrl', 'shift', 'F10'],
  mark: ['ctrl', 'shift', 'F9'],
  moment: ['ctrl', 'shift', 'F7'],
  forget: ['ctrl', 'shift', 'F8'],
};
