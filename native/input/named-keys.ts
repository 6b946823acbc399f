/** W3C KeyboardEvent.key of the keys that are modifiers, by their place. */
export const MODIFIERS: Readonly<Record<string, string>> = {
  ShiftLeft: 'Shift',
  ShiftRight: 'Shift',
  ControlLeft: 'Control',
  ControlRight: 'Control',
  AltLeft: 'Alt',
  AltRight: 'Alt',
  MetaLeft: 'Meta',
  MetaRight: 'Meta',
};

/** The keypad without NumLock. */
const KEYPAD: Readonly<Record<string, string>> = {
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
  NumpadEnter: 'Enter',
};
/** Keys that write, and so have no name of their own. */
const WRITING =
  /^(?:Key.|Digit\d|Numpad.*|Intl.*|Backquote|Minus|Equal|Bracket(?:Left|Right)|Backslash|Semicolon|Quote|Comma|Period|Slash|Space|Unknown)$/;

/** The name of a key that writes nothing, on systems that tell of keys by their place; null for one that writes. */
export function nameByPlace(code: string | null): string | null {
  if (code === null) return null;
  const known = MODIFIERS[code] ?? KEYPAD[code];
  return known ?? (WRITING.test(code) ? null : code);
}
