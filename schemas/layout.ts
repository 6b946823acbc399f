import { z } from 'zod';

export const deadKeySchema = z.object({
  /** The combining character that the dead key adds to the next letter (`\u0301` for acute). */
  dead: z.string(),
  /** The character that dead key + space, or the dead key twice, makes (`´`). */
  alone: z.string(),
  /** The character that dead key + space makes, where that is not `alone` (X11: dead acute + space is an apostrophe). */
  space: z.string().optional(),
});

/**
 * A keyboard layout as it was while recording (I2), so that text can be rebuilt on any machine.
 * `keys[code].chars` has eight entries, index = shift (1) | altGr (2) | capsLock (4), key-bits.ts.
 * An entry is the character(s) the key makes, `{dead: '\u0301'}` for a dead key (a combining mark, or U+0020-terminated
 * spacing form in `alone`), or null when it makes none.
 */
const keyCharSchema = z.union([z.string(), deadKeySchema, z.null()]);
export type KeyChar = z.infer<typeof keyCharSchema>;

export const layoutSchema = z.object({
  /** The OS's own name: `de`, `us(intl)`, `00000407`, `com.apple.keylayout.German`. */
  id: z.string(),
  name: z.string(),
  source: z.enum(['xkb', 'ToUnicodeEx', 'UCKeyTranslate', 'us-fallback']),
  /** True when the right Alt key (AltRight) selects further characters instead of being Alt. On macOS, Option does. */
  altGr: z.boolean(),
  keys: z.record(
    z.string(),
    z.object({
      chars: z.array(keyCharSchema).length(8),
      /** The keypad's character while NumLock is on. */
      num: z.string().optional(),
    }),
  ),
});
export type KeyboardLayout = z.infer<typeof layoutSchema>;
