import { z } from 'zod';
import { deadKeySchema } from './layout.ts';

/**
 * What the system made of a key as it went down, by its keymap and its modifiers of that moment (I2). A key's meaning is this:
 * options, on-screen keyboards and a latched Shift change it while the physical code stays.
 */
export const keyMadeSchema = z.object({
  /**
   * The W3C KeyboardEvent.key (`a`, `Enter`, `Control`, `Dead`, `Compose`); where W3C has none, the X keysym's name; `Unidentified`
   * where the key makes nothing at all.
   */
  key: z.string(),
  /** The same for the key alone, without modifiers (NumLock counts); absent where it is `key`. For a dead key its character. */
  plain: z.string().optional(),
  /** What it puts into a text. Absent for none: a named key, a shortcut, a key of a sequence that goes on. */
  text: z.string().optional(),
  /** For a dead key. */
  dead: deadKeySchema.optional(),
  /** It belongs to a sequence of dead keys or of Compose, whose text the last one has. Absent too where nobody follows them. */
  sequence: z.enum(['goes-on', 'ends']).optional(),
  /** X11, Wayland: the keysym's name. */
  sym: z.string().optional(),
  /**
   * Modifiers that count, by what they do: `shift`, `ctrl`, `alt`, `meta`, `level3` (AltGr), `level5`, `caps`, `num`. Those of
   * them that count without their key: `latched` for the next key, `locked` until they are let go. Absent: none.
   */
  mods: z.array(z.string()).optional(),
  latched: z.array(z.string()).optional(),
  locked: z.array(z.string()).optional(),
  /** The active group (layout) of the keymap; absent: the first, 0. */
  group: z.int().min(0).optional(),
});
export type KeyMade = z.infer<typeof keyMadeSchema>;
