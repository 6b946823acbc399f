import { z } from 'zod';
import { buttonSchema, type Display, type InputSettings, withheldWhySchema } from './events.ts';
import { type WindowLine, windowLineSchema } from './frames.ts';
import type { KeyboardLayout } from './layout.ts';

/** The version of the rules in core/actions/RULES.md that `reduce` follows. Raised with every change of a result. */
export const ACTION_RULES_VERSION = 7;

export const actionKindSchema = z.enum(['click', 'drag', 'scroll', 'type', 'press', 'hover', 'wait']);
export type ActionKind = z.infer<typeof actionKindSchema>;

export const modifierSchema = z.enum(['ctrl', 'alt', 'shift', 'meta']);
export type Modifier = z.infer<typeof modifierSchema>;

/**
 * A place and a moment: physical px of the virtual desktop, the display's id (null: on none), µs. `x` and `y` are null where
 * keys were used before anybody knew the pointer's place (A13): clicks, drags, scrolls and hovers always have one.
 */
const pointSchema = z.object({ x: z.int().nullable(), y: z.int().nullable(), display: z.int().nullable(), t: z.int() });
export type ActionPoint = z.infer<typeof pointSchema>;

/**
 * One atomic action (actions.md). Fields that a kind does not have are null, so that every row has the same columns.
 * `id` comes from the recording and the first raw event (stable when others are removed).
 */
export const actionSchema = z.object({
  id: z.string(),
  kind: actionKindSchema,
  /** click, drag. */
  button: buttonSchema.nullable(),
  /** Held at the press, in the order ctrl, alt, shift, meta (A6); during a drag, joined while it lasted (A5). */
  modifiers: z.array(modifierSchema),
  start: pointSchema,
  end: pointSchema,
  /** drag: the pointer's way, simplified by at most 1 px, as [x, y, t]. */
  path: z.array(z.tuple([z.int(), z.int(), z.int()])).nullable(),
  /** type: what stands at the end (A8). */
  text: z.string().nullable(),
  /** type: `text` is what arrived in the field, not what the keys make (A18). */
  textFrom: z.literal('field').optional(),
  /** type: went into a field for passwords, and nobody knows what it was (A17). */
  withheld: z.literal(true).optional(),
  /** type, withheld: how many keys, and why each run of them was; absent where an older recording does not say why. */
  withheldKeys: z.int().min(1).optional(),
  withheldWhy: z.array(withheldWhySchema).optional(),
  /** type: the characters and named keys pressed, in order; a named key stands as `<Backspace>`. */
  keystrokes: z.array(z.string()).nullable(),
  /** press: the chord's keys in order, modifiers first: ['ctrl', 'c'], ['shift', 'Tab'], ['Enter']. */
  keys: z.array(z.string()).nullable(),
  /** clicks of a multi-click, repeats of a press; 1 otherwise. */
  count: z.int().min(1),
  /** press: some of `count` came from the keyboard's auto-repeat (A7). */
  autoRepeat: z.boolean(),
  scroll: z.object({ dx: z.number(), dy: z.number(), unit: z.enum(['notch', 'px']), natural: z.boolean() }).nullable(),
  /** scroll that happened while a button was held (A5). */
  duringDrag: z.boolean(),
  /** click: how long the (last) press was held, when 500 ms or longer (A3). */
  holdMs: z.int().nullable(),
  /** Raw indices of every event that is this action's, ascending as [first, last] runs. */
  events: z.array(z.tuple([z.int(), z.int()])),
  /** Raw indices of the pointer travel that led to it, as [first, last] runs (A11). */
  travel: z.array(z.tuple([z.int(), z.int()])),
  /** The active window at the press. */
  window: windowLineSchema.nullable(),
  /** Its end was not seen: the release is missing (A2, A14). */
  incomplete: z.boolean(),
});
export type Action = z.infer<typeof actionSchema>;

/** Something the reducer met and got over (A14). `event` is the raw index it concerns. */
const reduceWarningSchema = z.object({ code: z.string(), event: z.int().nullable(), message: z.string() });
export type ReduceWarning = z.infer<typeof reduceWarningSchema>;

/** Where every raw input event went (A1): as [first, last] runs of raw indices. Each index stands in exactly one place. */
export type Conservation = {
  action: [number, number][];
  travel: [number, number][];
  loneModifier: [number, number][];
  own: [number, number][];
  paused: [number, number][];
};

export const reduceResultSchema = z.object({
  recording: z.string(),
  rulesVersion: z.int(),
  actions: z.array(actionSchema),
  warnings: z.array(reduceWarningSchema),
});

export type ReduceOptions = {
  /** Rest of this long inside 8 px without a press while the screen changed becomes `hover` (A11). Default: off. */
  hoverMs?: number;
  /** A stretch without any input at least this long becomes `wait`. Default: off. */
  waitMs?: number;
  /** A gap this long ends a run of typing (A8). Default 3000. */
  typeGapMs?: number;
  /** Scroll run: longest gap (A10). Default 1000. */
  scrollGapMs?: number;
  /** Scroll run: farthest pointer distance, px (A10). Default 32. */
  scrollRadiusPx?: number;
  /** A press held this long keeps holdMs (A3). Default 500. */
  holdMs?: number;
};

/** Everything that the stream itself does not say. State events in the stream override it from their time on. */
export type ReduceContext = {
  recording: string;
  displays?: Display[];
  settings?: InputSettings;
  /** The keyboard layout before the first `layout` line. */
  layout?: KeyboardLayout;
  /** windows.jsonl, for `action.window`. */
  windows?: readonly WindowLine[];
  /** Times at which the screen changed (frames.jsonl `t`), ascending, µs: what makes a rest a `hover` (A11). */
  screenChanges?: readonly number[];
};
