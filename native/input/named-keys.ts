import { KEYPAD_NAMES } from '../../schemas/keypad.ts';

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
const KEYPAD: Readonly<Record<string, string>> = { ...KEYPAD_NAMES, NumpadEnter: 'Enter' };
/** Keys that write, and so have no name of their own. */
const WRITING =
  /^(?:Key.|Digit\d|Numpad.*|Intl.*|Backquote|Minus|Equal|Bracket(?:Left|Right)|Backslash|Semicolon|Quote|Comma|Period|Slash|Space|Unknown)$/;

/** The name of a key that writes nothing, on systems that tell of keys by their place; null for one that writes. */
export function nameByPlace(code: string | null): string | null {
  if (code === null) return null;
  const known = MODIFIERS[code] ?? KEYPAD[code];
  return known ?? (WRITING.test(code) ? null : code);
}
