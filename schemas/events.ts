import { z } from 'zod';
import { keyMadeSchema } from './key-made.ts';
import { layoutSchema } from './layout.ts';

/**
 * events.jsonl: one JSON object a line, append-only, never edited. A line's number (from 0) is the raw event's index.
 * `t` is integer microseconds on the session clock (C1), taken from the operating system's own event time (C2).
 * Positions are integer physical pixels of the virtual desktop (A13).
 */

const timeSchema = z.int();
const px = z.int();

/** The bits are MOD_BITS, in key-bits.ts. */
const mods = z.int().min(0).max(15).optional();

/** `left`, `right`, `middle`, `back`, `forward`, or `button6` and up. */
export const buttonSchema = z.union([
  z.enum(['left', 'right', 'middle', 'back', 'forward']),
  z.string().regex(/^button\d+$/),
]);
export type Button = z.infer<typeof buttonSchema>;

const pointer = { t: timeSchema, x: px, y: px, mods };
/** `code` is the W3C KeyboardEvent.code of the physical key (`KeyA`, `IntlBackslash`), `Unknown` with `raw` otherwise. */
const key = { t: timeSchema, code: z.string(), raw: z.int().optional(), mods };

const moveSchema = z.object({ type: z.literal('move'), ...pointer });
const downSchema = z.object({ type: z.literal('down'), ...pointer, button: buttonSchema });
const upSchema = z.object({ type: z.literal('up'), ...pointer, button: buttonSchema });
/** dy > 0: the content moves up, the user scrolls down (A10). dx > 0: the user scrolls right. Wheel notches, or px. */
const wheelSchema = z.object({
  type: z.literal('wheel'),
  ...pointer,
  dx: z.number(),
  dy: z.number(),
  unit: z.enum(['notch', 'px']),
});
/**
 * `repeat`: made by the keyboard's auto-repeat, where the OS says so. `made`: what the system made of it; absent in older recordings
 * and where the system does not tell.
 */
const keydownSchema = z.object({
  type: z.literal('keydown'),
  ...key,
  repeat: z.boolean().optional(),
  made: keyMadeSchema.optional(),
});
const keyupSchema = z.object({ type: z.literal('keyup'), ...key });

/**
 * Why keys are withheld: they went into a field for passwords; into one that was one before; to a program that asks for secrets; to
 * one in a terminal that hides what is typed; they were pressed by the pointer on an on-screen keyboard, for any of these (the
 * presses are left out, too); or it is not known where they went, as a program did not answer.
 */
export const withheldWhySchema = z.enum(['field', 'was-field', 'program', 'echo', 'on-screen', 'unanswered']);
export type WithheldWhy = z.infer<typeof withheldWhySchema>;

export const displaySchema = z.object({
  /** From 1, left to right as the OS lists them; stable within a recording. */
  id: z.int().min(1),
  name: z.string(),
  x: px,
  y: px,
  width: z.int().positive(),
  height: z.int().positive(),
  /** Physical pixels a logical (DIP) pixel: 1, 1.25, 2. */
  scale: z.number().positive(),
  primary: z.boolean(),
});
export type Display = z.infer<typeof displaySchema>;

export const settingsSchema = z.object({
  /** The OS's own values; absent when the OS does not tell. */
  doubleClickMs: z.number().positive().optional(),
  /** Physical px at 100 % scale. */
  dragThresholdPx: z.number().positive().optional(),
  naturalScroll: z.boolean().optional(),
});
export type InputSettings = z.infer<typeof settingsSchema>;

export const rectSchema = z.object({ x: px, y: px, width: z.int().positive(), height: z.int().positive() });
const placeSchema = z.object({ x: px, y: px });
export type Rect = z.infer<typeof rectSchema>;

/**
 * Why nothing that comes now is a demonstration. `sync`: the recorder's own check at start and end (C4). `forgotten`: it was
 * recorded, and then forgotten by the person's wish (I6).
 */
export const pauseReasonSchema = z.enum(['user', 'privacy', 'sync', 'excluded-app', 'suspend', 'forgotten']);
/** Those that somebody may ask for: the others are the recorder's own, and nobody else may end them. */
export const askedReasonSchema = pauseReasonSchema.extract(['user', 'privacy', 'suspend']);
export type PauseReason = z.infer<typeof pauseReasonSchema>;

/** `subtask`: one ends here. `moment`: something is to be found again; it divides nothing. */
export const markKindSchema = z.enum(['subtask', 'moment']);
export type MarkKind = z.infer<typeof markKindSchema>;

const t = timeSchema;
const inputEventSchema = z.discriminatedUnion('type', [
  moveSchema,
  downSchema,
  upSchema,
  wheelSchema,
  keydownSchema,
  keyupSchema,
]);
/** A person's input. A1 (conservation) speaks of exactly these. */
export type InputEvent = z.infer<typeof inputEventSchema>;

const stateEventSchema = z.discriminatedUnion('type', [
  /** The keyboard layout from now on (I2). The first comes before any key. */
  z.object({ type: z.literal('layout'), t, layout: layoutSchema }),
  /** Lock keys' state from now on, as the OS tells it: at the start, and whenever it differs from what keys imply. */
  z.object({ type: z.literal('locks'), t, caps: z.boolean(), num: z.boolean() }),
  z.object({ type: z.literal('settings'), t, settings: settingsSchema }),
  z.object({ type: z.literal('displays'), t, displays: z.array(displaySchema) }),
  /** The captured rectangle of the virtual desktop from now on, and the master's segment that shows it (V5). */
  z.object({ type: z.literal('view'), t, view: rectSchema, segment: z.int().min(0) }),
  z.object({ type: z.literal('pause'), t, reason: pauseReasonSchema }),
  /**
   * `pointer`: where it is when the demonstration begins or goes on, as the OS tells it; as long as it rests there, no input says
   * it. Null where the OS does not tell, absent in older recordings.
   */
  z.object({ type: z.literal('resume'), t, reason: pauseReasonSchema, pointer: placeSchema.nullable().optional() }),
  /** Raw indices (of earlier or later lines) that are the recorder's own shortcuts, windows or synthetic input (I4). */
  z.object({ type: z.literal('own'), t, events: z.array(z.int()), reason: z.string() }),
  /**
   * From `t` to `until` something was done whose input nobody recorded: between two keyframes of a video (K6), or a step of
   * another tool's trajectory. Only imports write it. The reducer makes a `wait` of it (A16).
   */
  z.object({ type: z.literal('step'), t, until: t }),
  /**
   * From `from` to `t` so many keys were pressed in a field for passwords, which are not recorded (I6). Modifiers do not count.
   * `why`: how that was known; absent in older recordings.
   */
  z.object({
    type: z.literal('withheld'),
    t,
    from: t,
    keys: z.int().min(0),
    why: withheldWhySchema.optional().catch(undefined),
  }),
  /**
   * The text in the field that has the keyboard changed, as its program told it: from character `at` on, `removed` characters
   * went and `inserted` came (code points). `field`: fields of this recording, from 0. Never of a field for passwords.
   */
  z.object({
    type: z.literal('text'),
    t,
    field: z.int().min(0),
    at: z.int().min(0),
    removed: z.int().min(0),
    inserted: z.string(),
  }),
  /** The person marked the end of a subtask, or a moment to come back to. */
  z.object({ type: z.literal('mark'), t, kind: markKindSchema }),
  /** Wall clock at `t`, every second (C1): milliseconds since 1970. */
  z.object({ type: z.literal('anchor'), t, wallMs: z.number() }),
  /** Something the recorder noticed: an encoder restart, lost frames, a lost display. */
  z.object({ type: z.literal('notice'), t, code: z.string(), message: z.string() }),
]);
export type StateEvent = z.infer<typeof stateEventSchema>;

export const rawEventSchema = z.union([inputEventSchema, stateEventSchema]);
export type RawEvent = InputEvent | StateEvent;

const INPUT_TYPES = new Set(['move', 'down', 'up', 'wheel', 'keydown', 'keyup']);
export function isInput(event: RawEvent): event is InputEvent {
  return INPUT_TYPES.has(event.type);
}
