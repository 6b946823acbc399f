import type { KeyMade } from '../../schemas/key-made.ts';
import { MOD } from './keys.ts';

/** Keys by what the system made of them (A19). */
const BITS: ReadonlyMap<string, number> = new Map([
  ['Shift', MOD.shift],
  ['Control', MOD.ctrl],
  ['Alt', MOD.alt],
  ['Meta', MOD.meta],
  ['Super', MOD.meta],
  ['Hyper', MOD.meta],
  ['AltGraph', MOD.altGr],
  ['Level5', MOD.altGr],
]);
const NAMES: ReadonlyMap<string, number> = new Map([
  ['shift', MOD.shift],
  ['ctrl', MOD.ctrl],
  ['alt', MOD.alt],
  ['meta', MOD.meta],
  ['level3', MOD.altGr],
  ['level5', MOD.altGr],
]);
const GROUP = /^Group/;

/** The modifier that a key is, as one bit of `MOD`; 0 for any other. */
export function modifierMade({ key, plain }: KeyMade): number {
  // Alt+Shift that switches layouts: the second of them is still a modifier to the hand.
  return BITS.get(key) ?? (GROUP.test(key) && plain !== undefined ? BITS.get(plain) : undefined) ?? 0;
}

/** The modifiers that count at this press, as bits of `MOD`. */
export function bitsMade({ mods = [] }: KeyMade): number {
  return mods.reduce((bits, name) => bits | (NAMES.get(name) ?? 0), 0);
}
