import { z } from 'zod';

/**
 * Rows of the trajectory formats (AgentNet, OpenCUA, AgentNetBench), field by field as their readers take them. Null stands
 * where nobody said anything. JSON Schemas are made from these (docs/formats).
 */

const relative = z.number().min(0).max(1);
const text = z.string().min(1);
const said = text.nullable();
const fileName = z.string().regex(/^[A-Za-z0-9_-]+\.(png|jpe?g)$/);
/** A score that a judge gives, 0 to 10. */
const score = z.number().min(0).max(10).nullable();

/** agentnet.jsonl: one task a line. */
export const agentnetLineSchema = z.strictObject({
  task_id: text,
  instruction: text,
  /** True where a reviewer approved the recording; null while nobody has. */
  task_completed: z.boolean().nullable(),
  alignment_score: score,
  efficiency_score: score,
  task_difficulty: score,
  reason: said,
  natural_language_task: said,
  actual_task: said,
  traj: z
    .array(
      z.strictObject({
        index: z.int().min(0),
        /** In the folder images/. */
        image: fileName,
        value: z.strictObject({
          code: text,
          observation: said,
          thought: said,
          action: said,
          last_step_correct: z.boolean().nullable(),
          last_step_redundant: z.boolean().nullable(),
          reflection: said,
        }),
      }),
    )
    .min(1),
});
export type AgentnetLine = z.infer<typeof agentnetLineSchema>;

/** Names that OpenCUA's reader knows (GUIActionType, ComputerActionType); it refuses others. */
export const OPENCUA_ACTIONS = [
  'click',
  'doubleClick',
  'rightClick',
  'middleClick',
  'moveTo',
  'dragTo',
  'scroll',
  'hscroll',
  'write',
  'press',
  'hotkey',
  'tripleClick',
  'wait',
  'terminate',
] as const;

const quadruple = <T extends z.ZodType>(of: T) => z.tuple([of, of, of, of]);
const size = z.tuple([z.int().positive(), z.int().positive()]);

/** The arguments of all actions, each with one type wherever it stands: loaders make one column of them. */
const opencuaArgsSchema = z.strictObject({
  x: relative.optional(),
  y: relative.optional(),
  button: z.enum(['left', 'right', 'middle']).optional(),
  /** Presses of a button, or notches of a wheel. */
  clicks: z.int().optional(),
  keys: z.array(text).min(1).optional(),
  presses: z.int().min(1).optional(),
  message: text.optional(),
  /** s */
  duration: z.number().min(0).optional(),
  status: z.enum(['success', 'failure']).optional(),
});

const opencuaContentSchema = z.discriminatedUnion('class_', [
  z.strictObject({
    class_: z.literal('image_observation'),
    /** Path inside the export. */
    content: text,
    filename: fileName,
    source: z.literal('os'),
  }),
  z.strictObject({ class_: z.literal('text_observation'), content: text, source: z.enum(['system', 'user']) }),
  z.strictObject({
    class_: z.literal('gui_action'),
    observation: said,
    thought: said,
    instruction: z.string(),
    guiactions: z
      .array(
        z.strictObject({
          action_type: z.enum(OPENCUA_ACTIONS),
          /** The element: left, top, right, bottom as shares of the picture and in px, the picture's size, its name. */
          target: z
            .strictObject({
              bbox: quadruple(relative),
              pixel_bbox: quadruple(z.int().min(0)),
              image_size: size,
              text: said,
            })
            .nullable(),
          args: opencuaArgsSchema,
        }),
      )
      .min(1),
  }),
]);

/** opencua.jsonl: one trajectory a line. */
export const opencuaLineSchema = z.strictObject({
  task_id: text,
  /** The recording. */
  example_id: text,
  type: z.literal('end2end'),
  content: z.array(opencuaContentSchema).min(4),
});
export type OpencuaLine = z.infer<typeof opencuaLineSchema>;
export type OpencuaContent = z.infer<typeof opencuaContentSchema>;

/** Actions that AgentNetBench's evaluator scores, and hscroll, which its authors' data has beside a scored moveTo. */
export const BENCH_ACTIONS = [
  'click',
  'doubleClick',
  'rightClick',
  'tripleClick',
  'moveTo',
  'dragTo',
  'scroll',
  'hscroll',
  'write',
  'press',
  'hotkey',
  'terminate',
] as const;

const benchActionSchema = z.strictObject({
  type: z.enum(BENCH_ACTIONS),
  params: z.strictObject({
    position: z.strictObject({ x: relative, y: relative }).optional(),
    amount: z.number().optional(),
    text: text.optional(),
    keys: z.array(text).min(1).optional(),
    button: z.enum(['left', 'right', 'middle']).optional(),
    status: z.enum(['success', 'failure']).optional(),
  }),
  metadata: z.strictObject({
    /** Any position inside of one of these is right. Left, top, width, height: shares of the picture, and px. */
    bboxes: z
      .array(
        z.strictObject({
          category_id: z.int(),
          rel_bbox: quadruple(relative),
          abs_bbox: quadruple(z.number().min(0)),
          area: z.number().min(0),
        }),
      )
      .optional(),
  }),
});
export type BenchAction = z.infer<typeof benchActionSchema>;

/** <task>.json of AgentNetBench. */
export const agentnetBenchSchema = z.strictObject({
  task_id: text,
  user_task_description: text,
  high_level_task_description: text,
  steps: z
    .array(
      z.strictObject({
        step_num: z.int().min(0),
        image: fileName,
        action: text,
        /** The step ends a subtask. */
        milestone: z.boolean(),
        /** Empty where nobody said anything: the evaluator's prompts would print a null as None. */
        inner_monologue: z.strictObject({
          observation: z.string(),
          thought: z.string(),
          low_level_instruction: z.string(),
        }),
        ground_truth_actions: z.array(benchActionSchema).min(1),
        alternative_options: z.array(z.array(benchActionSchema)),
      }),
    )
    .min(1),
  meta_info: z.strictObject({
    applications: z.array(text),
    websites: z.array(text),
    system: z.enum(['Linux', 'Windows', 'Darwin']).nullable(),
    screen_resolution: z.strictObject({ width: z.int().positive(), height: z.int().positive() }),
    /** Shannon entropy of the action types, bits, four decimals. */
    action_entropy: z.number().min(0),
    action_frequency: z.partialRecord(z.enum(BENCH_ACTIONS), z.int().positive()),
    /** The split of the data set, where it has any. */
    split: text.optional(),
    /** The verdict of `verify` on the recording; absent where nobody tried. */
    proof: z.enum(['proven', 'failed', 'said']).optional(),
  }),
});
export type AgentnetBench = z.infer<typeof agentnetBenchSchema>;
