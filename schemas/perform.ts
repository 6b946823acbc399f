import { z } from 'zod';
import { modifierSchema } from './actions.ts';
import { checkResultSchema } from './checks.ts';
import { buttonSchema } from './events.ts';
import { recordingIdSchema } from './names.ts';

/** A script of actions that is performed on a stage: one JSON value a line, with the fields of our actions. */

const place = z.object({ x: z.int().min(0).max(32_767), y: z.int().min(0).max(32_767) });
const notches = z.number().min(-1000).max(1000);
/** Names of keys as our actions have them: `a`, `Enter`, `ArrowLeft`, `ctrl`. */
const keyName = z.string().min(1).max(40);

/** Further fields are ignored, so that lines of `actions` can be given as they are. */
export const performLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('click'),
    start: place,
    button: buttonSchema.nullish(),
    modifiers: z.array(modifierSchema).max(4).default([]),
    count: z.int().min(1).max(10).default(1),
  }),
  z.object({
    kind: z.literal('drag'),
    start: place,
    end: place,
    button: buttonSchema.nullish(),
    modifiers: z.array(modifierSchema).max(4).default([]),
    /** The way, as [x, y, t]; straight when absent. */
    path: z.array(z.array(z.int()).min(2).max(3)).max(10_000).nullish(),
  }),
  z.object({
    kind: z.literal('scroll'),
    start: place,
    modifiers: z.array(modifierSchema).max(4).default([]),
    /** dy > 0 scrolls down, dx > 0 to the right. */
    scroll: z.object({ dx: notches, dy: notches, unit: z.enum(['notch', 'px']).default('notch') }),
  }),
  z.object({ kind: z.literal('type'), text: z.string().max(10_000) }),
  z.object({
    kind: z.literal('press'),
    keys: z.array(keyName).min(1).max(10),
    count: z.int().min(1).max(1000).default(1),
  }),
  z.object({ kind: z.literal('hover'), start: place }),
  z.object({ kind: z.literal('wait'), ms: z.int().min(0).max(60_000).default(1000) }),
]);
export type PerformLine = z.infer<typeof performLineSchema>;

export const PERFORM_SCHEMA = 'trajectory-studio/perform';

const performedStepSchema = z.object({
  /** From 1. */
  step: z.int().min(1),
  /** `click 20, 30`, `keys ctrl+s`. */
  what: z.string(),
  /** How long it took until the screen was still, ms. */
  waited: z.int().min(0),
});
export type PerformedStep = z.infer<typeof performedStepSchema>;

/** `perform --json`, and perform.json in the folder of the run's own recording. */
export const performReportSchema = z.object({
  schema: z.literal(PERFORM_SCHEMA),
  version: z.literal(1),
  task: z.string(),
  /** The run's own recording. */
  recording: recordingIdSchema,
  steps: z.array(performedStepSchema),
  of: z.int().min(0),
  /** Keys that PyAutoGUI does not know and ignores. */
  ignored: z.array(z.string()),
  /** Characters that the stage's layout lacks: a key that was changed for them typed them. */
  temporary: z.array(z.string()).default([]),
  /** The error that would have stopped the program after its last step; null: none. */
  error: z.string().nullable(),
  /** The number of the step before which it was stopped; null: it went to the end. */
  stopped: z.int().nullable(),
  /** The checks after a step in between, where that was asked for. */
  points: z
    .array(z.object({ step: z.int().min(1), passed: z.boolean(), checks: z.array(checkResultSchema) }))
    .optional(),
  checks: z.array(checkResultSchema),
  passed: z.boolean().nullable(),
  weak: z.string().nullable(),
});
export type PerformReport = z.infer<typeof performReportSchema>;
