import { z } from 'zod';
import { actionKindSchema, modifierSchema } from './actions.ts';
import { proofSchema } from './dataset.ts';
import { buttonSchema } from './events.ts';
import { ERROR_IDS } from './step-errors.ts';
import { RECORDING_STATES, TASK_KINDS } from './task-terms.ts';

/** Lines of VideoGUI's JSON Lines, field by field. Parquet's columns are in core/export/videogui/columns.ts. */

const text = z.string().min(1);
const said = z.string().nullable();
const whole = z.int();
const pixel = z.tuple([whole, whole]);
const box = z.tuple([whole, whole, whole, whole]);
const rank = z.int().min(1);
const state = z.enum(RECORDING_STATES);

/** task.jsonl: what a task holds as a whole. */
export const videoguiTaskLineSchema = z.strictObject({
  task_id: text,
  app: z.string(),
  category: said,
  kind: z.enum(TASK_KINDS),
  fulltask_query: z.string(),
  platform: said,
  source: said,
  answer: said,
  state,
  task_split: said,
  proof: proofSchema,
  visual_start: said,
  visual_end: said,
  files: z.array(z.strictObject({ role: text, file: text })),
});

export const videoguiHighPlanLineSchema = z.strictObject({
  task_id: text,
  app: z.string(),
  fulltask_query: z.string(),
  subtask_sequence: z.array(z.string()),
  visual_start: said,
  visual_end: text,
  subtask_ids: z.array(rank),
  category: said,
  platform: said,
  source: said,
  answer: said,
  files: z.array(text),
  proof: proofSchema,
  app_id: z.string(),
  state,
  task_split: said,
  resolution: pixel,
  duration_us: whole,
  recordings: z.array(z.strictObject({ id: text, started_at: text })),
});

export const videoguiMidPlanLineSchema = z.strictObject({
  split: z.literal('mid_plan'),
  app: z.string(),
  subtask_query: z.string(),
  action_sequence: z.string(),
  task_id: text,
  screenshot_start: text,
  screenshot_end: text,
  subtask_id: rank,
  action_ids: z.array(z.strictObject({ action_id: rank, id: text })),
});

export const videoguiActionLineSchema = z.strictObject({
  split: z.literal('action'),
  app: z.string(),
  task_id: text,
  screenshot_start: text,
  action_type: text,
  action_narration: z.string(),
  start_position: pixel.nullable(),
  end_position: pixel.nullable(),
  scroll_value: z.number().nullable(),
  subtask_id: rank,
  action_id: rank,
  screenshot_end: said,
  resolution: pixel,
  /** The picture's top left on the virtual desktop. */
  origin: pixel,
  element: z.strictObject({ name: z.string(), box: box.nullable() }).nullable(),
  id: text,
  recording: text,
  kind: actionKindSchema,
  button: buttonSchema.nullable(),
  modifiers: z.array(modifierSchema),
  count: rank,
  hold_ms: whole.nullable(),
  text: said,
  keystrokes: z.array(z.string()).nullable(),
  keys: z.array(z.string()).nullable(),
  scroll: z
    .strictObject({ dx: z.number(), dy: z.number(), unit: z.enum(['notch', 'px']), natural: z.boolean() })
    .nullable(),
  start_us: whole,
  end_us: whole,
  incomplete: z.boolean(),
  drag: z
    .strictObject({
      start_name: said,
      end_name: said,
      purpose: said,
      kind: z.enum(['movement', 'resizing']).nullable(),
      end_box: box.nullable(),
    })
    .nullable(),
  thought: said,
  action_thought: said,
  observation: said,
  /** These five are absent where nobody judged the step. */
  last_step_correct: z.boolean().nullable().optional(),
  last_step_redundant: z.boolean().nullable().optional(),
  grounded: z.boolean().nullable().optional(),
  errors: z
    .array(z.strictObject({ kind: z.enum(ERROR_IDS).nullable(), recoverable: z.boolean().nullable() }))
    .optional(),
  judges: z.int().min(1).optional(),
});
