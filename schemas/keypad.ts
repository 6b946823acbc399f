/** What the keys of the keypad are named without NumLock (W3C KeyboardEvent.key), by their place. */
export const KEYPAD_NAMES = {
  Numpad0: 'Insert',
  Numpad1: 'End',
  Numpad2: 'ArrowDown',
  Numpad3: 'PageDown',
  Numpad4: 'ArrowLeft',
  Numpad5: 'Clear',
  Numpad6: 'ArrowRight',
  Numpad7: 'Home',
  Numpad8: 'ArrowUp',
  Numpad9: 'PageUp',
  NumpadDecimal: 'Delete',
} as const;
