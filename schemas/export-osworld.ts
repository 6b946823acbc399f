import { z } from 'zod';

/** Runs as OSWorld keeps them: a folder a run, with a line a step. JSON Schemas come from these. */

const text = z.string().min(1);

/** A line of traj.jsonl of a run that was made of a demonstration; one that was imported goes out as it came. */
export const osworldStepSchema = z.looseObject({
  /** From 1, without a gap. */
  step_num: z.int().min(1),
  /** `20250101@120000123456`, UTC. */
  action_timestamp: text,
  /** A program of PyAutoGUI in px of the screen before, WAIT, or DONE at the end. */
  action: text,
  response: z.string(),
  reward: z.number(),
  done: z.boolean(),
  info: z.record(z.string(), z.unknown()),
  /** The screen after it, in the same folder. */
  screenshot_file: text,
  /** Ours, which OSWorld passes over. */
  trajectory_studio: z.record(z.string(), z.unknown()),
});
export type OsworldRunLine = z.infer<typeof osworldStepSchema>;

/** A line of runs.jsonl, which lists the runs. */
export const osworldRunSchema = z.strictObject({
  task_id: text,
  folder: text,
  /** Empty where nothing says what was asked for: a run of OSWorld by itself does not. */
  instruction: z.string(),
  steps: z.int().min(1),
  /** Pictures in its folder. */
  images: z.int().min(1),
  /** What result.txt says; null: there is none, as nobody tried it. */
  result: z.string().nullable(),
  /** It came as a run of OSWorld, and goes out with its own lines. */
  imported: z.boolean(),
});
export type OsworldRunRow = z.infer<typeof osworldRunSchema>;
