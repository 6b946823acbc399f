import type { KeyboardLayout } from './layout.ts';

/** The US keyboard as data: what a missing layout falls back to (I2). [code, plain, with Shift]. */
const WRITING: readonly (readonly [string, string, string])[] = [
  ['Backquote', '`', '~'],
  ['Digit1', '1', '!'],
  ['Digit2', '2', '@'],
  ['Digit3', '3', '#'],
  ['Digit4', '4', '$'],
  ['Digit5', '5', '%'],
  ['Digit6', '6', '^'],
  ['Digit7', '7', '&'],
  ['Digit8', '8', '*'],
  ['Digit9', '9', '('],
  ['Digit0', '0', ')'],
  ['Minus', '-', '_'],
  ['Equal', '=', '+'],
  ['BracketLeft', '[', '{'],
  ['BracketRight', ']', '}'],
  ['Backslash', '\\', '|'],
  ['Semicolon', ';', ':'],
  ['Quote', "'", '"'],
  ['Comma', ',', '<'],
  ['Period', '.', '>'],
  ['Slash', '/', '?'],
  ['IntlBackslash', '<', '>'],
  ['Space', ' ', ' '],
  ['NumpadDivide', '/', '/'],
  ['NumpadMultiply', '*', '*'],
  ['NumpadSubtract', '-', '-'],
  ['NumpadAdd', '+', '+'],
];

const KEYPAD: readonly (readonly [string, string])[] = [
  ['NumpadDecimal', '.'],
  ...Array.from({ length: 10 }, (_, digit) => [`Numpad${digit}`, String(digit)] as const),
];

function usKeys(): KeyboardLayout['keys'] {
  const keys: KeyboardLayout['keys'] = {};
  for (const [code, plain, shifted] of WRITING) {
    // No AltGr, and CapsLock changes letters only.
    const levels = [plain, shifted, plain, shifted];
    keys[code] = { chars: [...levels, ...levels] };
  }
  for (const upper of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
    const lower = upper.toLowerCase();
    keys[`Key${upper}`] = { chars: [lower, upper, lower, upper, upper, lower, upper, lower] };
  }
  for (const [code, char] of KEYPAD) {
    keys[code] = { chars: [null, null, null, null, null, null, null, null], num: char };
  }
  return keys;
}

/** A new copy of the US layout, marked as the fallback. */
export function usLayout(): KeyboardLayout {
  return { id: 'us', name: 'English (US)', source: 'us-fallback', altGr: false, keys: usKeys() };
}
