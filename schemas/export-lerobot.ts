import { z } from 'zod';

/** Files of a LeRobotDataset 3.0. JSON Schemas come from these. */

const index = z.int().min(0);
const share = z.number().min(-1).max(1);

const said = {
  role: z.enum(['user', 'assistant']),
  content: z.string().min(1).nullable(),
  /** Set for styles that speak of a view; ours are none of them. */
  camera: z.null(),
  /** Each the JSON of a call. */
  tool_calls: z.array(z.string().min(2)).nullable(),
};
const lerobotEventSchema = z.strictObject({ ...said, style: z.null() });
export type LerobotEvent = z.infer<typeof lerobotEventSchema>;
const lerobotPersistentSchema = z.strictObject({
  ...said,
  style: z.enum(['plan', 'subtask']),
  timestamp: z.number().min(0),
});
export type LerobotPersistent = z.infer<typeof lerobotPersistentSchema>;

/** A row of data/chunk-000/file-000.parquet: a frame, which is a step. */
export const lerobotRowSchema = z.strictObject({
  /** x, y, end_x, end_y as shares of the frame (-1: the step has none), scroll_x, scroll_y. */
  action: z.tuple([share, share, share, share, z.number(), z.number()]),
  'action.kind': z.string().min(1),
  'action.code': z.string().min(1),
  thought: z.string(),
  element: z.string(),
  /** Seconds of the recording. */
  recorded_at: z.number(),
  'next.done': z.boolean(),
  language_persistent: z.array(lerobotPersistentSchema),
  language_events: z.array(lerobotEventSchema),
  timestamp: z.number().min(0),
  frame_index: index,
  episode_index: index,
  index,
  task_index: index,
  /** The task's id, which `tasks.parquet` does not have. */
  task_id: z.string().min(1),
});
export type LerobotRow = z.infer<typeof lerobotRowSchema>;

const numbers = z.array(z.number()).min(1);
/** What LeRobot normalizes by; `count` is of rows. */
const figures = {
  count: z.array(z.int().min(1)).length(1),
  min: numbers,
  max: numbers,
  mean: numbers,
  std: numbers,
  q01: numbers,
  q10: numbers,
  q50: numbers,
  q90: numbers,
  q99: numbers,
};
const lerobotFiguresSchema = z.strictObject(figures);
export type LerobotFigures = z.infer<typeof lerobotFiguresSchema>;
/** Of a video each colour's number stands in two more lists, as one of (3, 1, 1). */
const colours = z.array(z.array(z.array(z.number()).length(1)).length(1)).length(3);
const { count, ...ofColours } = figures;
const colourFigures = z.strictObject({
  count,
  ...(Object.fromEntries(Object.keys(ofColours).map((name) => [name, colours])) as Record<
    keyof typeof ofColours,
    typeof colours
  >), // The same keys.
});

export const LEROBOT_SCREEN = 'observation.images.screen';

/** meta/stats.json. */
export const lerobotStatsSchema = z.strictObject({
  action: lerobotFiguresSchema,
  recorded_at: lerobotFiguresSchema,
  timestamp: lerobotFiguresSchema,
  frame_index: lerobotFiguresSchema,
  episode_index: lerobotFiguresSchema,
  index: lerobotFiguresSchema,
  task_index: lerobotFiguresSchema,
  [LEROBOT_SCREEN]: colourFigures,
});

const feature = z.strictObject({
  dtype: z.enum(['float32', 'int64', 'bool', 'string', 'language', 'video']),
  shape: z.array(z.int().positive()).min(1),
  names: z.array(z.string()).nullable(),
  info: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});
export type LerobotFeature = z.infer<typeof feature>;

/** meta/info.json. */
export const lerobotInfoSchema = z.strictObject({
  codebase_version: z.literal('v3.0'),
  robot_type: z.literal('desktop'),
  total_episodes: index,
  total_frames: index,
  total_tasks: index,
  chunks_size: z.int().positive(),
  data_files_size_in_mb: z.int().positive(),
  video_files_size_in_mb: z.int().positive(),
  fps: z.literal(1),
  splits: z.record(z.string(), z.string().regex(/^0:\d+$/)),
  data_path: z.string(),
  video_path: z.string(),
  features: z.record(z.string(), feature),
  tools: z.array(
    z.strictObject({
      type: z.literal('function'),
      function: z.strictObject({
        name: z.string(),
        description: z.string(),
        parameters: z.strictObject({
          type: z.literal('object'),
          properties: z.record(
            z.string(),
            z.strictObject({ type: z.string(), items: z.strictObject({ type: z.string() }) }),
          ),
          required: z.array(z.string()),
        }),
      }),
    }),
  ),
});
export type LerobotInfo = z.infer<typeof lerobotInfoSchema>;
