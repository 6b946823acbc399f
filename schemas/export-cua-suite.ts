import { z } from 'zod';

/** Files of CUA-Suite (ServiceNow): VideoCUA's action logs and GroundCUA's elements. JSON Schemas come from these. */

const px = z.int().min(0);
const text = z.string().min(1);
/** Ours, which its programs pass over. */
const ours = z.strictObject({
  action_id: text,
  subtask: text.nullable(),
  narration: text.nullable(),
  element: text.nullable(),
  thought: text.nullable(),
  /** Seconds of the recording. */
  recorded_at: z.number(),
});
const button = z.enum(['left', 'right', 'middle']);

/** Every field of every kind of action, each where its action needs it (validated beside this). */
const params = z.strictObject({
  x: px.optional(),
  y: px.optional(),
  /** CLICK: the button; TYPING: the text. */
  text: z.string().min(1).optional(),
  numClicks: z.int().min(1).optional(),
  button: button.optional(),
  /** Up is positive, as PyAutoGUI counts. */
  scrollY: z.int().optional(),
  key: text.optional(),
  keys: z.array(text).min(1).optional(),
});
export type VideocuaParams = z.infer<typeof params>;
const entry = z.strictObject({
  action_type: z.enum([
    ...(['CLICK', 'MOVE_TO', 'DRAG_TO', 'SCROLL', 'TYPING', 'PRESS', 'HOTKEY'] as const),
    ...(['KEY_DOWN', 'KEY_UP', 'AFTER_LAST_ACTION'] as const),
  ]),
  /** Seconds of the video. */
  timestamp: z.number().min(0),
  action_params: params,
  trajectory_studio: ours.optional(),
});
export type VideocuaEntry = z.infer<typeof entry>;

/** data/<software>/<task>/action_log.json. */
export const videocuaLogSchema = z.strictObject({
  task_id: text,
  task_instruction: text,
  platform: text,
  action_log: z.array(entry).min(1),
});
export type VideocuaLog = z.infer<typeof videocuaLogSchema>;

/** data/<software>/<screen>.json is a list of these. */
export const groundcuaElementSchema = z.strictObject({
  /** In images/. */
  image_path: text,
  /** Left, top, RIGHT, BOTTOM, px. */
  bbox: z.tuple([px, px, z.int().positive(), z.int().positive()]),
  /** Null: nobody sorted it. */
  category: text.nullable(),
  text: z.string(),
  id: text,
});
export type GroundcuaElement = z.infer<typeof groundcuaElementSchema>;

/** instructions.json is a list of these. */
export const groundcuaInstructionSchema = z.strictObject({
  /** The screen. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  platform: text,
  /** The middle of the element, px. */
  coordinate: z.tuple([px, px]),
  instruction: text,
  task_id: text,
});
export type GroundcuaInstruction = z.infer<typeof groundcuaInstructionSchema>;
